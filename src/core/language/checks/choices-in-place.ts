// `{dev|staging|prod}` in a command, as usage texts have it: a value with these choices, whose parameter is not declared.
import type { Shell } from "../../tool/command.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { languageOf } from "../../text/source-language.ts";
import { bareText } from "./bare-text.ts";
import { spanWithin } from "../syntax/ast.ts";
import { annotationStart, type CommandSource, commandProblem, declarationOf } from "../kinds/command-problems.ts";

/** Matches it as a whole word, or behind `=`; the first group is an option before it. */
const CHOICES = /(?<=^|[\s=])(?<=(?:--([A-Za-z][\w-]*)[= ])?)\{(\w[\w.-]*(?:\|\w[\w.-]*)+)\}(?=\s|$)/g;

/** Reports each outside of quotes. In a script it may be in a comment, or in a usage text. */
export function choicesInPlace(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  if (shell !== "none") return [];
  const taken = new Set(source.declarations.map(({ parameter }) => parameter.name));
  return [...bareText(text).matchAll(CHOICES)].flatMap(
    ({ index, 0: { length }, 1: option = "choice", 2: written = "" }) => {
      const words = written.split("|");
      const known = source.declarations.find(({ parameter: { schema } }) => {
        const choices = "choices" in schema ? schema.choices : undefined;
        return choices?.map(String).join("|") === written;
      });
      const own = declarationOf(source, option) ? "choice" : option;
      const free = [own, ...words.keys()].map((one, at) => (at === 0 ? String(one) : `${own}${at + 1}`));
      const name = known?.parameter.name ?? free.find((one) => !taken.has(one)) ?? own;
      taken.add(name);
      const isNumbers = words.every((word) => /^\d+$/.test(word));
      const type = words.map((word) => (isNumbers ? word : JSON.stringify(word))).join("|");
      const line = `@param ${name} {${type}} [required]`;
      const span = spanWithin(source.text, index, index + length);
      const at = languageOf(span.source) === "tool" ? annotationStart(span.source.text, span.start) : undefined;
      const edit = { span, text: `{${name}}` };
      const title = known ? `write \`{${name}}\`` : `write \`{${name}}\`, and \`${line}\``;
      return commandProblem(source, "unknown-placeholder", {
        message: `\`{${written}}\` is not a place of a value: only a name can stand in braces`,
        start: index,
        end: index + length,
        ...(known
          ? { fix: { title, edits: [edit] } }
          : at === undefined
            ? { help: [title] }
            : { fix: { title, edits: [{ span: { ...span, start: at, end: at }, text: `${line}\n` }, edit] } }),
      });
    },
  );
}
