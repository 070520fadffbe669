// Strings of PowerShell. `"…"` and `@"…"@` contain variables and `$(…)`, while `'…'` and `@'…'@` are literal.
import type { CommandPiece } from "../../core/shell/pieces.ts";
import type { SingleQuoted } from "./windows-place.ts";
import { DOUBLE_QUOTES, type PwshState, SINGLE_QUOTES } from "./pwsh-state.ts";

const HERE_STRING = new RegExp(`@([${DOUBLE_QUOTES}${SINGLE_QUOTES}])[ \\t]*\\r?\\n`, "uy");
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "",
  a: "",
  b: "",
  f: "",
  v: "",
  e: "",
};

/** Reads a string. Returns undefined if none begins here; an empty string is an empty text. */
export function readString(state: PwshState): readonly CommandPiece[] | undefined {
  const start = state.at;
  const here = state.take(HERE_STRING);
  if (here) return readText(state, { start, isDouble: DOUBLE_QUOTES.includes(here[1] ?? ""), isHere: true });
  const { character } = state;
  if (character === "" || !(DOUBLE_QUOTES + SINGLE_QUOTES).includes(character)) return undefined;
  state.at++;
  return readText(state, { start, isDouble: DOUBLE_QUOTES.includes(character), isHere: false });
}

interface StringKind {
  readonly start: number;
  readonly isDouble: boolean;
  readonly isHere: boolean;
}

function readText(state: PwshState, kind: StringKind): readonly CommandPiece[] {
  const pieces: CommandPiece[] = [];
  let text = "";
  while (!state.isOver) {
    const length = endLength(state, kind);
    if (length > 0) {
      state.at += length;
      if (!kind.isDouble) state.singles.push({ start: kind.start, end: state.at, isHere: kind.isHere });
      return [...pieces, { kind: "text", text }];
    }
    const piece = kind.isDouble ? expansionIn(state) : state.takePlaceholder("single");
    if (piece) {
      if (text !== "") pieces.push({ kind: "text", text });
      text = "";
      pieces.push(...(Array.isArray(piece) ? piece : [piece]));
    } else text += takeCharacter(state, kind);
  }
  state.fail("unclosed", state.text.slice(kind.start, kind.start + (kind.isHere ? 2 : 1)), kind.start);
  return pieces;
}

/**
 * Returns the script with double quotes around each of the strings, which then hold the same text and expand values.
 * Braces around names of anything but parameters are doubled: they stay as they are.
 */
export function withDoubleQuotes(
  text: string,
  singles: readonly SingleQuoted[],
  isParameter: (name: string) => boolean,
): string {
  let made = "";
  let at = 0;
  for (const { start, end, isHere } of singles) {
    const [opening, closing] = isHere ? [/^@.[^\n]*\n/u, 2] : [/^./u, 1];
    const head = opening.exec(text.slice(start, end))?.[0] ?? "";
    const inside = text
      .slice(start + head.length, end - closing)
      .replaceAll(isHere ? /(?!)/g : DOUBLED_QUOTE, (pair) => pair[0] ?? "")
      .replaceAll(isHere ? /[`$]/g : ESCAPED, "`$&")
      .replaceAll(/(?<!\{)\{([A-Za-z_][A-Za-z0-9_-]*)\}(?!\})/g, (whole: string, name: string) =>
        isParameter(name) ? whole : `{${whole}}`,
      );
    const [before, after] = isHere ? [head.replace(/^@./u, '@"'), '"@'] : ['"', '"'];
    made += `${text.slice(at, start)}${before}${inside}${after}`;
    at = end;
  }
  return made + text.slice(at);
}

const DOUBLED_QUOTE = new RegExp(`[${SINGLE_QUOTES}]{2}`, "gu");
const ESCAPED = new RegExp(`[\`$${DOUBLE_QUOTES}]`, "gu");

/** Returns the length of the text that closes the string here, or 0. */
function endLength({ text, at }: PwshState, { isDouble, isHere }: StringKind): number {
  const quotes = isDouble ? DOUBLE_QUOTES : SINGLE_QUOTES;
  const isQuote = quotes.includes(text[at] ?? " ");
  if (isHere) return isQuote && text[at - 1] === "\n" && text[at + 1] === "@" ? 2 : 0;
  return isQuote && !quotes.includes(text[at + 1] ?? " ") ? 1 : 0;
}

function expansionIn(state: PwshState): CommandPiece | readonly CommandPiece[] | undefined {
  if (!state.text.startsWith("$(", state.at)) return state.takeVariable() ?? state.takePlaceholder("double");
  const mark = state.mark();
  return state.piecesOf(
    state.bracketed("$(", ")", () => state.readers.readStatements(state, ")")),
    mark,
  );
}

/** Reads a character of a string. A doubled quote is one quote, and a backtick escapes. */
function takeCharacter(state: PwshState, { isDouble, isHere }: StringKind): string {
  const { character } = state;
  const next = state.text[state.at + 1] ?? "";
  if (isDouble && character === "`") {
    state.at += 2;
    return ESCAPES[next] ?? next;
  }
  state.at += !isHere && (isDouble ? DOUBLE_QUOTES : SINGLE_QUOTES).includes(character) ? 2 : 1;
  return character;
}
