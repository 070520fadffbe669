// The parameters that a wrap without a command declares: each must reach the base tool, by its name or in a `@with`.
import { typeText } from "../schema/describe.ts";
import { hasSecrets } from "../schema/secrets.ts";
import {
  isAny,
  type NumberSchema,
  type ObjectSchema,
  type Parameter,
  type ParameterSchema,
  type StringSchema,
} from "../schema/parameter.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool } from "../tool/tool.ts";
import { unknownParameter } from "./base-parameters.ts";
import { isLiteral } from "../tool/template.ts";
import { parseValueTemplate } from "../language/syntax/template.ts";

/** `placed` are the names that are placeholders in a `@with`, where any type fits. */
export function passedDiagnostics(
  definition: WrappedDefinition,
  base: BaseTool,
  placed: ReadonlySet<string>,
): readonly Diagnostic[] {
  const fixed = new Set(definition.presets.map((preset) => preset.parameter.value));
  return definition.parameters.flatMap((parameter): readonly Diagnostic[] => {
    const named = nameOf(definition, parameter);
    const known = base.parameters.find((candidate) => candidate.name === parameter.name);
    if (placed.has(parameter.name)) return [];
    if (!known) return [unreachable(named, definition, base)];
    if (fixed.has(parameter.name)) return [overruled(named)];
    const reason = misfit(parameter.schema, known.schema);
    return reason === undefined
      ? []
      : [otherType(named, { declared: parameter.schema, wanted: known.schema, reason, base: definition.base.value })];
  });
}

/** Marks parameters that become a secret of the base tool. `placed` are the names that a `@with` puts into a secret. */
export function withSecrets(
  parameters: readonly Parameter[],
  definition: WrappedDefinition,
  { base, placed }: { readonly base: BaseTool; readonly placed: ReadonlySet<string> },
): readonly Parameter[] {
  const passes = definition.commands.length === 0;
  const fixed = new Set(definition.presets.map((preset) => preset.parameter.value));
  const feeds = (own: Parameter): boolean =>
    passes &&
    !fixed.has(own.name) &&
    !hasSecrets([own]) &&
    hasSecrets(base.parameters.filter(({ name }) => name === own.name));
  return parameters.map((parameter) =>
    placed.has(parameter.name) || feeds(parameter) ? { ...parameter, secret: true } : parameter,
  );
}

/** Finds the place of a parameter in the text: a definition does not record it, because only mistakes need it. */
function nameOf(definition: WrappedDefinition, parameter: Parameter): Spanned<string> {
  const { origin } = definition;
  const found =
    origin.kind === "file"
      ? new RegExp(
          `^[ \\t\\uFEFF]*@(?:[Pp]aram(?:s|eter)?|[Aa]rg(?:ument)?|[Ii]nput)[ \\t]+(?:\\{[^{}\\n]*\\}[ \\t]+)?(?=${parameter.name}(?![\\w-]))`,
          "m",
        ).exec(origin.source.text)
      : null;
  if (origin.kind !== "file" || !found) return { value: parameter.name, span: definition.base.span };
  const start = found.index + found[0].length;
  return { value: parameter.name, span: { source: origin.source, start, end: start + parameter.name.length } };
}

function unreachable(named: Spanned<string>, definition: WrappedDefinition, base: BaseTool): Diagnostic {
  const unknown = unknownParameter(named, definition.base.value, base.parameters);
  return {
    ...unknown,
    message: `${unknown.message}, and no \`@with\` uses it`,
    help: [...unknown.help, `or write \`{${named.value}}\` in a \`@with\``],
  };
}

function overruled(named: Spanned<string>): Diagnostic {
  return {
    code: "unused-parameter",
    severity: "error",
    message: `the parameter \`${named.value}\` is not used, because \`@with ${named.value}\` sets it`,
    at: { span: named.span, text: "" },
    related: [],
    help: [`write \`{${named.value}}\` in the \`@with\`, or remove one of the two`],
  };
}

interface Difference {
  readonly declared: ParameterSchema;
  readonly wanted: ParameterSchema;
  readonly reason: string;
  readonly base: string;
}

function otherType(named: Spanned<string>, { declared, wanted, reason, base }: Difference): Diagnostic {
  return {
    code: "parameter-mismatch",
    severity: "error",
    message: `\`${named.value}\` is declared as ${typeText(declared)}, but \`${base}\` expects ${typeText(wanted)}`,
    at: { span: named.span, text: reason },
    related: [],
    help:
      wanted.type === "object" || wanted.type === "array"
        ? [`\`dottool show ${base}\` shows its parameters`]
        : [`declare it as \`@param ${named.value} {${typeText(wanted)}}\``],
  };
}

/** Returns why no value of one schema fits the other. Limits are not compared: the base tool checks each value. */
function misfit(declared: ParameterSchema, wanted: ParameterSchema): string | undefined {
  if (isAny(wanted)) return undefined;
  if (isNumeric(wanted) && isNumeric(declared) && (wanted.type === declared.type || wanted.type === "number"))
    return foreignChoice(declared, wanted);
  if (declared.type === "string" && wanted.type === "string") return textMisfit(declared, wanted);
  if (declared.type === "array" && wanted.type === "array") {
    const reason = misfit(declared.items, wanted.items);
    return reason === undefined ? undefined : `in its items, ${reason}`;
  }
  if (declared.type === "object" && wanted.type === "object") return objectMisfit(declared, wanted);
  return declared.type === wanted.type ? undefined : `expected ${typeText(wanted)}`;
}

function textMisfit(declared: StringSchema, wanted: StringSchema): string | undefined {
  if (wanted.format === "code" && declared.format !== "code" && declared.choices === undefined)
    return "it is program text";
  if (declared.format !== undefined && wanted.format !== undefined && declared.format !== wanted.format)
    return `expected ${wanted.format}`;
  return foreignChoice(declared, wanted);
}

function isNumeric(schema: ParameterSchema): schema is NumberSchema {
  return schema.type === "integer" || schema.type === "number";
}

function foreignChoice(declared: StringSchema | NumberSchema, wanted: StringSchema | NumberSchema): string | undefined {
  const choices: readonly (string | number)[] | undefined = wanted.choices;
  const own: readonly (string | number)[] = declared.choices ?? [];
  const foreign = choices && own.find((choice) => !choices.includes(choice));
  return foreign === undefined ? undefined : `\`${foreign}\` is not one of ${typeText(wanted)}`;
}

function objectMisfit(declared: ObjectSchema, wanted: ObjectSchema): string | undefined {
  for (const property of declared.properties) {
    const known = wanted.properties.find((candidate) => candidate.name === property.name);
    if (!known && !wanted.open) return `it has no property \`${property.name}\``;
    const reason = known && misfit(property.schema, known.schema);
    if (reason !== undefined) return `in \`${property.name}\`, ${reason}`;
  }
  const missing = declared.open
    ? undefined
    : wanted.properties.find(
        (property) => property.required && !declared.properties.some((own) => own.name === property.name),
      );
  return missing && `it requires \`${missing.name}\``;
}

// A parameter transforms its value only in a call through the gate. A wrap calls its base tool directly, so it may only
// pass such a parameter on unchanged.

export function lostTransforms(definition: WrappedDefinition, base: BaseTool): readonly Diagnostic[] {
  if (definition.commands.length > 0) return [];
  const names = definition.parameters.map(({ name }) => name);
  return base.parameters
    .filter(({ transform }) => transform !== undefined)
    .flatMap(({ name, schema }): readonly Diagnostic[] => {
      const preset = definition.presets.find(({ parameter }) => parameter.value === name);
      const template = preset && parseValueTemplate(preset.text, schema, names).value;
      // A fixed value is written in its final form.
      if (preset ? !template || isLiteral(template) : !names.includes(name)) return [];
      return [
        {
          code: "parameter-mismatch",
          severity: "error",
          message: `\`${definition.base.value}\` transforms its \`${name}\` with an expression, which a wrapper would bypass`,
          at: { span: preset?.text.span ?? definition.base.span, text: "" },
          related: [],
          help: [`use it in a step: \`@step NAME uses ${definition.base.value}\``],
        },
      ];
    });
}

// The parameters of a wrapped tool that may contain NUL, because their values become neither a word nor a variable.

export function withNul(
  parameters: readonly Parameter[],
  definition: WrappedDefinition,
  base: BaseTool,
): readonly Parameter[] {
  const mayHoldNul = definition.commands.length > 0 ? inputOnly(definition) : passedOn(definition, base);
  return mayHoldNul
    ? parameters.map((parameter) =>
        parameter.schema.type === "string" && mayHoldNul(parameter.name)
          ? { ...parameter, schema: { ...parameter.schema, mayHoldNul: true } }
          : parameter,
      )
    : parameters;
}

type Fact = (name: string) => boolean;

function inputOnly({ commands, fallback, surroundings }: WrappedDefinition): Fact | undefined {
  const { stdin, cwd, environment } = surroundings;
  if (!stdin) return undefined;
  const elsewhere = JSON.stringify([commands, fallback, cwd, environment]);
  return (name) =>
    stdin.parts.some((part) => typeof part !== "string" && part.placeholder === name) &&
    !elsewhere.includes(`"placeholder":${JSON.stringify(name)}`);
}

/** Returns whether the value goes to a parameter of the base tool that may. */
function passedOn({ parameters, presets }: WrappedDefinition, base: BaseTool): Fact | undefined {
  if (parameters.length === 0) return undefined;
  const fixed = new Set(presets.map((preset) => preset.parameter.value));
  return (name) =>
    !fixed.has(name) &&
    base.parameters.some((known) => known.name === name && known.schema.type === "string" && known.schema.mayHoldNul);
}
