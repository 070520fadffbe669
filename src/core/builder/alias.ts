// An alias: the same tool under another name, perhaps with other defaults.
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { AliasDefinition, ParameterValue } from "../tool/definition.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { withPresetDefaults } from "./base-parameters.ts";
import { effectsOver } from "./effects.ts";
import { inheritedNeeds } from "./inherited-needs.ts";
import { processLimitDiagnostics } from "./process-limits.ts";
import { parseTemplate } from "../language/syntax/template.ts";
import { validateValue } from "../schema/validate.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Template } from "../tool/template.ts";
import { presetGuard } from "./preset-guards.ts";
import { filledText, valueAsProgram } from "./presets.ts";

/** Builds an alias. Texts for people that it does not have are the base tool's. */
export function aliasTool(definition: AliasDefinition, base: BaseTool): Checked<Tool> {
  const templates = templateDefaults(definition, base);
  const given = withPresetDefaults({ ...definition, defaults: templates.plain }, base.parameters);
  const parameters = {
    value: given.value?.map((parameter) =>
      templates.names.has(parameter.name) ? withoutDefault(parameter) : parameter,
    ),
    diagnostics: [...templates.diagnostics, ...given.diagnostics],
  };
  const misplaced = base.runsProcess
    ? []
    : processLimitDiagnostics(definition, { made: `\`${definition.base.value}\``, span: definition.base.span });
  if (!parameters.value || hasErrors(parameters.diagnostics) || misplaced.length > 0)
    return { diagnostics: [...parameters.diagnostics, ...misplaced] };
  const own = base.definition;
  const tool: BaseTool = {
    definition: {
      ...definition,
      title: definition.title === "" ? own.title : definition.title,
      description: definition.description === "" ? own.description : definition.description,
      examples: definition.examples.length === 0 ? own.examples : definition.examples,
      limits: { ...own.limits, ...definition.limits },
      ...inheritedNeeds(definition, own),
      parameters: parameters.value,
      ...(own.returns && !definition.returns ? { returns: own.returns } : {}),
    },
    effects: effectsOver(base.effects, definition.declaredEffects),
    parameters: parameters.value,
    safeTextLength: base.safeTextLength,
    underlying: [base],
    ...(base.endingMs === undefined ? {} : { endingMs: base.endingMs }),
    ...(base.wrap ? { wrap: base.wrap } : {}),
    ...(base.runsProcess ? { runsProcess: true } : {}),
    ...(base.quotesFiles ? { quotesFiles: true } : {}),
    ...(base.longestMs ? { longestMs: base.longestMs } : {}),
    check: (args) => {
      const issues = templates.check(args);
      return issues.length > 0 ? issues : (base.check?.(templates.fill(args)) ?? []);
    },
    ...(base.askedTimeoutMs
      ? { askedTimeoutMs: (args: JsonObject) => base.askedTimeoutMs?.(templates.fill(args)) }
      : {}),
    ...(base.outline ? { outline: base.outline } : {}),
    expand: (args) => base.expand?.(templates.fill(args)) ?? { tool: own.name.value, arguments: templates.fill(args) },
    below: (args) => [templates.fill(args)],
    execute: (args, context) => base.execute(templates.fill(args), context),
  };
  return { value: Object.freeze(tool), diagnostics: parameters.diagnostics };
}

function withoutDefault({ default: _default, ...parameter }: Parameter): Parameter {
  return { ...parameter, required: false };
}

// Defaults of an alias that contain other arguments: `./repos/{BRANCH}`. They are filled in for each call that does not
// pass the parameter itself.
interface TemplateDefaults {
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

function templateDefaults(
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
