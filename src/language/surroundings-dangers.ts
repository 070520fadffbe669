// What surrounds a process can decide what it runs: text on standard input that a shell reads, and variables such as PATH. No value may become a part of it.
import type { Span } from "../text/source.ts";
import type { CommandTemplate } from "../tool/command.ts";
import type { Template } from "../tool/template.ts";
import type { Declaration } from "./ast.ts";
import { isSpecialVariable } from "./command-environment.ts";
import type { Findings } from "./findings.ts";
import { programReadingInput } from "./input-program.ts";

interface PlacedTemplate {
  readonly template: Template;
  readonly span: Span;
  readonly declarations: readonly Declaration[];
}

export function checkInput({ template, span, declarations }: PlacedTemplate, commands: readonly CommandTemplate[], findings: Findings): void {
  if (!takesAnyText(template, declarations)) return;
  const reader = commands.map(programReadingInput).find((program) => program !== undefined);
  if (reader === undefined) return;
  findings.error("unsafe-placeholder", `\`${reader}\` runs what it reads, so no value may become a part of it`, { at: span, help: [`give \`${reader}\` its program as a word, so that standard input is only data`] });
}

export function checkVariable(name: string, { template, span, declarations }: PlacedTemplate, findings: Findings): void {
  if (!isSpecialVariable(name) || !takesAnyText(template, declarations)) return;
  findings.error("unsafe-placeholder", `\`${name}\` decides what programs run, so no value may become a part of it`, { at: span, help: ["use a variable of another name, or choices of the parameter"] });
}

/** Of a placeholder, the value may be any text. */
export function takesAnyText(template: Template, declarations: readonly Declaration[]): boolean {
  return template.parts.some((part) => {
    const schema = typeof part === "string" ? undefined : declarations.find(({ parameter }) => parameter.name === part.placeholder)?.parameter.schema;
    if (typeof part === "string") return false;
    return !(schema?.type === "integer" || schema?.type === "number" || schema?.type === "boolean" || (schema?.type === "string" && schema.choices !== undefined));
  });
}
