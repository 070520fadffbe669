// A call that a person is asked about, drawn so that nothing in it can pass for a part of the question: every line of a value stands behind
// a bar, is broken here and not by the terminal, and shows characters that cannot be seen.
import { displayed } from "../text/display.ts";
import type { Facts } from "../run/call-facts.ts";

const VALUE_CHARACTERS_MAX = 4_000;
const VALUE_LINES_MAX = 60;
const NAME_COLUMNS = 15;
const BAR = " │ ";
const COLUMNS_MIN = 20;

export function factLines(facts: Facts, columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, columns - NAME_COLUMNS - BAR.length - 2);
  return facts.flatMap(([name, text]) => valueLines(text, width).map((line, index) => `  ${(index === 0 ? name : "").padEnd(NAME_COLUMNS)}${BAR}${line}`));
}

function valueLines(text: string, width: number): readonly string[] {
  const lines = shortened(text).split("\n").flatMap((line) => broken(line, width));
  if (lines.length <= VALUE_LINES_MAX) return lines;
  const head = VALUE_LINES_MAX - 20;
  return [...lines.slice(0, head), `[ ${lines.length - VALUE_LINES_MAX} lines are left out here ]`, ...lines.slice(-20)];
}

/** The end stays: what matters may be hidden behind a long beginning. */
function shortened(text: string): string {
  if (text.length <= VALUE_CHARACTERS_MAX) return text;
  const tail = 1_000;
  const head = VALUE_CHARACTERS_MAX - tail;
  return `${text.slice(0, head).toWellFormed()}\n[ ${(text.length - VALUE_CHARACTERS_MAX).toLocaleString("en")} characters are left out here ]\n${text.slice(-tail).toWellFormed()}`;
}

function broken(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  let columns = 0;
  for (const character of line) {
    const shown = visible(character);
    const needed = displayed(shown).columns;
    if (columns + needed > width && current !== "") {
      lines.push(current);
      [current, columns] = ["", 0];
    }
    current += shown;
    columns += needed;
  }
  return [...lines, current];
}

/** Also what has no width, such as a joiner. */
function visible(character: string): string {
  if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) return displayed(character).text;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
