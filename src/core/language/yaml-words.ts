// What messages about `.tool` files are called in YAML: checks that all languages share name annotations. Apart from
// source-language.ts, because only a definition with problems needs it.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import { languageOf } from "../text/source-language.ts";
import { annotationKinds } from "./syntax/annotations.ts";

/** Parts of messages about `.tool` files, and their form for YAML. */
const yamlWords: readonly (readonly [tool: RegExp, yaml: string])[] = [
  [/declare it with `@param ([\w-]+) \{string\} …`/g, "declare `$1` below `parameters`"],
  [/write `@shell sh` and a `case`/g, "write a `case` in `bash:`"],
  [/below `@shell sh` without/g, "below `bash:` without"],
  [/`@shell cmd`/g, "`cmd:`"],
  [
    /wrap `run_command` itself: `@wrapped run_command` with a `@command` that has the value as an argument/g,
    "write the command itself, with the value as an argument",
  ],
  [/leave out the shell: the first line/g, "write `script:` in place of the key: the first line"],
  [/with `\[stdin=([^\]]*)\]`/g, 'with `input: "$1"` below `x-dottool`'],
  [
    /and `@param ([\w-]+) \{([^`]*)\} \[required\]`/g,
    "and below `parameters` `$1: { required: true, x-dottool: { type: '$2' } }`",
  ],
  [/with a `@shell`/g, "in `bash:`"],
  [/`@stdin`/g, "`input`"],
  [/with `@env NAME=\{[\w-]+\}`/g, "with `NAME` below `environment`"],
  [/(`?)@env (\w+)=secret:(\w+)(`?)/g, "$1$2: $3$4 below $1secrets$4 of $1x-dottool$4"],
  [/(`?)@env (\w+)=(\w+|…)(`?)/g, "$1$2: $3$4 below $1variables$4 of $1environment$4"],
  [/(`?)@env (\w+)(`?)(?![\w=])/g, "$1$2$3 below $1pass-environment$3 of $1x-dottool$3"],
  [/`\[timeout=…\]`/g, "`timeout`"],
  [/`@limit (output|cpu)=`/g, "`$1` below `limits` of `x-dottool`"],
  [/`@permissions ([^`]+)`/g, "`$1` below `required-permissions` of `security`"],
  [/`@returns`/g, "`returns` of `x-dottool`"],
  [/has a `flag`/g, "has a `format`"],
  [/the flag/g, "the format"],
  [/`flag=("[^"]*")`/g, "`format: $1`"],
  [/`\[wait-for=([\w-]+)\]`/g, "`wait-for: [$1]`"],
  [/`\[when=(\{[^}]*\})\]`/g, '`run-condition: "$1"`'],
  [/add `([\w-]+) = …` below the step/g, "add `$1:` to what the step gives it"],
  [/`@limit memory=`/g, "`max-memory`"],
  [/`@with ([\w-]+) = …`/g, "`$1:` below `with`"],
  [/`@with ([\w-]+)` sets it/g, "`$1` below `with` sets it"],
  [/in (?:the|a) `@with`/g, "below `with`"],
  [/`@with`/g, "`with`"],
  [/declare `@param ([\w-]+)`/g, "declare `$1` below `parameters`"],
  [/declare it as `@param ([\w-]+) \{([^`]*)\}`/g, "give `$1` below `parameters` the key `type: $2`"],
  [
    /declare it as one value, such as `@param ([\w-]+) \{string\}`/g,
    "declare `$1` below `parameters` as one value, such as `type: string`",
  ],
  [/declare it: `@type ([\w-]+) \{object\}`/g, "declare `$1` below `types` of `x-dottool`"],
  [/the names of `@type`/g, "the names below `types` of `x-dottool`"],
  [/`@type`/g, "`types` of `x-dottool`"],
  [/a `@command` or a `@script` to run/g, "a command to run"],
  [/it cannot have `@command` or `@script`/g, "it cannot have a command"],
  [/`@command ([^`]+)`/g, "`run: $1`"],
  [/as `@command`/g, "below `run:` or `bash:`"],
  [/`@step NAME uses ([^`]+)`/g, "a step with `use-tool: $1`"],
  [/as `\{code\}`/g, "with `type: code`"],
  [/say `\[flags\]` in the `@param` of `([\w-]+)`/g, "give `$1` the key `flags: true`"],
  [/, and `\[default=([^\]]*)\]` in its `@param`/g, ", and `default: $1` for it"],
  [/, and `\[flag=("[^"]*")\]` in its `@param`/g, ", and `format: $1` for it"],
  [/write `\[required\]` in its `@param`/g, "write `required: true` for it"],
  [/, and `\[(lower|upper|trim)\]` in its `@param`/g, ", and `transforms: [$1]` for it"],
  [
    /, and say in its `@param` what it becomes: `flag="…"` or `transform="…"`/g,
    ", and say what it becomes: `format:` or `transform:`",
  ],
  [/, and say the rest in its `@param`/g, ", and say the rest in its description"],
  [/if not, declare it with `@param ([\w-]+) \{string\} …`/g, "if not, declare `$1` below `parameters`"],
  [/`pattern=\/([^`]*)\/`/g, "`pattern: ^$1$$`"],
  [/`\[flags\]`/g, "`flags: true`"],
  [/`rate=([^`]+)`/g, "`rate: $1`"],
  [/leave out `memory=`; `@timeout` and `@limit output=` work/g, "leave it out; `timeout` works"],
];

/** Returns a message in the words of the file's language. */
export function wordedFor(source: SourceFile, text: string): string {
  return languageOf(source) === "tool" ? text : inYaml(text);
}

export function inYaml(text: string): string {
  return yamlWords
    .reduce((worded, [tool, yaml]) => worded.replaceAll(tool, yaml), text)
    .replaceAll(/`@([a-z-]+)(?:\([a-z]+\))?(?: [^`]*)?`/g, (all, keyword: string) => keyOf(keyword) ?? all);
}

/** Returns the key that says what an annotation does, for messages that no row knows. */
function keyOf(keyword: string): string | undefined {
  const key = annotationKinds.get(keyword)?.key;
  return key === undefined ? undefined : `\`${key.replace(/^x-dottool\./, "")}\``;
}

/** Returns diagnostics in the words of the language of their file: checks that all languages share name annotations. */
export function allWorded(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((one) => {
    const { at, message, help } = one;
    if (!at || languageOf(at.span.source) === "tool") return one;
    const worded = (text: string): string => wordedFor(at.span.source, text);
    return { ...one, message: worded(message), at: { ...at, text: worded(at.text) }, help: help.map(worded) };
  });
}
