// Places of values as other programs write them: `{{name}}`, `${{ inputs.name }}`, `$(name)`, `<name>`, and `$name` of a
// program where the shell reads it first. A command would get another text in place of the value.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import { spanWithin } from "../syntax/ast.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import { directWords } from "../../shell/direct-words.ts";
import { passedBeside } from "../kinds/filter-word.ts";
import { dollarsOf, replaced } from "./silent-literals.ts";

/**
 * Matches the place of a value as just, Mustache and Go write it, `{{name}}`, `{{ .name }}`, and GitHub Actions,
 * `${{ inputs.name }}`.
 */
const FOREIGN = /\$?\{\{[ \t]*(?:\.|(?:inputs|params|parameters|args)\.)?([A-Za-z_][\w-]*)[ \t]*\}\}/g;
/** Matches the same of make, and of a usage text, where no shell reads it: `$(name)`, `<name>`. */
const FOREIGN_WITHOUT_SHELL = /(?<!\\)\$\(([A-Za-z_][\w-]*)\)|(?<![\w\\<>])<([A-Za-z_][\w-]*)>(?![\w<>])/g;

/**
 * Reports the place of a value as other programs write it, if its parameter has no place in the file: a
 * definition that passes a parameter nowhere, and writes its name in two braces, does not mean the text.
 */
export function foreignPlaces(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  // A block of PowerShell has braces of its own.
  if (shell === "pwsh") return [];
  const beside = shell === "none" || shell === "cmd" ? [] : shellVariables(source);
  if (beside.length > 0) return beside;
  const found = [...text.matchAll(FOREIGN), ...(shell === "none" ? text.matchAll(FOREIGN_WITHOUT_SHELL) : [])];
  return found.flatMap((match): readonly Diagnostic[] => {
    const { index, 0: whole } = match;
    const name = match[1] ?? match[2] ?? "";
    if (!declarationOf(source, name) || isPlaced(name, source)) return [];
    const place = { start: index, end: index + whole.length };
    const { source: file, start, end } = spanWithin(source.text, place.start, place.end);
    // In a step, a reference such as `{build.stdout}` has another name in the text.
    if (file.text.slice(start, end) !== whole) return [];
    return [
      commandProblem(source, "unknown-placeholder", {
        message: `the value of \`${name}\` is written \`{${name}}\``,
        ...place,
        note: "this is no place for a value",
        related: declaredHere(source, name),
        fix: replaced(source, place, `{${name}}`),
      }),
    ];
  });
}

/** Matches a tag of Go's templates, which docker, kubectl, helm, gh and go read: `{{.Name}}`, `{{json .}}`. */
const GO_TAG =
  /(?<!\{)\{\{(-?[ \t]*(?:[.$](?=[\w \t}|-])[^{}']*|(?:range|if|with|else if)[ \t]+(?:[.$]|(?:and|eq|gt|index|len|lt|ne|not|or)\b)[^{}']*|(?:base64decode|join|json|printf|len|index|slice|split|table|tablerow|timeago|timefmt|toJson|truncate|upper|lower|color|hyperlink|pluck)[ \t][^{}']*|end|else)[ \t]*-?)\}\}(?!\})/g;

/** Reports tags of a command's own templates: without a shell, two braces are the text of one. */
export function goTemplates(source: CommandSource): readonly Diagnostic[] {
  const { text } = source.text;
  const tags = [...text.matchAll(GO_TAG)];
  // A path of kubectl has one brace, and a block of awk may have two.
  const [first] = tags.filter(([, inner = ""]) => !/^(?:end|else)$/.test(inner));
  if (!first || /\bjsonpath\b|\bawk\b/.test(text)) return [];
  // One tag shows what all of them are.
  const edits = [...text.matchAll(/(?<!\{)\{\{([^{}']+)\}\}(?!\})/g)].map(({ index, 0: tag, 1: inner }) => ({
    span: spanWithin(source.text, index, index + tag.length),
    text: `{{{{${inner}}}}}`,
  }));
  return [
    commandProblem(source, "unknown-placeholder", {
      message: `\`${first[0]}\` is the text \`${first[0].slice(1, -1)}\` here: two braces stand for one`,
      start: first.index,
      end: first.index + first[0].length,
      fix: { title: `write \`{{{{${first[1]}}}}}\``, edits },
    }),
  ];
}

/** Whether the value has a place anywhere in the file; another command may be the one that gets it. */
function isPlaced(name: string, { text }: CommandSource): boolean {
  return new RegExp(`(?<![{$])(?:\\{\\{)*\\{${name}\\}`).test(text.span.source.text);
}

/** Reports `$name` outside of single quotes where a program gets a value of that name: `jq --arg key {key} ".[$key]"`. */
function shellVariables(source: CommandSource): readonly Diagnostic[] {
  const { text } = source.text;
  const dollars = dollarsOf(source);
  if (dollars.length === 0) return [];
  const read = new Set(
    directWords(text).flatMap(({ tokens }) => tokens.map((token) => "start" in token && token.start)),
  );
  return dollars.flatMap(({ name, start, end }): readonly Diagnostic[] => {
    const beside = read.has(start) ? passedBeside(text, name, start) : undefined;
    const isSet = new RegExp(
      `(?:^|[;&|(\\n])[ \\t]*${name}=|\\b(?:read|for|local|export|declare)\\b[^\\n;]*\\b${name}\\b`,
    );
    if (!beside || isSet.test(text)) return [];
    const isText = beside.quoted !== undefined && !/\{[A-Za-z_]/.test(beside.quoted);
    const single = "put the word in single quotes, in which `$` stays text for the program";
    return [
      commandProblem(source, "unknown-placeholder", {
        message: `the shell replaces \`$${name}\` before the program sees it, and has no such variable`,
        start,
        end,
        related: declaredHere(source, name),
        ...(isText ? { fix: { ...replaced(source, beside, beside.quoted ?? ""), title: single } } : { help: [single] }),
      }),
    ];
  });
}
