// `@with`: parameters of the base tool that a definition sets, split at load by the types of the base tool.
import { valueText } from "../base/bind-value.ts";
import { parseValueTemplate } from "../language/template.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import { isLiteral, type Template, type ValueTemplate } from "../tool/template.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { BaseTool } from "../tool/tool.ts";
import { isAddress, type ParsedPreset, presetGuard } from "./preset-guards.ts";
import { unknownParameter } from "./base-parameters.ts";

export interface Presets {
  /** The placeholders in all of them. */
  readonly placed: ReadonlySet<string>;
  fill(args: JsonObject): JsonObject;
  /** What may not stand where it would be put. */
  check(args: JsonObject): readonly ArgumentIssue[];
}

export function parsePresets(definition: WrappedDefinition, base: BaseTool): Checked<Presets> {
  const diagnostics: Diagnostic[] = [];
  const parsed: ParsedPreset[] = [];
  const names = definition.parameters.map((parameter) => parameter.name);
  for (const preset of definition.presets) {
    const parameter = base.parameters.find((candidate) => candidate.name === preset.parameter.value);
    if (!parameter) {
      diagnostics.push(unknownParameter(preset.parameter, definition.base.value, base.parameters));
      continue;
    }
    const template = parseValueTemplate(preset.text, parameter.schema, names);
    diagnostics.push(...template.diagnostics);
    if (!template.value) continue;
    if (base.wrap?.programParameters.includes(parameter.name) && !isLiteral(template.value)) diagnostics.push(valueAsProgram(preset.text.span, parameter.name));
    parsed.push({ parameter, template: template.value });
  }
  if (diagnostics.some((diagnostic) => diagnostic.severity === "error")) return { diagnostics };
  const fill = (args: JsonObject): JsonObject => {
    const entries = parsed.map(({ parameter, template }) => [parameter.name, filled(template, args, parameter)] as const);
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
  };
  const check = presetGuard(parsed, definition.parameters, definition.base.value);
  return { value: { placed: new Set(parsed.flatMap(({ template }) => placeholdersOf(template))), fill, check }, diagnostics };
}

function valueAsProgram(span: Diagnostic["related"][number]["span"], name: string): Diagnostic {
  return {
    code: "unsafe-placeholder",
    severity: "error",
    message: `\`${name}\` is run, so no value may become a part of it`,
    at: { span, text: "a value here would be program text" },
    related: [],
    help: ["write the command as `@command`, which keeps values apart from the program"],
  };
}

/** Undefined: a lone placeholder without a value leaves the base tool's own default. */
function filled(template: ValueTemplate, args: JsonObject, parameter: Parameter): Json | undefined {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "text": {
      const lone = lonePlaceholder(template.text);
      if (lone === undefined) return filledText(template.text, args, parameter);
      const value = args[lone];
      return value !== undefined && parameter.schema.type === "string" && typeof value !== "string" ? valueText(value) : value;
    }
    case "array":
      return template.items.flatMap((item) => filledItem(item, args, parameter));
    case "object":
      return Object.fromEntries(template.entries.map(([name, value]) => [name, filled(value, args, parameter)] as const).filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
  }
}

/** An array that stands alone as an item becomes 0…n items, as it does in a command. */
function filledItem(item: ValueTemplate, args: JsonObject, parameter: Parameter): readonly Json[] {
  const value = filled(item, args, parameter);
  if (value === undefined) return [];
  return item.kind === "text" && Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function lonePlaceholder(text: Template): string | undefined {
  const [part, ...others] = text.parts;
  return others.length === 0 && part !== undefined && typeof part !== "string" ? part.placeholder : undefined;
}

/** A value inside an address is data there: `/`, `?`, `#` and `@` in it cannot change where the address leads. */
function filledText(text: Template, args: JsonObject, parameter: Parameter): string {
  return text.parts
    .map((part) => {
      if (typeof part === "string") return part;
      const value = valueText(args[part.placeholder] ?? "");
      return isAddress(parameter) ? encodeURIComponent(value) : value;
    })
    .join("");
}

function placeholdersOf(template: ValueTemplate): readonly string[] {
  switch (template.kind) {
    case "literal":
      return [];
    case "text":
      return template.text.parts.flatMap((part) => (typeof part === "string" ? [] : [part.placeholder]));
    case "array":
      return template.items.flatMap(placeholdersOf);
    case "object":
      return template.entries.flatMap(([, value]) => placeholdersOf(value));
  }
}
