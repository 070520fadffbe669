// The words of a call: a template's words with values in their places. A value is always a part of one word, or whole words.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { Word, WordPlaceholder } from "../tool/command.ts";
import { valueText, type ValueWord, valueWords } from "./bind-value.ts";

/** The arguments of one call, by the name of their parameter. */
export interface Arguments {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly values: JsonObject;
}

export interface BoundWord {
  readonly text: string;
  /** The arguments in it, as paths. */
  readonly paths: readonly string[];
  /** The argument that begins it, where that may not start with `-`. */
  readonly guarded?: ValueWord;
}

export function wordsOf(name: string, args: Arguments): readonly ValueWord[] {
  const parameter = args.parameters.get(name);
  return parameter ? valueWords(parameter, args.values) : [];
}

export function bindWords(words: readonly Word[], args: Arguments): readonly BoundWord[] {
  return words.flatMap((word): readonly BoundWord[] => {
    const [only, ...others] = word.parts;
    if (only === undefined || typeof only === "string" || others.length > 0) return [boundWord(word, (name) => wordsOf(name, args)[0])];
    return lonePlaceholder(only, args);
  });
}

/** The words that a placeholder becomes when it stands alone. */
export function lonePlaceholder(placeholder: WordPlaceholder, args: Arguments): readonly BoundWord[] {
  const values = placeholder.isWhole ? wholeWord(placeholder.placeholder, args) : wordsOf(placeholder.placeholder, args);
  if (!placeholder.flag) return values.map((value) => ({ text: value.text, paths: [value.path], ...guard(value) }));
  const flag = placeholder.flag;
  // `--all` alone says that it is on; `--all={value}` says either.
  const isSwitch = args.parameters.get(placeholder.placeholder)?.schema.type === "boolean" && flag.every(({ parts }) => parts.every((part) => typeof part === "string"));
  // A flag for a list comes once for each item: `-e one -e two`.
  return values.flatMap((value) => (isSwitch && value.text === "false" ? [] : flag.map((word) => boundWord(word, () => value))));
}

function wholeWord(name: string, { values }: Arguments): readonly ValueWord[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined ? [] : [{ text: valueText(value), path: name, mayStartWithDash: false }];
}

function boundWord(word: Word, valueOf: (name: string) => ValueWord | undefined): BoundWord {
  let text = "";
  let first: ValueWord | undefined;
  const paths: string[] = [];
  for (const part of word.parts) {
    const value = typeof part === "string" ? undefined : valueOf(part.placeholder);
    if (value) paths.push(value.path);
    if (text === "" && value !== undefined && value.text !== "") first = value;
    text += typeof part === "string" ? part : (value?.text ?? "");
  }
  return { text, paths, ...(first ? guard(first) : {}) };
}

function guard(value: ValueWord): { readonly guarded?: ValueWord } {
  return value.mayStartWithDash ? {} : { guarded: value };
}

/** A word that starts with `-` is refused unless a literal `--` stands before it. */
export function dashIssues(words: readonly BoundWord[], program: string): readonly ArgumentIssue[] {
  const dashes = words.findIndex((word) => word.text === "--" && word.paths.length === 0);
  const open = dashes === -1 ? words : words.slice(0, dashes);
  return open.flatMap((word) => (word.guarded?.text.startsWith("-") ? [dashIssue(word.guarded, `\`${program}\``)] : []));
}

/** `reader`: who would, as in "a program". */
export function dashIssue(value: ValueWord, reader: string): ArgumentIssue {
  return { path: value.path, message: `starts with \`${value.text.slice(0, 1)}\`, so ${reader} would read it as an option` };
}
