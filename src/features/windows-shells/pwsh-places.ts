// The places of placeholders among the arguments of a PowerShell command.
import { type CommandWord, literalText, type PlaceholderPiece } from "../../core/shell/pieces.ts";
import type { PwshState } from "./pwsh-state.ts";
import { gluedProblem, guardedAgain, inText, startsIn, type WindowsPlace } from "./windows-place.ts";
import { takesSlashOptions } from "./windows-programs.ts";

export interface Argument {
  readonly word: CommandWord;
  /**
   * How the argument is written: `bare` is text that is not fully in quotes, `placeholder` a single one without quotes.
   */
  readonly form: "bare" | "placeholder" | "value";
  /** The items of `a, b`. */
  readonly items?: readonly CommandWord[];
  /** The placeholders in a block. */
  readonly inside?: readonly PlaceholderPiece[];
}

/**
 * Matches parameters that run a block elsewhere, where it does not see the environment of this process. Source:
 * about_Remote_Variables.
 */
const ELSEWHERE = /^-(?:cn|comp\w*|conn\w*|conta\w*|host\w*|session|sshc\w*|vm(?:name|id)):?$/i;
const REMOTE: WindowsPlace = {
  ...inText,
  problem: {
    note: "this block runs elsewhere, where the value is not available",
    help: ["pass it to the block: `-ArgumentList {name}`, and `$args[0]` in it"],
  },
};

/** Places the blocks of `Invoke-Command -ComputerName x { … }`. */
export function placeRemoteBlocks(state: PwshState, args: readonly Argument[], program: string): void {
  if (!/^(?:invoke-command|icm)$/i.test(program)) return;
  if (!args.some(({ word, form }) => form === "bare" && ELSEWHERE.test(literalText(word) ?? ""))) return;
  for (const { inside } of args) for (const piece of inside ?? []) state.places.set(piece, REMOTE);
}

/** The command that gets the arguments. */
export interface Receiver {
  /** Whether it is a cmdlet, which never takes a variable's value as an option. */
  readonly isCmdlet: boolean;
  /** Its name, or an empty text if that is not literal. */
  readonly program: string;
}

export function placeArguments(state: PwshState, args: readonly Argument[], receiver: Receiver): void {
  let isAfterDashes = false;
  for (const { word, form, items } of args) {
    for (const one of items ?? [word])
      placeWord(state, { word: one, form: items ? "value" : form, isAfterDashes }, receiver);
    isAfterDashes ||= literalText(word) === "--" && !takesSlashOptions(receiver.program);
  }
}

interface PlacedWord {
  readonly word: CommandWord;
  readonly form: Argument["form"];
  readonly isAfterDashes: boolean;
}

function placeWord(state: PwshState, { word, form, isAfterDashes }: PlacedWord, { isCmdlet, program }: Receiver): void {
  const isWholeWord = form === "placeholder";
  const takesSlash = takesSlashOptions(program) ? { takesSlash: true as const } : {};
  const place = (piece: PlaceholderPiece, made: (before: WindowsPlace) => WindowsPlace): void => {
    const before = state.places.get(piece);
    if (before && !before.problem) state.places.set(piece, made(before));
  };
  for (const { piece, startsWord, behind } of startsIn(word)) {
    place(piece, (before) => {
      const isBare = piece.quoting === "bare" && !isWholeWord;
      const isGlued = isBare && before.standsFor !== "value" && word.pieces.length > 1;
      const standsFor =
        isBare && word.pieces.length === 1 ? "value" : (before.standsFor ?? (isCmdlet ? "argument" : undefined));
      return {
        ...before,
        ...guardedAgain(before, { startsWord: startsWord && !isCmdlet, isAfterDashes }),
        isWholeWord,
        behind,
        ...(standsFor ? { standsFor } : {}),
        ...takesSlash,
        ...(isGlued ? { problem: gluedProblem(piece.name) } : {}),
      };
    });
  }
  const [first] = word.pieces;
  // The value of `(…)` may begin with any value in it. The output of a command in it is judged like that of any other.
  if (isCmdlet || first?.kind !== "expansion" || first.printer || first.text.includes("$(")) return;
  for (const piece of first.placeholders)
    place(piece, (before) => ({
      ...before,
      ...guardedAgain(before, { startsWord: true, isAfterDashes }),
      ...takesSlash,
    }));
}
