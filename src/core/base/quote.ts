// Shows a command to a person as it could be typed.
import { rowOf } from "../text/row-of.ts";

const SAFE_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
// C0, DEL, C1, characters that reorder or hide text on a screen (bidirectional controls, zero-width characters, line
// separators), and halves of characters.
const HIDDEN = /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * Returns the word plain if that is safe, else in single quotes. Characters that could hide or redraw the line are
 * escaped in `$'…'`, which bash, zsh and ksh read, but not every `sh`; text to be pasted goes through `callLine`.
 */
export function quoteWord(word: string): string {
  if (SAFE_WORD.test(word)) return word;
  return hasHidden(word) ? `$'${word.replaceAll(/[\\']/g, "\\$&").replace(HIDDEN, visible)}'` : singleQuoted(word);
}

export function commandLine(argv: readonly string[]): string {
  // In the place of the program, `A=B` would be read as an assignment.
  return argv
    .map((word, index) =>
      index === 0 && SAFE_WORD.test(word) && word.includes("=") ? singleQuoted(word) : quoteWord(word),
    )
    .join(" ");
}

/** Quotes any word exactly. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether it has characters that a line for people cannot show. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) !== -1;
}

/** Returns JSON in one line in which every character is visible. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (character) => `\\u${hexadecimal(character)}`);
}

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\e" };

function visible(character: string): string {
  return rowOf(names, character) ?? `\\u${hexadecimal(character)}`;
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}
