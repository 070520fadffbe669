// Which variables of the environment a script of sh or bash reads as if they were set: without a default, without a
// test before, and without setting them itself.
import type { CommandPiece, CommandWord, ReadScript, SimpleCommand } from "./pieces.ts";
import { literalText } from "./pieces.ts";
import { programName } from "./programs.ts";
import { withoutPrefixes } from "./settings.ts";
import { isAlwaysSet, variablesOf } from "./variables.ts";

export interface EnvironmentRead {
  readonly name: string;
  /** The offset of the `$`, where it is in the text that was read. */
  readonly start: number;
  readonly end: number;
  /** The program that would act on another place without a value, as `rm` does in `rm -rf "$BUILD_DIR"/*`. */
  readonly harms?: string;
}

/** Matches `$NAME` and `${NAME…}`; the last group is what follows the name in braces. */
const READ = /^\$(?:([A-Za-z_]\w*)|\{#?([A-Za-z_]\w*)([^]*)\})$/;
/** Matches what gives a variable a value, or asks whether it has one. */
const GIVES_DEFAULT = /^:?[-=?+]/;
/** Commands that ask what a variable holds. */
const TESTS = /^(?:\[|\[\[|test|case)$/;
/** Commands that may set any variable. */
const SETS_ANY = /^(?:eval|source|\.)$/;
/** Programs that remove, move or change files. */
const DESTRUCTIVE = /^(?:rm|rmdir|shred|unlink|mv|chmod|chown|chgrp|rsync|dd|truncate|mkfs(?:\.\w+)?)$/;
const DELETES = /^-(?:delete|exec|execdir)$/;
const ENTERS = /^(?:cd|pushd)$/;

/** Returns each variable once: where it harms, if it does. */
export function environmentReads(script: ReadScript): readonly EnvironmentRead[] {
  const { commands } = script;
  const named = (command: SimpleCommand): string => programName(literalText(withoutPrefixes(command.words)[0]) ?? "");
  if (commands.some((command) => SETS_ANY.test(named(command)))) return [];
  const variables = variablesOf(script, () => "text");
  const isDestructive = (command: SimpleCommand): boolean =>
    DESTRUCTIVE.test(named(command)) ||
    (named(command) === "find" && command.words.some((word) => DELETES.test(literalText(word) ?? "")));
  const hasDestructive = commands.some(isDestructive);
  const handled = new Set<string>();
  const reads: EnvironmentRead[] = [];
  const look = (word: CommandWord, harms: string | undefined, isTest: boolean): void => {
    for (const { name, rest, start, end } of word.pieces.flatMap(readOf)) {
      if (isTest || GIVES_DEFAULT.test(rest)) handled.add(name);
      else if (!variables.isGiven(name) && !isAlwaysSet(name))
        reads.push({ name, start, end, ...(harms === undefined ? {} : { harms }) });
    }
  };
  for (const command of commands) {
    const program = named(command);
    const harms = isDestructive(command) || (hasDestructive && ENTERS.test(program)) ? program : undefined;
    for (const word of command.words) look(word, harms, TESTS.test(program));
    for (const { word } of command.redirections) look(word, undefined, false);
  }
  for (const { inside } of script.regions) if (inside) look(inside, undefined, false);
  const open = reads.filter(({ name }) => !handled.has(name));
  return open.filter(
    (read, index) =>
      index ===
      open.findIndex(({ name, harms }) => name === read.name && (harms !== undefined || !isHarmful(open, name))),
  );
}

function isHarmful(reads: readonly EnvironmentRead[], name: string): boolean {
  return reads.some((read) => read.name === name && read.harms !== undefined);
}

function readOf(piece: CommandPiece): readonly (Omit<EnvironmentRead, "harms"> & { readonly rest: string })[] {
  if (piece.kind !== "expansion") return [];
  const [, plain, braced, rest = ""] = READ.exec(piece.text) ?? [];
  const name = plain ?? braced;
  const inner = piece.inside?.pieces.flatMap(readOf) ?? [];
  return name === undefined
    ? inner
    : [{ name, rest, start: piece.start, end: piece.start + piece.text.length }, ...inner];
}

/**
 * Returns the script with a check in the place of each plain read of these variables, so that it ends there with the
 * message of `saying`. Others go on: only what is read is asked for.
 */
export function withChecks(
  text: string,
  script: ReadScript,
  { names, saying }: { readonly names: ReadonlySet<string>; saying(name: string): string },
): string {
  const places = new Map<number, string>();
  const words = [
    ...script.commands.flatMap(({ words: own, redirections }) => [...own, ...redirections.map(({ word }) => word)]),
    ...script.regions.flatMap(({ inside }) => inside ?? []),
  ];
  for (const { name, rest, start, end } of words.flatMap(({ pieces }) => pieces.flatMap(readOf)))
    if (rest === "" && names.has(name) && /^\$(?:\{\w+\}|\w+)$/.test(text.slice(start, end))) places.set(start, name);
  let made = "";
  let at = 0;
  for (const [start, name] of [...places].sort(([one], [other]) => one - other)) {
    const [read = ""] = /^\$(?:\{\w+\}|\w+)/.exec(text.slice(start)) ?? [];
    made += `${text.slice(at, start)}\${${name}:?${saying(name)}}`;
    at = start + read.length;
  }
  return made + text.slice(at);
}
