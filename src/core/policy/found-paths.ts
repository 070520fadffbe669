// Resolves a text that names a file: `~`, variables, `file:` addresses, braces, wildcards, links, and `..` after them.
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Host } from "../tool/host.ts";
import { withoutProcessLinks } from "./process-files.ts";
import { realPath, resolved, type SeenPaths } from "./real-path.ts";
import { textPattern } from "./text-pattern.ts";

interface FindingOptions {
  readonly host: Host;
  /** Absolute: where the text is read. */
  readonly from: string;
  /** Whether it is a path that no shell expands. */
  readonly isPath: boolean;
  readonly seen?: SeenPaths;
}

/** The limit of Windows; that of Linux is an eighth of it. */
const CHARACTERS_MAX = 32_767;
const BRACES_MAX = 64;
const COMPONENTS_MAX = 64;
/** The limit of names that a wildcard matches, at each level. */
const NAMES_MAX = 1_000;

/** Returns absolute paths, resolved and as written. A path ends before its `**`, which may mean everything below. */
export function foundPaths(text: string, options: FindingOptions): readonly string[] {
  if (text === "" || text.includes("\0")) return [];
  // No system accepts a path this long, but our own tools shorten it first.
  const short = text.length > CHARACTERS_MAX && options.isPath ? resolve(options.from, text) : text;
  if (short.length > CHARACTERS_MAX) return [];
  if (short !== text) return formsOf(short, options);
  const named = spelledOut(text, options.host);
  const spelled = options.isPath ? named : withValues(named, options.host);
  // A variable that is the whole text may be anything.
  const others = spelled === "*" && text !== "*" ? [] : options.isPath ? [spelled] : withoutBraces(spelled);
  const written = [...new Set([...others, text])].map((path) =>
    isAbsolute(path) ? path : `${options.from}${sep}${path}`,
  );
  const all = written.flatMap((path) => [...(/[*?[]/.test(path) ? matchesOf(path, options.host) : []), path]);
  return [...new Set(all.flatMap((path) => formsOf(path, options)))];
}

function spelledOut(text: string, host: Host): string {
  if (!text.startsWith("~") && !text.includes(":")) return text;
  const { home } = host.folders;
  const path = /^file:/i.test(text) ? pathOfAddress(text) : text;
  if (path === "~" || /^~[/\\]/.test(path)) return home + path.slice(1);
  // `~ana` is the home folder of another user.
  return /^~[a-z_]/.test(path) ? join(dirname(home), path.slice(1)) : path;
}

/** Fills in variables; one that is not known here becomes a wildcard. */
function withValues(text: string, host: Host): string {
  if (!text.includes("$") && !text.includes("%")) return text;
  const variable = /\$\{([A-Za-z_]\w*)(?!\w)[^}/\\]*\}|\$([A-Za-z_]\w*)|\$\$|%([A-Za-z_]\w*)%/g;
  return text.replaceAll(variable, (_all, ...names: readonly (string | undefined)[]) => {
    const name = names.slice(0, 3).find((one) => one !== undefined) ?? "";
    const value = host.environment(name);
    return value !== undefined && isAbsolute(value) ? value : "*";
  });
}

function pathOfAddress(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return address.slice("file:".length);
  }
}

/** Expands `{a,b}` as a shell does; too many results become a wildcard. */
function withoutBraces(text: string): readonly string[] {
  if (!text.includes("{")) return [text];
  let texts = [text];
  for (let round = 0; round < BRACES_MAX && texts.length < BRACES_MAX; round++) {
    const next = texts.flatMap((one) => {
      const [all, inner = ""] = [...one.matchAll(BRACES)].find(([, choices]) => choices?.includes(",")) ?? [];
      const choices = inner.split(",");
      if (all === undefined || choices.length > BRACES_MAX) return [withoutChoices(one)];
      return choices.map((choice) => one.replace(all, () => choice));
    });
    if (next.length === texts.length) break;
    texts = next;
  }
  return texts.map(withoutChoices);
}

const BRACES = /\{([^{}]*)\}/g;

function withoutChoices(text: string): string {
  return text.replaceAll(BRACES, (all, inner: string) => (inner.includes(",") ? "*" : all));
}

/** Returns existing paths, and paths that could exist below them. */
function matchesOf(path: string, host: Host): readonly string[] {
  const [root = "", ...components] = path.split(/[/\\]/).slice(0, COMPONENTS_MAX);
  let found = [root === "" ? sep : root];
  for (const component of components) {
    if (component === "**") return found;
    if (!/[*?[]/.test(component)) {
      found = found.map((folder) => join(folder, component));
      continue;
    }
    // As a shell does: a wildcard does not begin a hidden name.
    const isHidden = /^[^*?[]/.test(component);
    const pattern = textPattern(component.replaceAll(/\[[^[\]]*\]/g, "?"));
    const named = found.flatMap((folder) =>
      namesIn(folder, host)
        .filter((name) => (isHidden || !name.startsWith(".")) && pattern.matches(name, "exactly"))
        .map((name) => join(folder, name)),
    );
    // The written name counts too: it need not exist yet.
    found = [...named.slice(0, NAMES_MAX), ...found.slice(-1).map((folder) => join(folder, component))];
  }
  return found;
}

function namesIn(folder: string, host: Host): readonly string[] {
  try {
    return host.instant.names(folder).slice(0, NAMES_MAX);
  } catch {
    return [];
  }
}

/** Returns the path as our own tools read it, and as the system does: `link/..` is above the target of the link. */
function formsOf(path: string, { host, from, seen }: FindingOptions): readonly string[] {
  const plain = resolved(path);
  const freed = withoutProcessLinks(plain, from);
  const climbed = path.includes("..") && /[/\\]\.\.(?:[/\\]|$)/.test(path) ? [climbingPath(path, host, seen)] : [];
  const real = [...climbed, realPath(freed, host, seen)];
  // The target of a process's link says less than the link.
  return plain.startsWith("/proc/") || plain.startsWith("/dev/") ? [plain, freed, ...real] : [...real, plain, freed];
}

function climbingPath(path: string, host: Host, seen?: SeenPaths): string {
  let at = resolve(sep);
  for (const name of path
    .split(/[/\\]/)
    .filter((one) => one !== "" && one !== ".")
    .slice(0, CHARACTERS_MAX))
    at = name === ".." ? dirname(at) : realPath(join(at, name), host, seen);
  return at;
}
