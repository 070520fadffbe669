// The corrected word where a program takes values beside its filter, as `jq --arg` does: `".{key}.value"` becomes
// `--arg key {key} '.[$key].value'`. An author copies it as it is, so it is in the quotes in which `$` stays text.
import { type DirectWord, directWords } from "../../shell/direct-words.ts";

/** A value in the text of a filter, as `wordText` writes it: `.{key}`, `."{key}"` or `"{key}"`. */
const VALUE = /(\.?)("?)\ue000([^\ue001]+)\ue001("?)/g;
/** What would make a literal text a placeholder, or end the single quotes. */
const NOT_LITERAL = /'|\{[A-Za-z_][\w-]*\}|\{\{|\}\}|\{\}/;

/**
 * Returns the word at `at` with the options that pass its values; undefined where a value is more than a key or a text:
 * an operator, or a part of a name.
 */
export function filterWord(text: string, at: number): string | undefined {
  const word = directWords(text).find(({ start, end }) => start <= at && at < end);
  const filter = word && wordText(word);
  if (filter === undefined) return undefined;
  const names = new Set<string>();
  let isSure = true;
  const written = filter.replaceAll(VALUE, (all: string, ...groups: readonly unknown[]) => {
    const [dot, open, name, close, index] = groups as readonly [string, string, string, string, number];
    const before = filter[index - 1] ?? "";
    const after = filter[index + all.length] ?? "";
    const isKey = dot === "." && before !== "." && !/[\w("{\ue000]/.test(after);
    const isText = dot === "" && open === '"' && !/[\w\\$@.]/.test(before) && !/[\w:]/.test(after);
    if (open !== close || !/^[A-Za-z_]\w*$/.test(name) || !(isKey || isText)) isSure = false;
    names.add(name);
    // jq 1.6 reads `.a[$key]`, but not `.a.[$key]`.
    return isText ? `$${name}` : `${/[\w"\])?\ue001]/.test(before) ? "" : "."}[$${name}]`;
  });
  const isBound = [...names].some((name) => new RegExp(`\\bas\\s+\\$${name}\\b`).test(filter));
  if (!isSure || isBound || names.size === 0 || NOT_LITERAL.test(written)) return undefined;
  const passed = [...names].map((name) => `--arg ${name} {${name}} `).filter((argument) => !text.includes(argument));
  return `${passed.join("")}'${written}'`;
}

/** Returns the text of the word, with its placeholders between private characters. */
function wordText({ tokens }: DirectWord): string | undefined {
  const parts: string[] = [];
  for (const token of tokens) {
    if (token.kind === "text") parts.push(token.text);
    else if (token.kind === "placeholder") parts.push(`\ue000${token.name}\ue001`);
    else if (token.kind !== "quote") return undefined;
  }
  return parts.join("");
}

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
