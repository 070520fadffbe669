// Walks folders: depth first, in the order of names, without following links or ignored files. Folders are read
// synchronously, which is several times faster than a promise for each; every few milliseconds other work gets its
// turn.
import process from "node:process";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { FolderEntry, WalkEntry, WalkOptions } from "../../tool/host.ts";
import { codeOf, isUnanswered } from "../../tool/error-code.ts";
import { instantFiles } from "./instant-files.ts";
import { nowMs } from "../monotonic-clock.ts";
import type { Ignore } from "ignore";

/** The time that a walk may block other work. */
const TURN_MS_MAX = 8;

interface Level {
  /** The path relative to the walked folder: empty, or with a final `/`. */
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
  readonly rules: IgnoreRules | undefined;
  next: number;
}

/** Throws if `folder` itself cannot be read. Ends early and silently if the signal aborts. */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<WalkEntry, void, undefined> {
  const top = resolve(folder);
  const entriesOfTop = instantFiles.list(top);
  if (options.depthMax < 1) return;
  const rulesOfTop = options.honoursIgnoreFiles ? await rulesAbove(top) : undefined;
  const levels = [await enter({ top, prefix: "", entries: entriesOfTop, rules: rulesOfTop })];
  let turnEndMs = nowMs() + TURN_MS_MAX;
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (options.signal.aborted) return;
    if (nowMs() > turnEndMs) {
      await new Promise((resolveTurn) => setImmediate(resolveTurn));
      turnEndMs = nowMs() + TURN_MS_MAX;
    }
    const entry = level.entries[level.next++];
    if (!entry) {
      levels.pop();
      continue;
    }
    if (isLeftOut(entry, level, options)) continue;
    const path = level.prefix + entry.name;
    yield { path, kind: entry.kind };
    if (entry.kind !== "folder" || levels.length >= options.depthMax || options.passesOver?.(path)) continue;
    const entries = listOrNothing(join(top, path), () => options.onUnreadable?.(path));
    if (entries) levels.push(await enter({ top, prefix: `${path}/`, entries, rules: level.rules }));
  }
}

function isLeftOut(entry: FolderEntry, level: Level, options: WalkOptions): boolean {
  if (entry.name.startsWith(".") && !options.includesHidden) return true;
  if (!level.rules) return false;
  return entry.name === ".git" || isIgnored(level.rules, level.prefix + entry.name, entry.kind === "folder");
}

/** Skips a folder that may not be read, or was removed after its parent was read; a disk error ends the walk. */
function listOrNothing(folder: string, onUnreadable: () => void): readonly FolderEntry[] | undefined {
  try {
    return instantFiles.list(folder);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    if (codeOf(error) !== "ENOENT") onUnreadable();
    return undefined;
  }
}

interface Entering {
  readonly top: string;
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
  readonly rules: IgnoreRules | undefined;
}

async function enter({ top, prefix, entries, rules }: Entering): Promise<Level> {
  let own = rules;
  for (const name of own ? IGNORE_FILE_NAMES : []) {
    if (own && entries.some((entry) => entry.name === name))
      own = await rulesWithin(own, { file: join(top, prefix, name), folder: prefix });
  }
  return { prefix, entries, rules: own, next: 0 };
}

// The rules of `.gitignore`, `.ignore` and `.git/info/exclude` for a walk, as one ordered list in which the last match
// decides. Rules of nested files are rewritten to start at the top, because only so does a negation in a
// sub-folder undo a rule from above.

/** The names of the files; later files take precedence over earlier ones. */
const IGNORE_FILE_NAMES: readonly string[] = [".gitignore", ".ignore"];
/** A larger file was not written by a person, and would slow down every check. */
const IGNORE_FILE_BYTES_MAX = 256 * 1024;
const PARENTS_MAX = 256;

interface IgnoreRules {
  /** The path from the top to the walked folder: empty, or with a final `/`. */
  readonly prefix: string;
  /** Absent while there are no rules. */
  readonly matcher?: Ignore;
}

/** Returns the rules for `folder`, which is absolute, from the repository that contains it. */
async function rulesAbove(folder: string): Promise<IgnoreRules> {
  const top = repositoryOf(folder) ?? folder;
  const names = relative(top, folder)
    .split(sep)
    .filter((name) => name !== "");
  let rules: IgnoreRules = { prefix: names.map((name) => `${name}/`).join("") };
  rules = await withRules(rules, { file: join(top, ".git", "info", "exclude"), folder: "" });
  for (let depth = 0; depth < names.length; depth++) {
    const parent = names.slice(0, depth);
    for (const name of IGNORE_FILE_NAMES)
      rules = await withRules(rules, { file: join(top, ...parent, name), folder: parent.join("/") });
  }
  // A caller that names an ignored folder wants to see its content.
  return rules.matcher?.ignores(rules.prefix) ? { prefix: rules.prefix } : rules;
}

/** Returns these rules and those of an ignore file in `folder`, which is relative to the walked folder. */
function rulesWithin(
  rules: IgnoreRules,
  place: { readonly file: string; readonly folder: string },
): Promise<IgnoreRules> {
  return withRules(rules, { file: place.file, folder: (rules.prefix + place.folder).replace(/\/$/, "") });
}

/** `path` is relative to the walked folder. */
function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  return rules.matcher?.ignores(rules.prefix + path + (isFolder ? "/" : "")) ?? false;
}

function repositoryOf(folder: string): string | undefined {
  let at = folder;
  for (let parents = 0; parents < PARENTS_MAX; parents++) {
    if (instantFiles.stat(join(at, ".git"))) return at;
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

async function withRules(
  rules: IgnoreRules,
  place: { readonly file: string; readonly folder: string },
): Promise<IgnoreRules> {
  const patterns = readLines(place.file).flatMap((line) => fromTop(line, place.folder));
  if (patterns.length === 0) return rules;
  const { default: ignore } = await import("ignore");
  const matcher = ignore({
    ignorecase: process.platform === "win32" || process.platform === "darwin",
    allowRelativePaths: true,
  });
  if (rules.matcher) matcher.add(rules.matcher);
  return { prefix: rules.prefix, matcher: matcher.add(patterns.map((pattern) => ({ pattern }))) };
}

function readLines(file: string): readonly string[] {
  try {
    return new TextDecoder().decode(instantFiles.readBytes(file, IGNORE_FILE_BYTES_MAX)).split(/\r?\n/);
  } catch {
    return [];
  }
}

/** Returns the pattern that means the same at the top as `line` in `folder`, by gitignore(5). */
function fromTop(line: string, folder: string): readonly string[] {
  const isNegated = line.startsWith("!");
  const pattern = isNegated ? line.slice(1) : line;
  if (line.startsWith("#") || /^\/? *$/.test(pattern)) return [];
  if (folder === "") return [line];
  // A `/` anywhere except at the end binds a pattern to the folder of its file.
  const isTied = /\/(?! *$)/.test(pattern);
  const start = `/${folder.replaceAll(/[\\*?[\]!# ]/g, "\\$&")}/`;
  return [(isNegated ? "!" : "") + start + (isTied ? pattern.replace(/^\//, "") : `**/${pattern}`)];
}
