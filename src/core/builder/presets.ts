// `@with`: parameters of the base tool that a definition sets, split at load by the types of the base tool.
import { wordOfValue } from "../base/bind-value.ts";
import { parseValueTemplate } from "../language/syntax/template.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import { isAny, type Parameter, type ParameterSchema } from "../schema/parameter.ts";
import { holdsCode, isCode } from "../schema/program-text.ts";
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import { filledParts } from "../tool/json-places.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import { isRemoteName } from "../tool/remote-name.ts";
import { isLiteral, type Template, type ValueTemplate } from "../tool/template.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { BaseTool } from "../tool/tool.ts";
import { unknownParameter } from "./base-parameters.ts";
import { isAddress, isPath, type ParsedPreset, placedTexts, placeholdersOf } from "./placed-texts.ts";
import { presetGuard } from "./preset-guards.ts";
import { typeText } from "../schema/describe.ts";
import type { Span } from "../text/source.ts";

export interface Presets {
  /** The placeholders in all of them. */
  readonly placed: ReadonlySet<string>;
  /** The placeholders that become a part of a secret. */
  readonly secret: ReadonlySet<string>;
  fill(args: JsonObject): JsonObject;
  /** Returns the values that are not allowed in their place. */
  check(args: JsonObject): readonly ArgumentIssue[];
}

/** `isOutput` says whether a placeholder is the output of a step, which the tool itself made. */
export function parsePresets(
  definition: WrappedDefinition,
  base: BaseTool,
  isOutput: (name: string) => boolean = () => false,
): Checked<Presets> {
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
    if (base.wrap?.programParameters.includes(parameter.name) && !isLiteral(template.value))
      diagnostics.push(valueAsProgram(preset.text.span, parameter.name));
    const spliced = holdsCode(parameter.schema)
      ? dataIn(template.value, parameter.schema, { own: definition.parameters, isOutput })
      : undefined;
    if (spliced !== undefined) diagnostics.push(dataAsProgram(preset.text.span, parameter.name, spliced));
    parsed.push({
      parameter: isRemoteName(definition.base.value)
        ? { ...parameter, schema: placedSchema(parameter.schema, template.value) }
        : parameter,
      template: template.value,
    });
    diagnostics.push(...severalForOne({ parameter, template: template.value }, definition, preset.text.span));
  }
  if (diagnostics.some((diagnostic) => diagnostic.severity === "error")) return { diagnostics };
  const fill = (args: JsonObject): JsonObject => {
    const entries = parsed.map(
      ({ parameter, template }) => [parameter.name, filled(template, args, parameter.schema)] as const,
    );
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
  };
  const check = presetGuard(parsed, definition.parameters, definition.base.value);
  const texts = placedTexts(parsed);
  const namesIn = (chosen: typeof texts): ReadonlySet<string> =>
    new Set(chosen.flatMap(({ text }) => placeholdersOf(text)));
  return {
    value: { placed: namesIn(texts), secret: namesIn(texts.filter(({ isSecret }) => isSecret)), fill, check },
    diagnostics,
  };
}

/**
 * Returns a value that would become program text although its parameter is none: `{code}` is passed on whole, and what
 * the author wrote, choices included, is the author's.
 */
function dataIn(
  template: ValueTemplate,
  schema: ParameterSchema | undefined,
  scope: { readonly own: readonly Parameter[]; readonly isOutput: (name: string) => boolean },
): string | undefined {
  switch (template.kind) {
    case "literal":
      return undefined;
    case "array":
      return template.items.reduce<string | undefined>(
        (found, item) => found ?? dataIn(item, schema?.type === "array" ? schema.items : undefined, scope),
        undefined,
      );
    case "object":
      return template.entries.reduce<string | undefined>(
        (found, [name, value]) => found ?? dataIn(value, propertyOf(schema, name), scope),
        undefined,
      );
    case "text": {
      if (!isCode(schema)) return undefined;
      const isAlone = template.text.parts.length === 1;
      return placeholdersOf(template.text).find((name) => {
        const passed = scope.own.find((one) => one.name === name)?.schema;
        const items = passed?.type === "array" ? passed.items : passed;
        const isAuthors =
          items !== undefined &&
          (items.type === "string" ? items.choices !== undefined : /^(?:integer|number|boolean)$/.test(items.type));
        return !isAuthors && !(isAlone && (isCode(passed) || scope.isOutput(name)));
      });
    }
  }
}

function dataAsProgram(span: Diagnostic["related"][number]["span"], name: string, value: string): Diagnostic {
  return {
    code: "unsafe-placeholder",
    severity: "error",
    message: `\`${name}\` is program text, and \`{${value}}\` is not`,
    at: { span, text: "this value would be a part of the program" },
    related: [],
    help: [
      `pass a whole program: \`${name} = {${value}}\` alone, with \`{code}\` as the type of \`${value}\`, which then says that the value is a program`,
    ],
  };
}

export function valueAsProgram(span: Diagnostic["related"][number]["span"], name: string): Diagnostic {
  return {
    code: "unsafe-placeholder",
    severity: "error",
    message: `\`${name}\` is program text, so it cannot contain a value`,
    at: { span, text: "a value here would be program text" },
    related: [],
    help: ["write the command as `@command`, which keeps values apart from the program"],
  };
}

/** Returns undefined for a lone placeholder without a value, which leaves the base tool's own default. */
function filled(template: ValueTemplate, args: JsonObject, schema: ParameterSchema | undefined): Json | undefined {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "text": {
      const lone = lonePlaceholder(template.text);
      if (lone === undefined) return filledText(template.text, args, schema);
      const value = args[lone];
      return value !== undefined && schema?.type === "string" && !isAny(schema) && typeof value !== "string"
        ? wordOfValue(value)
        : value;
    }
    case "array":
      return template.items.flatMap((item) =>
        filledItem(item, args, schema?.type === "array" ? schema.items : undefined),
      );
    case "object":
      return Object.fromEntries(
        template.entries
          .map(([name, value]) => [name, filled(value, args, propertyOf(schema, name))] as const)
          .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
      );
  }
}

function propertyOf(schema: ParameterSchema | undefined, name: string): ParameterSchema | undefined {
  return schema?.type === "object" ? schema.properties.find((property) => property.name === name)?.schema : undefined;
}

/** An array that is a whole item becomes 0…n items, as in a command. */
function filledItem(item: ValueTemplate, args: JsonObject, schema: ParameterSchema | undefined): readonly Json[] {
  const lone = item.kind === "text" ? lonePlaceholder(item.text) : undefined;
  const several = lone === undefined ? undefined : args[lone];
  if (Array.isArray(several)) return several as readonly Json[];
  const value = filled(item, args, schema);
  return value === undefined ? [] : [value];
}

function lonePlaceholder(text: Template): string | undefined {
  const [part, ...others] = text.parts;
  return others.length === 0 && part !== undefined && typeof part !== "string" ? part.placeholder : undefined;
}

/** A value inside an address is data there: `/`, `?`, `#` and `@` in it cannot change where the address leads. */
export function filledText(text: Template, args: JsonObject, schema: ParameterSchema | undefined): string {
  return filledParts(text.parts, ({ placeholder }) => {
    const value = wordOfValue(args[placeholder] ?? "");
    return isAddress(schema) ? encodeURIComponent(value) : value;
  });
}

/**
 * Servers declare an address or a path as text. If a `@with` writes one around a value, the value must not leave it, as
 * in our own tools.
 */
function placedSchema(schema: ParameterSchema, template: ValueTemplate): ParameterSchema {
  switch (template.kind) {
    case "literal":
      return schema;
    case "text": {
      if (schema.type !== "string" || schema.format !== undefined || template.text.parts.length < 2) return schema;
      const written = template.text.parts.map((part) => (typeof part === "string" ? part : "x")).join("");
      if (/^https?:\/\//i.test(written)) return { ...schema, format: "url" };
      return /[\\/]/.test(written) && !/\s/.test(written) ? { ...schema, format: "path" } : schema;
    }
    case "array": {
      if (schema.type !== "array") return schema;
      const { items } = schema;
      const changed = template.items.map((item) => placedSchema(items, item)).find((one) => one !== items);
      return changed ? { ...schema, items: changed } : schema;
    }
    case "object": {
      if (schema.type !== "object") return schema;
      const written = new Map(template.entries);
      return {
        ...schema,
        properties: schema.properties.map((property) => ({
          ...property,
          schema: written.has(property.name)
            ? placedSchema(property.schema, written.get(property.name) as ValueTemplate)
            : property.schema,
        })),
      };
    }
  }
}

/** Reports an array or an object in an address or a path, which have no text form for it. */
function severalForOne(preset: ParsedPreset, definition: WrappedDefinition, span: Span): readonly Diagnostic[] {
  const found = placedTexts([preset]).flatMap(({ text, schema, isItem }) => {
    if (!isAddress(schema) && !isPath(schema)) return [];
    const spreads = isItem && text.parts.length === 1;
    return placeholdersOf(text).flatMap((name) => {
      const own = definition.parameters.find((parameter) => parameter.name === name)?.schema;
      const isSeveral = own?.type === "object" || (own?.type === "array" && !spreads);
      return isSeveral
        ? [
            {
              name,
              message: `\`${name}\` is declared as ${typeText(own)}, but ${isAddress(schema) ? "an address" : "a path"} takes one value`,
            },
          ]
        : [];
    });
  });
  return found.map(({ name, message }) => ({
    code: "parameter-mismatch",
    severity: "error",
    message,
    at: { span, text: "" },
    related: [],
    help: [`declare it as one value, such as \`@param ${name} {string}\``],
  }));
}
