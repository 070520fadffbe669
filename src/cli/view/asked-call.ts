// Shows the whole call that a person is asked about, so that no value can pass for a part of the question: every line
// of a value follows a bar, is wrapped here and not by the terminal, and makes invisible characters visible.
import { displayed } from "../../text/display.ts";
import type { Facts } from "../../run/call-facts.ts";

const NAME_COLUMNS = 15;
const BAR = " │ ";
const COLUMNS_MIN = 20;

export function factLines(facts: Facts, columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, columns - NAME_COLUMNS - BAR.length - 2);
  return facts.flatMap(([name, text]) =>
    valueLines(text, width).map((line, index) => `  ${(index === 0 ? name : "").padEnd(NAME_COLUMNS)}${BAR}${line}`),
  );
}

function valueLines(text: string, width: number): readonly string[] {
  return text
    .toWellFormed()
    .split("\n")
    .flatMap((line) => broken(line, width));
}

/** Splits the line into pieces of at most `width` columns, and spells out invisible characters. */
export function broken(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let [shown, columns] = ["", 0];
  for (const character of line) {
    const next = visible(character);
    const needed = displayed(next).columns;
    if (columns + needed > width && shown !== "") {
      lines.push(shown);
      [shown, columns] = ["", 0];
    }
    shown += next;
    columns += needed;
  }
  return [...lines, shown];
}

/** Spells out a character without width too, such as a joiner. */
function visible(character: string): string {
  if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) return displayed(character).text;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
