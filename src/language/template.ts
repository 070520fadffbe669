// Text with `{placeholders}` outside of commands: `@cwd`, `@stdin`, `@env`, `@with`. Split once, when the definition is read
// or the tool is built; small, because building needs no grammar.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { PlaceholderPart, Template } from "../tool/template.ts";
import type { Declaration, MappedText } from "./ast.ts";
import { type CommandSource, unknownPlaceholder } from "./command-problems.ts";

/** `{}`, `{{`, `}}` and `{name}`, as in grammar/command.ohm. */
const MARK = /\{\}|\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

export function parseTemplate(text: MappedText, parameters: readonly Declaration[]): Checked<Template> {
  const source: CommandSource = { text, declarations: parameters };
  const parts: (string | PlaceholderPart)[] = [];
  const diagnostics: Diagnostic[] = [];
  let literal = "";
  let from = 0;
  for (const match of text.text.matchAll(MARK)) {
    const [mark, name] = match;
    literal += text.text.slice(from, match.index);
    from = match.index + mark.length;
    if (name === undefined) {
      literal += mark === "{}" ? mark : mark.slice(1);
      continue;
    }
    if (!parameters.some((declaration) => declaration.parameter.name === name)) diagnostics.push(unknownPlaceholder(source, { name, start: match.index }));
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push({ placeholder: name });
  }
  literal += text.text.slice(from);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return diagnostics.length > 0 ? { diagnostics } : { value: { parts }, diagnostics };
}
