// Defaults of an alias that contain other arguments: `./repos/{BRANCH}`. They are filled in for each call that does not
// pass the parameter itself.
import { parseTemplate } from "../language/syntax/template.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { validateValue } from "../schema/validate.ts";
import { type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { AliasDefinition, ParameterValue } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { BaseTool } from "../tool/tool.ts";
import type { Template } from "../tool/template.ts";
import { presetGuard } from "./preset-guards.ts";
import { filledText, valueAsProgram } from "./presets.ts";

export interface TemplateDefaults {
  /** The other defaults, which are plain values. */
  readonly plain: readonly ParameterValue[];
  /** The names of the parameters that have such a default. */
  readonly names: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  fill(args: JsonObject): JsonObject;
  check(args: JsonObject): readonly ArgumentIssue[];
}

interface TemplateDefault {
  readonly parameter: Parameter;
  readonly template: Template;
}

export function templateDefaults(
  { defaults, base: named }: AliasDefinition,
  { parameters, wrap }: Pick<BaseTool, "parameters" | "wrap">,
): TemplateDefaults {
  const found: TemplateDefault[] = [];
  const plain: ParameterValue[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const one of defaults) {
    const { parameter: named, value } = one;
    const parameter = parameters.find(({ name }) => name === named.value);
    if (
      typeof value.value !== "string" ||
      parameter?.schema.type !== "string" ||
      !/\{\{|\{[A-Za-z_][\w-]*\}/.test(value.value)
    ) {
      plain.push(one);
      continue;
    }
    const { span } = value;
    const text = { text: value.value, span, offsetAt: (index: number) => Math.min(span.end, span.start + index) };
    const read = parseTemplate(
      text,
      parameters.map(({ name }) => name).filter((name) => name !== named.value),
    );
    diagnostics.push(...read.diagnostics);
    if (read.value?.parts.some((part) => typeof part !== "string")) {
      found.push({ parameter, template: read.value });
      if (wrap?.programParameters.includes(parameter.name)) diagnostics.push(valueAsProgram(span, parameter.name));
      if (parameter.secret) diagnostics.push(fromOthers(parameter.name, span));
    } else if (read.value && !hasErrors(read.diagnostics))
      plain.push({ parameter: named, value: { value: read.value.parts.join(""), span } });
  }
  const open = <One extends TemplateDefault>(all: readonly One[], args: JsonObject): readonly One[] =>
    all.filter(({ parameter }) => args[parameter.name] === undefined);
  const text = ({ template, parameter }: TemplateDefault, args: JsonObject): string =>
    filledText(template, args, parameter.schema);
  const guarded = found.map((one) => ({
    ...one,
    guard: presetGuard(
      [{ parameter: one.parameter, template: { kind: "text", text: one.template } }],
      parameters,
      named.value,
    ),
  }));
  return {
    plain,
    names: new Set(found.map(({ parameter }) => parameter.name)),
    diagnostics,
    fill: (args) => ({
      ...args,
      ...Object.fromEntries(open(found, args).map((one) => [one.parameter.name, text(one, args)])),
    }),
    check: (args) =>
      open(guarded, args).flatMap((one) => {
        const needed = [...missing(one, args), ...one.guard(args)];
        return needed.length > 0
          ? needed
          : validateValue(one.parameter.schema, text(one, args), one.parameter.name).issues;
      }),
  };
}

function fromOthers(name: string, span: Diagnostic["related"][number]["span"]): Diagnostic {
  return {
    code: "default-mismatch",
    severity: "error",
    message: `\`${name}\` is secret, but the parts of its default would be shown`,
    at: { span, text: "" },
    related: [],
    help: ["let the caller pass it"],
  };
}

/** Reports a missing part of a default, because without it the value would not be what its author meant. */
function missing({ parameter, template }: TemplateDefault, args: JsonObject): readonly ArgumentIssue[] {
  const names = template.parts.flatMap((part) =>
    typeof part === "string" || args[part.placeholder] !== undefined ? [] : [part.placeholder],
  );
  return names.map((name) => ({
    path: name,
    message: `is needed for the default of \`${parameter.name}\`; give it, or \`${parameter.name}\` itself`,
  }));
}
