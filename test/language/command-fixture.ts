// Commands as an author writes them, without a file.
import "../windows-shells.ts";
import type { Declaration, MappedText } from "../../src/core/language/syntax/ast.ts";
import { parseCommand } from "../../src/core/language/kinds/command.ts";
import { mappedText } from "../../src/core/language/syntax/mapped-text.ts";
import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";
import type { Checked } from "../../src/core/text/diagnostic.ts";
import type { CommandTemplate, Shell } from "../../src/core/tool/command.ts";

/** Returns the text with its place in a file `x.tool`, and what it parses to. */
export function commandOf(
  template: string,
  shell: Shell | "none",
  parameters: readonly Parameter[],
): Checked<CommandTemplate> & { readonly text: MappedText } {
  const text = textOf(template);
  return { ...parseCommand(text, shell, declared(text, parameters)), text };
}

export function textOf(template: string): MappedText {
  const before = "@command ";
  return mappedText({ path: "x.tool", text: `${before}${template}` }, [
    { start: before.length, end: before.length + template.length },
  ]);
}

function declared(text: MappedText, parameters: readonly Parameter[]): readonly Declaration[] {
  return parameters.map((parameter) => ({ parameter, span: { ...text.span, end: text.span.start } }));
}

export function parameter(
  name: string,
  schema: ParameterSchema = { type: "string" },
  options: Partial<Parameter> = {},
): Parameter {
  return { name, description: "", schema, required: false, ...options };
}

/** Returns each diagnostic in one line: its code, its place, and its message. */
export function problemsOf(
  template: string,
  shell: Shell | "none",
  parameters: readonly Parameter[],
): readonly string[] {
  const { diagnostics } = commandOf(template, shell, parameters);
  return diagnostics.map(
    ({ code, at }) =>
      `${code} [${at?.span.source.text.slice(at.span.start, at.span.end)}]${at?.text ? ` ${at.text}` : ""}`,
  );
}
