// Texts of other programs that would not reach them: tags of Go's templates, and `$name` where the shell reads it first.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { spanWithin } from "../syntax/ast.ts";
import { type CommandSource, commandProblem, declaredHere } from "../kinds/command-problems.ts";
import { directWords } from "../../shell/direct-words.ts";
import { passedBeside } from "../kinds/filter-word.ts";
import { dollarsOf, replaced } from "./silent-literals.ts";

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

/** Reports `$name` outside of single quotes where a program gets a value of that name: `jq --arg key {key} ".[$key]"`. */
export function shellVariables(source: CommandSource): readonly Diagnostic[] {
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
