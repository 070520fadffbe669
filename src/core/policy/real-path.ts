// Resolves all links of a path.
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Host } from "../tool/host.ts";

/** The limit of Linux. */
const LINKS_MAX = 40;

/** What paths lead to if they exist, for one judgement: many paths are in the same folders. */
export type SeenPaths = Map<string, string | undefined>;

/** Folders of longer paths are not looked at one by one: there may be thousands. */
const SHORT_CHARACTERS_MAX = 1_000;

/** Matches a path from the root of which nothing has to be resolved. */
const RESOLVED = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]*)+$/;

/** Returns an absolute path without `.` and `..`. `resolve` takes long, and most paths are resolved already. */
export function resolved(path: string): string {
  if (sep !== "/") return resolve(path);
  const isPlain = path.startsWith("/") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
  return isPlain || RESOLVED.test(path) ? path : resolve(path);
}

/**
 * Resolves a path that need not exist: through existing folders and dangling links, because writing creates their
 * targets.
 */
export function realPath(path: string, host: Host, seen: SeenPaths = new Map()): string {
  return followed(path, { host, seen, linksMax: LINKS_MAX });
}

interface Following {
  readonly host: Host;
  readonly seen: SeenPaths;
  readonly linksMax: number;
}

function followed(path: string, following: Following): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const found = seenPath(at, following);
    if (found !== undefined) return missing.length === 0 ? found : join(found, ...missing.reverse());
    if (dirname(at) === at) return path;
    missing.push(basename(at));
  }
}

/** Matches the streams of the process that opens them: those of this process say nothing about it. */
const OWN_STREAM = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/[012])|proc\/(?:thread-)?self\/fd\/[012])$/;

function seenPath(path: string, following: Following): string | undefined {
  const { seen } = following;
  if (!seen.has(path)) seen.set(path, existingPath(path, following));
  return seen.get(path);
}

function existingPath(path: string, following: Following): string | undefined {
  const { host, linksMax } = following;
  if ((path.startsWith("/dev/") || path.startsWith("/proc/")) && OWN_STREAM.test(path)) return path;
  const isLink = host.instant.isLink(path);
  const isShort = path !== sep && path.length <= SHORT_CHARACTERS_MAX && resolved(path) === path;
  // On other systems, the name may be spelled in another way. Each folder is looked at once.
  if (isLink === false && isShort && host.platform === "linux") {
    const folder = seenPath(dirname(path), following);
    if (folder !== undefined) return `${folder === sep ? "" : folder}${path.slice(path.lastIndexOf(sep))}`;
  }
  // An error takes ten times as long as these two looks.
  if (!isLink && host.instant.stat(path) === undefined) return undefined;
  try {
    return host.instant.realPath(path);
  } catch {
    const target = linksMax > 0 ? host.instant.readLink(path) : undefined;
    if (target === undefined) return undefined;
    // What is found under a lower limit is not remembered.
    const inner = (at: string): string => followed(at, { host, seen: new Map(), linksMax: linksMax - 1 });
    return inner(resolve(inner(dirname(path)), target));
  }
}

/** Whether a path is the folder or below it; both are resolved. `relative` takes long, and hundreds are compared. */
export function isWithin(path: string, folder: string): boolean {
  if (sep === "/")
    return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === sep || folder === sep);
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
