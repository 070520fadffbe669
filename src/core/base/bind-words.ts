// The words of a call: a template's words with values in their places. A value is always part of one word, or whole
// words.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { FileReader, OptionReader, Word, WordPlaceholder } from "../tool/command.ts";
import { filledParts } from "../tool/json-places.ts";
import { type ValueWord, wordOfValue, valueWords } from "./bind-value.ts";

/** The command to run, and the issues that prevent it. */
export interface BoundCommand {
  readonly words: readonly BoundWord[];
  /** Values that travel in the environment. */
  readonly environment: Readonly<Record<string, BoundWord>>;
  readonly issues: readonly ArgumentIssue[];
}

/** The arguments of one call, by the name of their parameter. */
export interface Arguments {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly values: JsonObject;
}

export interface BoundWord {
  readonly text: string;
  /** The arguments in it, as paths. */
  readonly paths: readonly string[];
  /** The argument that begins it, if it may not start with `-`. */
  readonly guarded?: ValueWord;
  readonly reader?: OptionReader;
}

export function wordsOf(name: string, args: Arguments): readonly ValueWord[] {
  const parameter = args.parameters.get(name);
  return parameter ? valueWords(parameter, args.values) : [];
}

export function bindWords(words: readonly Word[], args: Arguments): readonly BoundWord[] {
  return words.flatMap((word): readonly BoundWord[] => {
    const [only, ...others] = word.parts;
    const isAlone = only !== undefined && typeof only !== "string" && others.length === 0;
    const bound = isAlone ? lonePlaceholder(only, args) : [boundWord(word, (name) => wordsOf(name, args)[0])];
    const { reader } = word;
    if (word.isOperand) return bound.map(({ text, paths }) => ({ text, paths }));
    return reader ? bound.map((one) => ({ ...one, reader })) : bound;
  });
}

export function lonePlaceholder(placeholder: WordPlaceholder, args: Arguments): readonly BoundWord[] {
  const values = placeholder.isWhole
    ? wholeWord(placeholder.placeholder, args)
    : wordsOf(placeholder.placeholder, args);
  if (!placeholder.flag) return values.map((value) => ({ text: value.text, paths: [value.path], ...guard(value) }));
  const flag = placeholder.flag;
  // `--all` is always on; `--all={value}` says on or off.
  const isSwitch =
    args.parameters.get(placeholder.placeholder)?.schema.type === "boolean" &&
    flag.every(({ parts }) => parts.every((part) => typeof part === "string"));
  // An option that stands in the command comes once: `--files {files}`.
  if (placeholder.hasOwnOption && flag.length > 1)
    return values.flatMap((value, index) =>
      flag.slice(index === 0 ? 0 : 1).map((word) => boundWord(word, () => value)),
    );
  // A flag for a list comes once for each item: `-e one -e two`.
  return values.flatMap((value) =>
    isSwitch && value.text === "false" ? [] : flag.map((word) => boundWord(word, () => value)),
  );
}

function wholeWord(name: string, { values }: Arguments): readonly ValueWord[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined ? [] : [{ text: wordOfValue(value), path: name, mayStartWithDash: false }];
}

function boundWord(word: Word, valueOf: (name: string) => ValueWord | undefined): BoundWord {
  let isStart = true;
  let first: ValueWord | undefined;
  const paths: string[] = [];
  for (const part of word.parts) {
    const value = typeof part === "string" ? undefined : valueOf(part.placeholder);
    if (value) paths.push(value.path);
    const startsInner = typeof part !== "string" && part.startsInner === true && value?.text.startsWith("-") === true;
    if (value !== undefined && value.text !== "" && (isStart || startsInner)) first = value;
    isStart &&= (typeof part === "string" ? part : (value?.text ?? "")) === "";
  }
  const text = filledParts(word.parts, ({ placeholder }) => valueOf(placeholder)?.text ?? "");
  return { text, paths, ...(first ? guard(first) : {}) };
}

function guard(value: ValueWord): { readonly guarded?: ValueWord } {
  return value.mayStartWithDash ? {} : { guarded: value };
}

/** Reports values that a program would read as the names of files. */
export function fileIssues(
  places: readonly { readonly placeholder: string; readonly file?: FileReader }[],
  args: Arguments,
): readonly ArgumentIssue[] {
  return places.flatMap(({ placeholder, file }) =>
    file === undefined || isChosen(args.parameters.get(placeholder))
      ? []
      : wordsOf(placeholder, args).flatMap((value) => fileIssue(value, file) ?? []),
  );
}

/** Whether the author wrote each value. */
function isChosen(parameter: Parameter | undefined): boolean {
  return parameter?.schema.type === "string" && parameter.schema.choices !== undefined;
}

function fileIssue({ text, path }: ValueWord, file: FileReader): ArgumentIssue | undefined {
  const start = file.starts.find((one) => text.startsWith(one));
  const held = start ?? file.holds?.find((one) => text.includes(one)) ?? matchIn(text, file.pattern);
  if (held === undefined) return undefined;
  return {
    path,
    message: `${start === undefined ? "holds" : "starts with"} \`${held}\`, so ${file.program} would read a file`,
    help: `its definition can let such a value through: ${file.instead}`,
  };
}

function matchIn(text: string, pattern: string | undefined): string | undefined {
  const found = pattern === undefined ? null : new RegExp(pattern).exec(text);
  return found?.slice(1).find((group) => group !== undefined) ?? found?.[0];
}

/** Reports words that start with `-` where a program could read an option. `program` is the first program. */
export function dashIssues(words: readonly BoundWord[], program: string): readonly ArgumentIssue[] {
  const first: OptionReader = { program: `\`${program}\`` };
  return words.flatMap(({ guarded, reader = first }) =>
    guarded?.text.startsWith("-") ? [dashIssue(guarded, reader)] : [],
  );
}

export function dashIssue(value: ValueWord, reader: OptionReader | undefined): ArgumentIssue {
  const { program = "a program", instead = `after a \`--\` for ${program}, as a \`{path}\`` } = reader ?? {};
  return {
    path: value.path,
    message: `starts with \`${value.text.slice(0, 1)}\`, so ${program} would read it as an option`,
    ...(reader
      ? { help: `its definition can let such a value through: ${instead}, or with \`[flags]\` if it may be an option` }
      : {}),
  };
}
