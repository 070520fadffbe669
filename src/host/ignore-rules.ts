// What `.gitignore`, `.ignore` and `.git/info/exclude` leave out of a walk, as one ordered list of rules in which the
// last match decides. Rules of nested files are rewritten to start at the top, because only so does a negation in a
// sub-folder undo a rule from above.
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";
import type { Ignore } from "ignore";
import { instantFiles } from "./instant-files.ts";

/** Later files win over earlier ones. */
export const IGNORE_FILE_NAMES: readonly string[] = [".gitignore", ".ignore"];
/** A larger one is no list that a person wrote, and every file looked at would pay for its length. */
const IGNORE_FILE_BYTES_MAX = 256 * 1024;
const PARENTS_MAX = 256;

export interface IgnoreRules {
  /** From the top to the folder walked: empty, or with a `/` at its end. */
  readonly prefix: string;
  /** Absent while there are no rules. */
  readonly matcher?: Ignore;
}

/** The rules that hold for `folder` because of the repository it lies in. `folder` is absolute. */
export async function rulesAbove(folder: string): Promise<IgnoreRules> {
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
  // Whoever names an ignored folder wants to see into it.
  return rules.matcher?.ignores(rules.prefix) ? { prefix: rules.prefix } : rules;
}

/** These rules and those of an ignore file in `folder`, which is relative to the folder walked. */
export function rulesWithin(
  rules: IgnoreRules,
  place: { readonly file: string; readonly folder: string },
): Promise<IgnoreRules> {
  return withRules(rules, { file: place.file, folder: (rules.prefix + place.folder).replace(/\/$/, "") });
}

/** `path` is relative to the folder walked. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  return rules.matcher !== undefined && rules.matcher.ignores(rules.prefix + path + (isFolder ? "/" : ""));
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

/** The pattern that means at the top what `line` means in `folder`, as gitignore(5) reads it. */
function fromTop(line: string, folder: string): readonly string[] {
  const isNegated = line.startsWith("!");
  const pattern = isNegated ? line.slice(1) : line;
  if (line.startsWith("#") || /^\/? *$/.test(pattern)) return [];
  if (folder === "") return [line];
  // A `/` anywhere but at the end ties a pattern to the folder of its file.
  const isTied = /\/(?! *$)/.test(pattern);
  const start = `/${folder.replaceAll(/[\\*?[\]!# ]/g, "\\$&")}/`;
  return [(isNegated ? "!" : "") + start + (isTied ? pattern.replace(/^\//, "") : `**/${pattern}`)];
}
