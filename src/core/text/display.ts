// Text of unknown origin on a terminal: characters that would move the cursor or change the reading direction are
// spelled out, and every character knows its column.
import { eastAsianWidth } from "get-east-asian-width";

const TAB_COLUMNS = 4;

interface Displayed {
  readonly text: string;
  readonly columns: number;
  /**
   * Returns the column where the character at this UTF-16 index begins. The index after the last one gives `columns`.
   */
  columnOf(index: number): number;
}

/** Returns one line, with tabs as blanks. */
export function displayed(line: string): Displayed {
  const columns: number[] = [];
  let text = "";
  let column = 0;
  for (const character of line) {
    const shown = character === "\t" ? " ".repeat(TAB_COLUMNS - (column % TAB_COLUMNS)) : printable(character);
    for (let unit = 0; unit < character.length; unit++) columns.push(column);
    column += shown === character ? widthOf(character) : shown.length;
    text += shown;
  }
  return { text, columns: column, columnOf: (index) => columns[index] ?? column };
}

/**
 * Returns the text with invisible characters as `\u{…}`: controls and line ends, lone surrogates, marks of reading
 * direction, and tags.
 */
export function printable(text: string): string {
  // C0 and C1 controls, separators of lines and paragraphs, direction marks and overrides, spaces without width, byte
  // order marks, tags, halves of characters.
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function widthOf(character: string): number {
  if (/^[\p{Mark}\u200b-\u200d\u00ad]$/u.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}
