// Lines of a `.tool` file, each from one field: a new field is a compile error until it is written.
import { CannotWrite } from "./cannot-write.ts";

export type Lines<Whole, Keys extends keyof Whole = keyof Whole> = {
  readonly [Key in Keys]-?: (whole: Whole) => readonly string[];
};

export function linesOf<Whole>(
  lines: Readonly<Record<string, (whole: Whole) => readonly string[]>>,
  whole: Whole,
): readonly string[] {
  return Object.values(lines).flatMap((write) => write(whole));
}

export function nothing(): readonly string[] {
  return [];
}

/** Returns one line. Text continued on further lines would be joined with blanks. */
export function line(keyword: string, text: string): string {
  if (/[\n\r]/.test(text)) throw new CannotWrite(`line breaks in \`@${keyword}\``);
  return `@${keyword} ${text}`;
}

/** Returns undefined for an absent text. */
export function optionalLine(keyword: string, text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [line(keyword, text)];
}

/** Joins words, with quotes where blanks or commas would split one. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (/^[^\s,"][^\s,]*$/.test(word) ? word : JSON.stringify(word))).join(" ");
}
