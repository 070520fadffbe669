// Places in a sed script where letters mean nothing: between the slashes of `s/…/…/` and `/…/`, and in the text of `a`,
// `i` and `c`.
import type { CommandPiece, CommandWord } from "./pieces.ts";

type Place = "command" | "delimiter" | "between" | "text" | "behind" | "lost";

/**
 * Returns the placeholders and expansions in such places. The pieces that `mayBeAny` excludes are numbers or the
 * author's own words.
 */
export function betweenSlashes(
  word: CommandWord,
  mayBeAny: (piece: CommandPiece) => boolean,
): ReadonlySet<CommandPiece> {
  const found = new Set<CommandPiece>();
  const state: State = { place: "command", delimiter: "", left: 0, isEscaped: false, isAddress: false };
  for (const piece of word.pieces) {
    if (piece.kind === "text") for (const character of piece.text) step(state, character);
    else if ((state.place === "between" || state.place === "text") && !state.isEscaped) found.add(piece);
    else if (mayBeAny(piece)) state.place = "lost";
  }
  return found;
}

interface State {
  place: Place;
  delimiter: string;
  /** The number of parts that are still to end with the delimiter. */
  left: number;
  isEscaped: boolean;
  /** Whether this is an address, which a command follows. */
  isAddress: boolean;
}

function step(state: State, character: string): void {
  switch (state.place) {
    case "command":
      if (character === "/") begin(state, { parts: 1, delimiter: "/" });
      else if (character === "\\") begin(state, { parts: 1 });
      else if (character === "s" || character === "y") begin(state, { parts: 2 });
      else if ("aic".includes(character)) state.place = "text";
      else if ("rRwWebtT:}".includes(character)) state.place = "behind";
      return;
    case "delimiter":
      state.delimiter = character;
      // A plain value may hold such a delimiter.
      state.place = /[\w. -]/.test(character) ? "lost" : "between";
      return;
    case "between":
      if (state.isEscaped) state.isEscaped = false;
      else if (character === "\\") state.isEscaped = true;
      else if (character === state.delimiter) {
        state.left--;
        if (state.left === 0) state.place = state.isAddress ? "command" : "behind";
      }
      return;
    case "text":
      if (state.isEscaped) state.isEscaped = false;
      else if (character === "\\") state.isEscaped = true;
      else if (character === "\n") state.place = "command";
      return;
    case "behind":
      if ("\n;{".includes(character)) state.place = "command";
      return;
    case "lost":
      return;
  }
}

function begin(state: State, { parts, delimiter }: { readonly parts: number; readonly delimiter?: string }): void {
  state.left = parts;
  state.isAddress = parts === 1;
  state.place = delimiter === undefined ? "delimiter" : "between";
  state.delimiter = delimiter ?? "";
}
