// The places of placeholders in the words of a command, as far as they follow from the words alone.
import { isAssignmentStart } from "./assignments.ts";
import { type CommandWord, literalText, type PlaceholderPiece } from "./pieces.ts";

export interface PlaceholderPosition {
  /** Whether the placeholder is a whole word without quotes, where the number of words may vary. */
  readonly isWholeWord: boolean;
  readonly startsWord: boolean;
  /** Names of the values before it in its word, or in the value after `NAME=`. */
  readonly behind: readonly string[];
}

type Positions = Map<PlaceholderPiece, PlaceholderPosition>;

/** The limit of names before a value. After more, a leading dash is always refused. */
const BEHIND_MAX = 16;

/** Places the words. `bareWords` says which of them are one piece without quotes. */
export function placeWords(words: readonly CommandWord[], bareWords: readonly boolean[], positions: Positions): void {
  const first = literalText(words[0]);
  const isTest = first === "[" || first === "test" || first === "[[";
  const subject = first === "case" ? words[1] : undefined;
  for (const [index, word] of words.entries()) {
    const isFixed = isTest || word === subject;
    placeWord(word, { isWholeWord: bareWords[index] === true && !isFixed, startsWord: word !== subject }, positions);
  }
}

export function placeWord(
  word: CommandWord,
  options: Pick<PlaceholderPosition, "isWholeWord" | "startsWord">,
  positions: Positions,
): void {
  let startsWord = options.startsWord;
  let startsValue = true;
  let behind: readonly string[] = [];
  for (const [index, piece] of word.pieces.entries()) {
    if (piece.kind === "text" && piece.text !== "") {
      startsWord = false;
      startsValue &&= index === 0 && isAssignmentStart(piece.text);
    }
    if (piece.kind !== "placeholder") continue;
    positions.set(piece, { isWholeWord: options.isWholeWord, startsWord, behind });
    if (startsValue && !behind.includes(piece.name)) behind = behind.length < BEHIND_MAX ? [...behind, piece.name] : [];
  }
}
