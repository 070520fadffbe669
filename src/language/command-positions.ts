// Where placeholders stand in the words of a command, as far as the words alone say.
import { isAssignmentStart } from "./command-assignments.ts";
import { type CommandWord, literalText, type PlaceholderPiece } from "./command-pieces.ts";

export interface PlaceholderPosition {
  /** A word of its own, without quotes, where words may come and go. */
  readonly isWholeWord: boolean;
  readonly startsWord: boolean;
  /** Those before it in its word, or in the value that stands behind `NAME=`. */
  readonly behind: readonly string[];
}

type Positions = Map<PlaceholderPiece, PlaceholderPosition>;

/** Of names. Behind more, a dash is refused whatever stands before it. */
const BEHIND_MAX = 16;

/** `bareWords`: which of them stand without quotes and are one piece. */
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
