// A call that a person is asked about, all of it, drawn so that nothing in it can pass for a part of the question:
// every line of a value stands behind a bar, is broken here and not by the terminal, and shows characters that cannot
// be seen.
import { displayed } from "../text/display.ts";
import type { Facts } from "../run/call-facts.ts";

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

/** In pieces of at most `width` columns, with the characters that cannot be seen. */
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

/** Also what has no width, such as a joiner. */
function visible(character: string): string {
  if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) return displayed(character).text;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
