// The word of a filter that a program reads, as `jq --arg` has values beside it.
import { directWords } from "../../shell/direct-words.ts";

/**
 * Returns the word at `at` in single quotes, if it is a text in double quotes whose `$name` a program is to read: the
 * command passes a value of that name beside it, as `--arg name {name}` or `-v name={name}` do.
 */
export function passedBeside(text: string, name: string, at: number): PassedBeside | undefined {
  const words = directWords(text);
  const written = words.map(({ start, end }) => text.slice(start, end));
  const isPassed = written.some(
    (word, index) =>
      (word === name && written[index - 1]?.startsWith("-") && written[index + 1]?.includes(`{${name}}`)) ||
      new RegExp(`(?:^|[-\\w])${name}:?=["']?\\{${name}\\}`).test(word),
  );
  if (!isPassed) return undefined;
  const word = words.find(({ start, end }) => start <= at && at < end);
  if (!word) return undefined;
  const inner = /^"([^"\\]*(?:\\["$`][^"\\]*)*)"$/.exec(text.slice(word.start, word.end))?.[1];
  if (inner === undefined || inner.includes("'")) return { start: word.start, end: word.end };
  return { start: word.start, end: word.end, quoted: `'${inner.replaceAll(/\\(["$`])/g, "$1")}'` };
}

export interface PassedBeside {
  readonly start: number;
  readonly end: number;
  /** The word in single quotes; absent if it cannot be written so. */
  readonly quoted?: string;
}
