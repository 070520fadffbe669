// The one reader of options that have rows: of those before a command or a tool's name, of those behind a command, and
// of those that dottool gives to tools of steps. Those that are parameters of a tool are read by tool-words.ts.

import { didYouMean } from "../../core/text/suggest.ts";

export interface OptionRow {
  /** The name without dashes. */
  readonly name: string;
  /** Letters for the option after one dash. */
  readonly short?: string;
  /** The name of the option's value in help; absent if it has none. */
  readonly value?: string;
  /** The values there are, for help and completion. */
  readonly choices?: readonly string[];
  readonly does: string;
}

interface OptionWords<Row extends OptionRow> {
  /** As it was written, without a value. */
  readonly bare: string;
  /** Absent if there is no such option. */
  readonly option?: Row | undefined;
  /** Absent if none was given. */
  readonly value?: string | undefined;
  /** The end of a sentence that begins with `bare`. */
  readonly problem?: string;
  /** The index of the word after it. */
  readonly next: number;
}

/** Reads the option that is `words[index]`. Its value may look like an option. */
export function readOption<Row extends OptionRow>(
  words: readonly string[],
  index: number,
  rows: readonly Row[],
): OptionWords<Row> {
  const word = words[index] ?? "";
  const end = word.indexOf("=");
  const [bare, tied] = end === -1 ? [word] : [word.slice(0, end), word.slice(end + 1)];
  const next = index + 1;
  const option = rows.find(
    ({ name, short }) => bare === `--${name}` || (/^-[^-]$/.test(bare) && short?.includes(bare.slice(1))),
  );
  if (!option) return { bare, next };
  if (option.value === undefined)
    return { bare, option, next, ...(tied === undefined ? {} : { problem: "does not take a value" }) };
  const value = tied ?? words[next];
  if (value !== undefined && option.choices?.includes(value) === false)
    return { bare, option, next, problem: `must be one of ${option.choices.join(", ")}; got \`${value}\`` };
  return { bare, option, value, next: tied === undefined ? next + 1 : next };
}

interface OptionsBefore<Row extends OptionRow> {
  readonly given: readonly { readonly option: Row; readonly value: string }[];
  /** From the first word on that is no option, or behind `--`. */
  readonly rest: readonly string[];
}

/** Reads the options before the first other word. `unknown` begins the message about an option that is none of them. */
export function readOptionsBefore<Row extends OptionRow>(
  words: readonly string[],
  rows: readonly Row[],
  unknown: (bare: string) => string,
): OptionsBefore<Row> | { readonly problem: string } {
  const given: { readonly option: Row; readonly value: string }[] = [];
  let at = 0;
  for (let word = words[at]; word?.startsWith("-") && word !== "-"; word = words[at]) {
    if (word === "--") return { given, rest: words.slice(at + 1) };
    const { bare, option, value = "", problem, next } = readOption(words, at, rows);
    if (problem !== undefined) return { problem: `\`${bare}\` ${problem}` };
    const names = rows.map(({ name }) => `--${name}`);
    if (!option) return { problem: `${unknown(bare)}${didYouMean(bare, names)}` };
    if (option.value !== undefined && value === "") return { problem: `\`${bare}\` needs a value` };
    given.push({ option, value });
    at = next;
  }
  return { given, rest: words.slice(at) };
}

export const helpOption = { name: "help", short: "h", does: "print this help" } as const satisfies OptionRow;

/** Whether the first word asks for help. */
export function isHelp(words: readonly string[]): boolean {
  const [word] = words;
  return word !== undefined && readOption([word], 0, [helpOption]).option !== undefined;
}
