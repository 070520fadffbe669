// What a word of a definition means, as Markdown: the answer to a hover.
import { analyzeToolFile } from "../../core/language/analyze.ts";
import type { Explained, KnownAround } from "../../core/language/author-help.ts";
import { soundPart } from "../../core/language/fields/sound-part.ts";
import { annotationKinds } from "../../core/language/syntax/annotations.ts";
import type { ToolFile } from "../../core/language/syntax/ast.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { printable } from "../../core/text/display.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import type { SourceFile } from "../../core/text/source.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import { stepFields } from "../../core/tool/step.ts";
import { parameterFacts } from "../../cli/view/parameter-text.ts";
import { languageDocs, type WordDocs } from "../../generated/language-docs.ts";
import { type Mark, markAt } from "./marks.ts";

export function explained(source: SourceFile, offset: number, around: KnownAround): Explained | undefined {
  const mark = markAt(source, offset);
  const text = mark && textOf(mark, parseToolFile(source), around);
  return mark && text !== undefined ? { span: mark.span, text } : undefined;
}

/** The definition, or what is sound in it. */
export function ownDefinition(file: ToolFile): ToolDefinition | undefined {
  return analyzeToolFile(file).value ?? soundPart(file, {})?.definition;
}

function textOf({ kind, text, owner, annotation }: Mark, file: ToolFile, around: KnownAround): string | undefined {
  switch (kind) {
    case "keyword":
      return annotationText(text);
    case "tool":
      return toolText(text, around);
    case "toolParameter": {
      const parameter = parametersOf(owner, around).find(({ name }) => name === text);
      return parameter && parameterText(parameter, `of \`${owner}\``);
    }
    case "parameter":
    case "reference": {
      const parameter = ownDefinition(file)?.parameters.find(({ name }) => name === text);
      if (parameter) return parameterText(parameter, "of this tool");
      const isStep = kind === "reference" && annotation.keyword !== "example" && annotation.keyword !== "test";
      return isStep
        ? `the step \`${text}\`: ${stepFields.map((field) => `\`{${text}.${field}}\``).join(", ")}`
        : undefined;
    }
    case "type":
    case "parameterOption":
    case "stepOption":
    case "stepKind":
      return docsText(text, languageDocs[`${kind}s`]);
    case "name":
    case "namedType":
    case "step":
      return undefined;
  }
}

export function annotationText(keyword: string): string | undefined {
  const [kind, docs] = [annotationKinds.get(keyword), languageDocs.annotations[keyword]];
  if (!kind || !docs) return undefined;
  return `\`@${`${keyword} ${kind.form}`.trimEnd()}\`\n\n${docs.does}\n\nIn YAML: \`${kind.key}\``;
}

function docsText(word: string, docs: Readonly<Record<string, WordDocs>>): string | undefined {
  const found = Object.hasOwn(docs, word) ? docs[word] : undefined;
  return found && `\`${word}\`: ${found.does}`;
}

export function parametersOf(tool: string | undefined, { registry }: KnownAround): readonly Parameter[] {
  return (tool === undefined ? undefined : registry.find(tool)?.parameters) ?? [];
}

/** The texts are those of whoever wrote the tool. */
export function toolText(name: string, { registry }: KnownAround): string | undefined {
  const tool = registry.find(name);
  if (!tool) return undefined;
  const { title, description } = tool.definition;
  const rows = tool.parameters.map((one) => `- \`${one.name}\` (${factsOf(one)}) ${firstSentence(one.description)}`);
  const effects = tool.effects.length === 0 ? "not known, so the worst is assumed" : tool.effects.join(", ");
  return paragraphs([`**${title}** \`${name}\``, firstSentence(description), `Effects: ${effects}`, rows.join("\n")]);
}

export function parameterText(parameter: Parameter, of: string): string {
  const { name, description, help } = parameter;
  return paragraphs([`\`${name}\` ${of} (${factsOf(parameter)})`, description, help ?? ""]);
}

function paragraphs(texts: readonly string[]): string {
  const lines = texts
    .filter((text) => text !== "")
    .join("\n\n")
    .split("\n");
  return lines.map(printable).join("\n");
}

function factsOf(parameter: Parameter): string {
  return [parameter.schema.type === "boolean" ? "boolean" : "", ...parameterFacts(parameter)]
    .filter((fact) => fact !== "")
    .join(", ");
}
