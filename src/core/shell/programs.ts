// Programs by name, and shell built-ins. The rows are in grammar/programs.yaml;
// test/language/command-programs.test.ts tries them with a value that leaves a mark.
import {
  cmdlets,
  languages,
  launchers,
  methods,
  tools,
  windowsPrograms,
  wrappers,
} from "../../generated/program-data.ts";
import { builtins, namingOptions } from "../../generated/program-words.ts";
import type { Shell } from "../tool/command.ts";
import type { CommandWord } from "./pieces.ts";
import { namesOf, type ProgramRule } from "./rule.ts";

const tables = [languages, wrappers, launchers, tools, windowsPrograms];
const knownRules = new Map<string, readonly ProgramRule[]>();
const knownNames = new Map<string, string>();
/** Beyond this, what is known is forgotten: the names may be anybody's. */
const KNOWN_NAMES_MAX = 1_000;

/**
 * Returns the rows of a program, or of a program with its subcommand. Windows does not distinguish `Cmd` from `cmd`.
 */
export function rulesOf(name: string): readonly ProgramRule[] {
  const known = knownRules.get(name);
  if (known) return known;
  const own = tables.flatMap((table) => table.named(name));
  const small = name.toLowerCase();
  const rows = own.length > 0 || name === small ? own : tables.flatMap((table) => table.named(small));
  if (knownRules.size === KNOWN_NAMES_MAX) knownRules.clear();
  knownRules.set(name, rows);
  return rows;
}

/**
 * Returns the rows that apply to a command with these words. PowerShell looks for a cmdlet first: its `iex` is not
 * Elixir's.
 */
export function rulesFor(name: string, args: readonly CommandWord[], shell: Shell): readonly ProgramRule[] {
  const isOfPowerShell = shell === "pwsh" || name.startsWith("[");
  const own = isOfPowerShell ? [cmdlets, methods].flatMap((table) => table.named(name.toLowerCase())) : [];
  return (own.length > 0 ? own : rulesOf(name)).filter(
    ({ when }) =>
      when === undefined ||
      args.some((word) => when.test(word.pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join(""))),
  );
}

/** The row of the shells of Unix. */
export const shells: ProgramRule = languages.named("sh")[0] ?? { names: "", help: "" };
const shellNames = new Set(namesOf(shells));

/** Whether the program is a shell that reads its script as a `@script` is read. */
export function isShell(name: string): boolean {
  return shellNames.has(name);
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(" "));
export const evaluatingBuiltins = wordsIn(builtins.evaluating);
export const namingBuiltins = wordsIn(builtins.naming);
export const declaringBuiltins = wordsIn(builtins.declaring);
export const modularBuiltins = wordsIn(builtins.modular);
export const countingBuiltins = wordsIn(builtins.counting);
export const namingPatterns: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(namingOptions).map(([name, pattern]) => [name, new RegExp(pattern)]),
);

let lazyEvaluators: RegExp | undefined;

/** Whether a text contains any of the words that can run text. Most scripts never ask. */
export function hasEvaluator(text: string): boolean {
  lazyEvaluators ??= new RegExp(
    `(?:^|[^A-Za-z0-9_])(?:${[...evaluatingBuiltins, ...languages.names(), ...wrappers.names()].map((name) => name.replace(".", "\\.")).join("|")})(?![A-Za-z0-9_])`,
  );
  return lazyEvaluators.test(text);
}

/** Returns the name used in the tables: without folder, version or an ending such as `.exe`. */
export function programName(word: string): string {
  const known = knownNames.get(word);
  if (known !== undefined) return known;
  const name = nameOf(word);
  if (knownNames.size === KNOWN_NAMES_MAX) knownNames.clear();
  knownNames.set(word, name);
  return name;
}

function nameOf(word: string): string {
  const file = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  const name = file.includes(".") ? file.replace(/\.(?:exe|com|cmd|bat)$/i, "") : file;
  const bare = name.replace(/(?<=[A-Za-z])-?\d+(?:\.\d+)*$/, "");
  // Programs that run the command in their words are not installed once for each version: `command1` is not `command`.
  return rulesOf(name).length > 0 || wrappers.named(bare).length > 0 ? name : bare;
}
