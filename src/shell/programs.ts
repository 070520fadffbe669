// Programs by name, and shell built-ins. The rows are in grammar/programs.yaml;
// test/language/command-programs.test.ts tries them with a value that leaves a mark.
import { cmdlets, languages, launchers, methods, tools, windowsPrograms, wrappers } from "../generated/program-data.ts";
import type { Shell } from "../tool/command.ts";
import type { CommandWord } from "./pieces.ts";
import { namesOf, type ProgramRule } from "./rule.ts";

const tables: readonly (readonly ProgramRule[])[] = [languages, wrappers, launchers, tools, windowsPrograms];
let lazyRules: ReadonlyMap<string, readonly ProgramRule[]> | undefined;
let lazyCmdlets: ReadonlyMap<string, readonly ProgramRule[]> | undefined;
/** The rows of the first names that are looked up: a single command needs a few, and an index of all takes 2 ms. */
const firstRules = new Map<string, readonly ProgramRule[]>();
const FIRST_NAMES_MAX = 40;

/**
 * Returns the rows of a program, or of a program with its subcommand. Windows does not distinguish `Cmd` from `cmd`.
 */
export function rulesOf(name: string): readonly ProgramRule[] {
  const first = firstRules.get(name);
  if (first) return first;
  if (firstRules.size < FIRST_NAMES_MAX) {
    const own = rowsNamed(name);
    const rows = own.length > 0 || name === name.toLowerCase() ? own : rowsNamed(name.toLowerCase());
    firstRules.set(name, rows);
    return rows;
  }
  lazyRules ??= byName(tables.flat());
  return lazyRules.get(name) ?? lazyRules.get(name.toLowerCase()) ?? [];
}

/** In the tables, a dot stands between a program and its subcommand. */
function rowsNamed(name: string): readonly ProgramRule[] {
  if (name === "" || name.includes(".")) return [];
  const wanted = name.replaceAll(" ", ".");
  const found: ProgramRule[] = [];
  for (const table of tables)
    for (const rule of table) {
      const { names } = rule;
      const at = names.indexOf(wanted);
      if (at !== -1 && (names === wanted || ` ${names} `.includes(` ${wanted} `))) found.push(rule);
    }
  return found;
}

/**
 * Returns the rows that apply to a command with these words. PowerShell looks for a cmdlet first: its `iex` is not
 * Elixir's.
 */
export function rulesFor(name: string, args: readonly CommandWord[], shell: Shell): readonly ProgramRule[] {
  lazyCmdlets ??= byName([...cmdlets, ...methods]);
  const own = shell === "pwsh" || name.startsWith("[") ? lazyCmdlets.get(name.toLowerCase()) : undefined;
  return (own ?? rulesOf(name)).filter(
    ({ when }) =>
      when === undefined ||
      args.some((word) => when.test(word.pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join(""))),
  );
}

function byName(rules: readonly ProgramRule[]): ReadonlyMap<string, readonly ProgramRule[]> {
  const known = new Map<string, ProgramRule[]>();
  for (const rule of rules) for (const name of namesOf(rule)) known.set(name, [...(known.get(name) ?? []), rule]);
  return known;
}

/** The row of the shells of Unix. */
export const shells: ProgramRule = languages[0] ?? { names: "", help: "" };
const shellNames = new Set(namesOf(shells));

/** Whether the program is a shell that reads its script as a `@script` is read. */
export function isShell(name: string): boolean {
  return shellNames.has(name);
}

/** Shell built-ins that read words as script text, as a name that may hold some, or as arithmetic. */
export const evaluatingBuiltins = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "alias",
  "bind",
  "complete",
  "compgen",
  "emulate",
  "zmodload",
  "autoload",
  "sched",
  "fc",
  "enable",
  "zstyle",
  "functions",
  "history",
]);
export const namingBuiltins = new Set([
  "read",
  "unset",
  "getopts",
  "mapfile",
  "readarray",
  "vared",
  "zparseopts",
  "getln",
  "zregexparse",
]);
export const declaringBuiltins = new Set([
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "integer",
  "float",
  "private",
]);
/** Built-ins of zsh's modules and functions. */
export const modularBuiltins = new Set([
  "sysread",
  "sysseek",
  "zsystem",
  "zformat",
  "zpty",
  "zmv",
  "zcp",
  "zln",
  "zcurses",
  "syserror",
]);
/** Options of built-ins that take the name of a variable: `wait -p x`. */
export const namingOptions: ReadonlyMap<string, RegExp> = new Map([
  ["wait", /^-[fn]*p/],
  ["stat", /^-[A-Za-z]*?[AH]/],
  ["zstat", /^-[A-Za-z]*?[AH]/],
  ["strftime", /^-[nqr]*s/],
  ["sysopen", /^-[A-Za-z]*?u/],
  ["pcre_match", /^-[bn]*[va]/],
]);
export const countingBuiltins = new Set(["exit", "bye", "logout", "return", "shift", "break", "continue"]);

let lazyEvaluators: RegExp | undefined;

/** Whether a text contains any of the words that can run text. Most scripts never ask. */
export function hasEvaluator(text: string): boolean {
  lazyEvaluators ??= new RegExp(
    `(?:^|[^A-Za-z0-9_])(?:${[...evaluatingBuiltins, ...[...languages, ...wrappers].flatMap(namesOf)].map((name) => name.replace(".", "\\.")).join("|")})(?![A-Za-z0-9_])`,
  );
  return lazyEvaluators.test(text);
}

/** Returns the name used in the tables: without folder, version or an ending such as `.exe`. */
export function programName(word: string): string {
  const name = word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .replace(/\.(?:exe|com|cmd|bat)$/i, "");
  return rulesOf(name).length > 0 ? name : name.replace(/(?<=[A-Za-z])-?\d+(?:\.\d+)*$/, "");
}
