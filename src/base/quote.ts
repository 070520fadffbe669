// Shows a command to a person as he could type it. What is shown is never what is run.

const SAFE_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
// C0, DEL, C1, and what turns or hides text on a screen: bidirectional controls, zero-width characters, line separators.
const HIDDEN = /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Plain where that is safe, else in single quotes. Control characters are made visible, so that nothing can hide or redraw the line. */
export function quoteWord(word: string): string {
  return SAFE_WORD.test(word) ? word : inQuotes(word);
}

export function commandLine(argv: readonly string[]): string {
  // Where the program's name stands, `A=B` would be read as an assignment.
  return argv.map((word, index) => (index === 0 && word.includes("=") ? inQuotes(word) : quoteWord(word))).join(" ");
}

function inQuotes(word: string): string {
  return `'${word.replace(HIDDEN, visible).replaceAll("'", `'\\''`)}'`;
}

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\e" };

function visible(character: string): string {
  return names[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
