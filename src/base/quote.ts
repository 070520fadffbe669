// Shows a command to a person as they could type it.

const SAFE_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
// C0, DEL, C1, what turns or hides text on a screen (bidirectional controls, zero-width characters, line separators),
// and halves of characters.
const HIDDEN = /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * Plain where that is safe, else in single quotes. What could hide or redraw the line is escaped in `$'…'`, which bash,
 * zsh and ksh read back, but not every `sh`: what is meant to be pasted goes through `callLine`.
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

/** Exactly the word, whatever is in it. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether it has characters that a line for people cannot show as they are. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) !== -1;
}

/** JSON of one line in which every character can be seen. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (character) => `\\u${hexadecimal(character)}`);
}

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\e" };

function visible(character: string): string {
  return names[character] ?? `\\u${hexadecimal(character)}`;
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}
