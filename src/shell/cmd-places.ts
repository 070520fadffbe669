import { type CommandWord, literalText } from "./pieces.ts";
import type { CmdState, CmdWord } from "./cmd-words.ts";
import { guardedAgain, inText, startsIn } from "./windows-place.ts";
import { takesSlashOptions } from "./windows-programs.ts";

/** Places the words. `program` is in lower case. */
export function placedWords(state: CmdState, words: readonly CmdWord[], program: string): readonly CommandWord[] {
  const takesSlash = takesSlashOptions(program, true);
  let isAfterDashes = false;
  for (const { word, isQuoted } of words) {
    for (const { piece, startsWord, behind } of startsIn(word)) {
      const before = state.places.get(piece) ?? inText;
      const isBare = piece.quoting === "bare";
      const isAlone = word.pieces.length === 1;
      state.places.set(piece, {
        ...before,
        ...guardedAgain(before, { startsWord, isAfterDashes }),
        isWholeWord: isBare && isAlone,
        behind,
        ...(takesSlash ? { takesSlash: true as const } : {}),
        ...(isBare && !isAlone ? { isGlued: true as const } : {}),
      });
    }
    // Programs of Windows do not know `--`.
    isAfterDashes ||= !isQuoted && !takesSlash && literalText(word) === "--";
  }
  return words.map(({ word }) => word);
}
