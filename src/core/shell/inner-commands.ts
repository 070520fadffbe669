// The commands that a program runs and that are among its arguments: `env nice COMMAND`, `find … -exec COMMAND ;`, `… |
// xargs COMMAND`.
import { operandsIn, type ReadArguments } from "./arguments.ts";
import {
  type CommandPiece,
  type CommandWord,
  literalStart,
  literalText,
  type PlaceholderPiece,
  textWord,
} from "./pieces.ts";
import type { ProgramRule } from "./rule.ts";

/** The limit of wrappers in wrappers, such as `sudo env nice sh`. */
export const WRAPPERS_MAX = 8;

/** The number of wrappers that an uncertain start of a command counts for, so that few guesses follow from guesses. */
export const GUESS_DEPTH = 3;
const GUESSES_MAX = 3;

/** A command among the words of another. `at` is the index of its program, and `end` is after its last word. */
export interface InnerCommand {
  readonly words: readonly CommandWord[];
  readonly at: number;
  readonly end: number;
}

/** Returns the commands among the words. With an unknown option, there are two places where the command may begin. */
export function commandsIn(
  rule: ProgramRule,
  {
    args,
    read,
    fed,
  }: {
    readonly args: readonly CommandWord[];
    readonly read: ReadArguments;
    readonly fed: PlaceholderPiece | undefined;
  },
): readonly InnerCommand[] {
  const begins = operandsIn(rule.runs, read);
  return [...begins.slice(0, GUESSES_MAX), ...begins.slice(GUESSES_MAX).slice(-1)].map(({ at }) => {
    const words = rule.fills && fed ? filled(args, { from: at, fed }) : args.slice(at);
    const isForShell = rule.runsShell && words[0] !== undefined && literalStart(words[0]).startsWith("-");
    const made = isForShell
      ? [textWord("sh"), ...(literalText(words[0]) === "--command" ? [textWord("-c"), ...words.slice(1)] : words)]
      : words;
    return { words: made, at, end: args.length };
  });
}

/** Returns every command of `find … -exec COMMAND ;`. */
export function commandsBehind(rule: ProgramRule, args: readonly CommandWord[]): readonly InnerCommand[] {
  const starts = rule.commandAfter?.split(" ") ?? [];
  const found: InnerCommand[] = [];
  let end = 0;
  for (const [index, word] of args.entries()) {
    if (index < end || !starts.includes(literalText(word) ?? "")) continue;
    // The backslash of `\;` stays in cmd.exe, while the shells of Unix remove it.
    const length = args.slice(index + 1).findIndex((one) => /^\\?[;+]$/.test(literalText(one) ?? ""));
    end = length === -1 ? args.length : index + 1 + length;
    found.push({ words: args.slice(index + 1, end), at: index + 1, end });
  }
  return found;
}

/** Adds the input to the command of xargs: after its words, or in place of the text that `-I` names. */
function filled(
  args: readonly CommandWord[],
  { from, fed }: { readonly from: number; readonly fed: PlaceholderPiece },
): readonly CommandWord[] {
  const words = args.slice(from);
  const marks = marksOf(args.slice(0, from));
  if (marks.length === 0) return [...words, { pieces: [fed] }];
  return words.map((word) => marks.reduce((made, mark) => withPiece(made, mark, fed), word));
}

/** Returns the texts that the options of xargs replace by its input: `-I %`. */
export function marksOf(args: readonly CommandWord[]): readonly string[] {
  const options = args.map((word) => literalText(word) ?? "");
  return options.flatMap((option, index) => {
    if (/^-[A-Za-z0-9]*[IJ]$/.test(option)) return [options[index + 1] ?? ""];
    const [, glued] = /^(?:-[0oprtx]*[IJi]|--replace=?)(.*)$/.exec(option) ?? [];
    return glued === undefined ? [] : [glued === "" ? "{}" : glued];
  });
}

export function withPiece(word: CommandWord, mark: string, piece: CommandPiece): CommandWord {
  if (mark === "") return word;
  const pieces = word.pieces.flatMap((one): readonly CommandPiece[] =>
    one.kind === "text"
      ? one.text
          .split(mark)
          .flatMap((text, index) =>
            index === 0 ? [{ kind: "text" as const, text }] : [piece, { kind: "text" as const, text }],
          )
      : [one],
  );
  return { ...word, pieces };
}
