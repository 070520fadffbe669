// Errors of the file system as outcomes, with the path as the caller wrote it and what to do next.
import { basename, dirname, resolve } from "node:path";
import { nearestNames } from "../text/suggest.ts";
import type { Outcome } from "../tool/call.ts";
import { failed } from "../tool/base-tool.ts";
import { codeOf, refusedPath } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";
import { shownName } from "./shown-name.ts";

type FileAction = (Failure & { readonly kind: "file" })["action"];

type FileContext = Pick<ToolContext, "host" | "cwd">;

interface FileTrouble {
  /** The path as the caller wrote it. */
  readonly path: string;
  readonly action: FileAction;
}

/** Throws errors that do not come from a file system, since those are bugs. */
export async function fileFailure(error: unknown, trouble: FileTrouble, context: FileContext): Promise<Outcome> {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return failed({
    kind: "file",
    path: trouble.path,
    action: trouble.action,
    code,
    help: await helpFor(error, trouble, context),
  });
}

async function helpFor(error: unknown, trouble: FileTrouble, context: FileContext): Promise<readonly string[]> {
  const { path, action } = trouble;
  const code = codeOf(error);
  if (code === "EISDIR") return ["`list_dir` lists a folder"];
  if (code === "ENOTDIR" && action !== "write") return ["`read_file` reads a file"];
  const cause =
    (code === "ENOENT" ? (withTilde(path, context) ?? (await deadLink(path, context))) : undefined) ??
    fullFolder(error, trouble, context);
  if (cause !== undefined) return [cause];
  if (code !== "ENOENT") return [];
  return [nearby(path, context), ...(action === "write" ? ["`create_dirs` creates missing folders"] : [])].filter(
    (line) => line !== "",
  );
}

/** Returns help if the folder is at fault, and not the file. */
function fullFolder(error: unknown, { path, action }: FileTrouble, { host, cwd }: FileContext): string | undefined {
  const refused = refusedPath(error);
  const target = resolve(cwd, path);
  if (action !== "write" || refused === undefined || refused === target) return undefined;
  const isFolder = (at: string): boolean => host.instant.stat(at)?.kind === "folder";
  // A missing folder could not be made in the one above it.
  const folder = isFolder(refused)
    ? refused
    : codeOf(error) === "ENOENT" && isFolder(dirname(refused))
      ? dirname(refused)
      : undefined;
  if (folder === undefined) return undefined;
  return host.instant.stat(target)
    ? `writing replaces the file, and no file can be created in \`${folder}\``
    : `no file can be created in \`${folder}\``;
}

/** Explains a `~`: only a shell replaces it by the home folder. */
function withTilde(path: string, { host }: FileContext): string | undefined {
  const [word, rest = ""] = /^~[^/\\]*(.*)$/s.exec(path) ?? [];
  if (word === undefined) return undefined;
  return path.startsWith(`~${rest}`)
    ? `\`~\` is not expanded; in the home folder it is \`${host.folders.home}${rest}\``
    : `\`~\` is not expanded: write the absolute path of the home folder`;
}

/** Returns the dangling link on the way to the path. */
async function deadLink(path: string, { host, cwd }: FileContext): Promise<string | undefined> {
  const { files, instant } = host;
  for (let at = resolve(cwd, path); !instant.stat(at) && dirname(at) !== at; at = dirname(at)) {
    let target = at;
    for (let links = 0; links <= LINKS_MAX; links++) {
      const link = await files.readLink(target);
      if (link === undefined) break;
      target = resolve(dirname(target), link);
    }
    if (target !== at)
      return `\`${shownName(at)}\` is a link to \`${shownName(target)}\`, which does not exist: create that, or change the link`;
  }
  return undefined;
}

const LINKS_MAX = 40;
const NAMES_SHOWN_MAX = 10;

/** Returns similar names in the folder of `path`, or the first ones. */
function nearby(path: string, context: FileContext): string {
  let missing = resolve(context.cwd, path);
  let folder = dirname(missing);
  while (context.host.instant.stat(folder)?.kind !== "folder") {
    if (dirname(folder) === folder) return "";
    missing = folder;
    folder = dirname(folder);
  }
  const names = namesIn(folder, context);
  const near = nearestNames(basename(missing), names);
  if (near.length > 0) return `\`${folder}\` has ${near.map((name) => `\`${name}\``).join(", ")}`;
  if (names.length === 0) return `\`${folder}\` has no visible entries`;
  const more = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : "";
  return `\`${folder}\` has no \`${basename(missing)}\`; it has ${names
    .slice(0, NAMES_SHOWN_MAX)
    .map((name) => `\`${name}\``)
    .join(", ")}${more}`;
}

function namesIn(folder: string, context: FileContext): readonly string[] {
  try {
    return context.host.instant.list(folder).map((entry) => shownName(entry.name));
  } catch {
    return [];
  }
}
