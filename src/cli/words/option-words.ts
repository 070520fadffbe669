// The one reader of options: of those before a command or a tool's name, and of those behind a command.

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
  /** The index of the word after it. */
  readonly next: number;
}

/** Reads the option that is `words[index]`. Its value may look like an option. */
export function readOption<Row extends OptionRow>(
  words: readonly string[],
  index: number,
  rows: readonly Row[],
): OptionWords<Row> | { readonly problem: string } {
  const word = words[index] ?? "";
  const end = word.indexOf("=");
  const [bare, tied] = end === -1 ? [word] : [word.slice(0, end), word.slice(end + 1)];
  const next = index + 1;
  const option = rows.find(
    ({ name, short }) => bare === `--${name}` || (/^-[^-]$/.test(bare) && short?.includes(bare.slice(1))),
  );
  if (!option) return { bare, next };
  if (option.value === undefined)
    return tied === undefined ? { bare, option, next } : { problem: `\`${bare}\` does not take a value` };
  const value = tied ?? words[next];
  if (value !== undefined && option.choices?.includes(value) === false)
    return { problem: `\`${bare}\` must be one of ${option.choices.join(", ")}; got \`${value}\`` };
  return { bare, option, value, next: tied === undefined ? next + 1 : next };
}

export const helpOption = { name: "help", short: "h", does: "print this help" } as const satisfies OptionRow;

/** Whether the first word asks for help. */
export function isHelp(words: readonly string[]): boolean {
  const [word] = words;
  return word !== undefined && "option" in readOption([word], 0, [helpOption]);
}
