// The command among the arguments of a program that runs it: `env nice COMMAND`, `find … -exec COMMAND ;`,
// `… | xargs COMMAND`.
import { operandsIn, type ReadArguments } from "./command-arguments.ts";
import {
  type CommandPiece,
  type CommandWord,
  literalStart,
  literalText,
  type PlaceholderPiece,
} from "./command-pieces.ts";
import type { ProgramRule } from "./command-rule.ts";

/** Wrappers in wrappers, such as `sudo env nice sh`. */
export const WRAPPERS_MAX = 8;

/** What a place where the command may begin, or not, takes from that: so few guesses on guesses are made. */
export const GUESS_DEPTH = 3;
const GUESSES_MAX = 3;

/** The command among the words of another; `at`: of its program, `end`: behind its last word. */
export interface InnerCommand {
  readonly words: readonly CommandWord[];
  readonly at: number;
  readonly end: number;
}

/** Where an option is not known, there are two places where the command may begin. */
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

/** Every `find … -exec COMMAND ;`. */
export function commandsBehind(rule: ProgramRule, args: readonly CommandWord[]): readonly InnerCommand[] {
  const starts = rule.commandAfter?.split(" ") ?? [];
  const found: InnerCommand[] = [];
  let end = 0;
  for (const [index, word] of args.entries()) {
    if (index < end || !starts.includes(literalText(word) ?? "")) continue;
    // cmd.exe leaves the backslash of `\;`, which the shells of Unix take away.
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
  const options = args.slice(0, from).map((word) => literalText(word) ?? "");
  const words = args.slice(from);
  const marks = options.flatMap((option, index) => {
    if (/^-[A-Za-z0-9]*[IJ]$/.test(option)) return [options[index + 1] ?? ""];
    const [, glued] = /^(?:-[0oprtx]*[IJi]|--replace=?)(.*)$/.exec(option) ?? [];
    return glued === undefined ? [] : [glued === "" ? "{}" : glued];
  });
  if (marks.length === 0) return [...words, { pieces: [fed] }];
  return words.map((word) => marks.reduce((made, mark) => replaced(made, mark, fed), word));
}

export function replaced(word: CommandWord, mark: string, piece: PlaceholderPiece): CommandWord {
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

function textWord(text: string): CommandWord {
  return { pieces: [{ kind: "text", text }] };
}
