// A call that a person is asked about, drawn so that nothing in it can pass for a part of the question: every line of a value stands behind
// a bar, is broken here and not by the terminal, and shows characters that cannot be seen.
import { displayed } from "../text/display.ts";
import type { Facts } from "../run/call-facts.ts";

const VALUE_CHARACTERS_MAX = 4_000;
const VALUE_LINES_MAX = 60;
const TAIL_CHARACTERS = 1_000;
const TAIL_LINES = 20;
const NAME_COLUMNS = 15;
const BAR = " │ ";
const COLUMNS_MIN = 20;

export function factLines(facts: Facts, columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, columns - NAME_COLUMNS - BAR.length - 2);
  return facts.flatMap(([name, text]) => valueLines(text, width).map((line, index) => `  ${(index === 0 ? name : "").padEnd(NAME_COLUMNS)}${BAR}${line}`));
}

/** The end stays: what matters may be hidden behind a long beginning. */
function valueLines(text: string, width: number): readonly string[] {
  const isLong = text.length > VALUE_CHARACTERS_MAX;
  const head = linesOf(isLong ? text.slice(0, VALUE_CHARACTERS_MAX - TAIL_CHARACTERS) : text, width);
  const tail = isLong ? linesOf(text.slice(-TAIL_CHARACTERS), width) : [];
  if (head.length + tail.length <= VALUE_LINES_MAX && !isLong) return head.map(({ shown }) => shown);
  const kept = [head.slice(0, VALUE_LINES_MAX - TAIL_LINES), (isLong ? tail : head).slice(-TAIL_LINES)];
  const left = text.length - kept.flat().reduce((sum, { length }) => sum + length, 0);
  return [...(kept[0] ?? []).map(({ shown }) => shown), `[ ${left.toLocaleString("en")} characters are left out here ]`, ...(kept[1] ?? []).map(({ shown }) => shown)];
}

interface ShownLine {
  readonly shown: string;
  /** Of the text that it shows. */
  readonly length: number;
}

function linesOf(text: string, width: number): readonly ShownLine[] {
  return text.toWellFormed().split("\n").flatMap((line) => broken(line, width));
}

function broken(line: string, width: number): readonly ShownLine[] {
  const lines: ShownLine[] = [];
  let [shown, columns, length] = ["", 0, 0];
  for (const character of line) {
    const next = visible(character);
    const needed = displayed(next).columns;
    if (columns + needed > width && shown !== "") {
      lines.push({ shown, length });
      [shown, columns, length] = ["", 0, 0];
    }
    shown += next;
    columns += needed;
    length += character.length;
  }
  return [...lines, { shown, length: length + 1 }];
}

/** Also what has no width, such as a joiner. */
function visible(character: string): string {
  if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) return displayed(character).text;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
