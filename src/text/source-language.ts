// The language of a definition, so that messages use words that its author knows.
import type { SourceFile } from "./source.ts";

export type SourceLanguage = "tool" | "yaml";

export function languageOf({ path }: SourceFile): SourceLanguage {
  return isYamlPath(path) ? "yaml" : "tool";
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Parts of messages about `.tool` files, and their form for YAML. */
const yamlWords: readonly (readonly [tool: RegExp, yaml: string])[] = [
  [/declare it with `@param ([\w-]+) \{string\} …`/, "declare `$1` below `parameters`"],
  [/write `@shell sh` and a `case`/, "write a `case` in `bash:`"],
  [/below `@shell sh` without/, "below `bash:` without"],
  [/`@shell cmd`/, "`cmd:`"],
  [/with a `@shell`/, "in `bash:`"],
  [/`@stdin`/, "`input`"],
  [/with `@env NAME=\{name\}`/, "with `NAME` below `environment`"],
  [/has a `flag`/, "has a `format`"],
  [/the flag/, "the format"],
  [/`flag=("[^"]*")`/, "`format: $1`"],
  [/`\[wait-for=([\w-]+)\]`/, "`wait-for: [$1]`"],
  [/`\[when=(\{[^}]*\})\]`/, '`run-condition: "$1"`'],
  [/add `([\w-]+) = …` below the step/, "add `$1:` to what the step gives it"],
  [/`@limit memory=`/, "`max-memory`"],
  [/leave out `memory=`; `@timeout` and `@limit output=` work/, "leave it out; `timeout` works"],
];

/** Returns a message in the words of the file's language. */
export function wordedFor(source: SourceFile, text: string): string {
  return languageOf(source) === "tool"
    ? text
    : yamlWords.reduce((worded, [tool, yaml]) => worded.replace(tool, yaml), text);
}
