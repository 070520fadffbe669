// What one step does, ready to be done: a command is a wrap of `run_command` whose parameters are the references in it,
// and everything else is a call of another tool through the gate.
import { referringString, type ReferenceScope, schemaOf } from "../language/references.ts";
import { convertText } from "../schema/convert-text.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { actionReferences, surroundingReferences } from "../language/step-references.ts";
import type { StepValues } from "../steps/plan.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import { wordedFor } from "../text/source-language.ts";
import type { Outcome } from "../tool/call.ts";
import type { Platform } from "../tool/command.ts";
import type { Effect, Preset, Requirement, StepsDefinition, WrappedDefinition } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import { parseReference } from "../tool/reference.ts";
import type { Step, StepAction } from "../tool/step.ts";
import type { BaseTool, Expansion, InvokeOptions, Tool, ToolContext } from "../tool/tool.ts";
import { javascriptPerformer, pythonPerformer } from "./code.ts";
import { parsePresets } from "./presets.ts";
import { commandFor, wrappedTool } from "./wrapped.ts";

/** What a step comes down to. */
export interface Performer {
  /** For messages: a tool, a program or a shell. */
  readonly tool: string;
  readonly effects: readonly Effect[];
  readonly requires: readonly Requirement[];
  readonly runsProcess: boolean;
  /** That it calls. */
  readonly target?: Tool;
  /** References that become a part of a secret. */
  readonly secret: ReadonlySet<string>;
  /** The call that it makes with these values, by the texts of the references. Pure. */
  expand?(read: JsonObject): Expansion;
  /** What may not stand where it would be put, by the texts of the references. Pure. */
  check?(read: JsonObject): readonly ArgumentIssue[];
  perform(values: StepValues, context: ToolContext): Promise<Outcome>;
}

export interface PerformerOptions {
  readonly definition: StepsDefinition;
  readonly scope: ReferenceScope;
  readonly platform: Platform;
  /** Of a definition, of a plugin, or built in. */
  tool(named: Spanned<string>): Checked<BaseTool>;
}

export function performerOf(step: Step, action: StepAction, options: PerformerOptions): Checked<Performer> {
  switch (action.kind) {
    case "command":
      return commandPerformer(step, action, options);
    case "tool":
      return toolPerformer(action, options);
    case "prompt":
      return promptPerformer(step, action, options);
    case "code":
      return action.language === "javascript"
        ? javascriptPerformer(step, action, options.definition.limits)
        : pythonPerformer(step, action, options.definition.parameters);
  }
}

function commandPerformer(
  step: Step,
  action: StepAction & { readonly kind: "command" },
  options: PerformerOptions,
): Checked<Performer> {
  const { definition, platform } = options;
  const base = options.tool({ value: "run_command", span: step.name.span });
  if (!base.value) return { diagnostics: base.diagnostics };
  const surroundings = step.stdin ? { ...definition.surroundings, stdin: step.stdin } : definition.surroundings;
  const names = new Set([...actionReferences(action), ...surroundingReferences(surroundings)]);
  const wrap: WrappedDefinition = {
    ...headOf(definition),
    kind: "wrapped",
    base: { value: "run_command", span: step.name.span },
    parameters: [...names].flatMap((name) => referenceParameter(name, options.scope) ?? []),
    commands: action.commands,
    presets: [],
    defaults: [],
    surroundings,
    ignoreErrors: false,
  };
  const built = wrappedTool(wrap, base.value, platform);
  const tool = built.value;
  if (!tool) return { diagnostics: built.diagnostics };
  const command = commandFor(action.commands, platform);
  const program =
    command?.kind === "direct"
      ? command.words[0]?.parts.filter((part) => typeof part === "string").join("")
      : command?.shell;
  const check = (read: JsonObject): readonly ArgumentIssue[] => tool.check?.(read) ?? [];
  const perform = async ({ read }: StepValues, context: ToolContext): Promise<Outcome> => {
    if (!command)
      return {
        status: "failed",
        content: [],
        failure: {
          kind: "unavailable",
          tool: step.name.value,
          reasons: [`the step \`${step.name.value}\` has no command for ${platform}`],
        },
      };
    const issues = check(read);
    if (issues.length > 0) return unfit(issues);
    const failure = await context.permit?.(expand(read));
    return failure ? { status: "failed", content: [], failure } : tool.execute(read, context);
  };
  const expand = (read: JsonObject): Expansion => tool.expand?.(read) ?? { tool: "run_command", arguments: {} };
  return {
    value: {
      tool: program ?? "run_command",
      effects: tool.effects,
      requires: tool.definition.requires,
      runsProcess: true,
      secret: new Set(),
      expand,
      check,
      perform,
    },
    diagnostics: built.diagnostics,
  };
}

/** What the tool as a whole declares is kept by the tool as a whole. */
function headOf(
  definition: StepsDefinition,
): Omit<StepsDefinition, "kind" | "steps" | "cleanup" | "output" | "surroundings" | "ignoreErrors"> {
  const { steps: _steps, cleanup: _cleanup, output: _output, ...head } = definition;
  return { ...head, declaredEffects: [], requires: [], depends: [], examples: [], tests: [], limits: {} };
}

function referenceParameter(written: string, scope: ReferenceScope): Parameter | undefined {
  const declared = scope.parameters.find(({ parameter }) => parameter.name === written);
  if (declared) return declared.parameter;
  const reference = parseReference(written);
  const schema = reference && schemaOf(reference, scope);
  const root = scope.parameters.find(({ parameter }) => parameter.name === reference?.root)?.parameter;
  return (
    schema && {
      name: written,
      description: "",
      schema,
      required: false,
      ...(root?.flags ? { flags: true } : {}),
      ...(root?.secret ? { secret: true } : {}),
    }
  );
}

/** The definition is sound and the caller may be, but what a step gave cannot stand where it should. */
function unfit(issues: readonly ArgumentIssue[]): Outcome {
  return {
    status: "failed",
    content: [],
    failure: {
      kind: "rejected",
      reason: issues.map(({ path, message }) => (path === "" ? message : `\`{${path}}\` ${message}`)).join("; "),
      help: [],
    },
  };
}

function toolPerformer(
  { tool: named, arguments: given, provider }: StepAction & { readonly kind: "tool" },
  options: PerformerOptions,
): Checked<Performer> {
  const target = options.tool(named);
  if (!target.value) return { diagnostics: target.diagnostics };
  const taken = target.value.parameters;
  if (target.value.obstacle)
    return {
      value: {
        tool: named.value,
        effects: target.value.effects,
        requires: [],
        runsProcess: false,
        secret: new Set(),
        target: target.value,
        perform: (_values, context) => context.invoke(named.value, {}, invokeOptions(context)),
      },
      diagnostics: target.diagnostics,
    };
  const presets = given.filter(
    ({ parameter, isOptional }) => !isOptional || taken.some(({ name }) => name === parameter.value),
  );
  // Presets are read under plain names, one after the other, so that the reader of `@with` reads them.
  const read = presets.map((preset) => ({
    preset,
    referring: referringString(preset.text.value, options.scope, preset.text.span),
  }));
  const parameters = new Map(
    read.flatMap(({ referring }) =>
      referring.declarations.map(({ parameter }) => [parameter.name, parameter] as const),
    ),
  );
  const plain: WrappedDefinition = {
    ...headOf(options.definition),
    kind: "wrapped",
    base: named,
    parameters: [...parameters.values()],
    commands: [],
    presets: read.map(({ preset, referring }) => ({
      parameter: preset.parameter,
      text: { value: referring.text.text, span: preset.text.span },
    })),
    defaults: [],
    surroundings: { environment: [], inheritsEnvironment: false },
    ignoreErrors: false,
  };
  const parsed = parsePresets(plain, target.value);
  const missing = missingParameters(target.value, presets, named);
  const diagnostics = [...read.flatMap(({ referring }) => referring.diagnostics), ...parsed.diagnostics, ...missing];
  const filler = parsed.value;
  if (!filler || hasErrors(diagnostics)) return { diagnostics };
  const plainValues = (values: JsonObject): JsonObject =>
    Object.fromEntries(
      read.flatMap(({ referring }) =>
        referring.names.flatMap(([name, written]): (readonly [string, Json])[] =>
          values[written] === undefined ? [] : [[name, values[written]]],
        ),
      ),
    );
  const filled = (values: JsonObject): JsonObject => ({ ...values, ...plainValues(values) });
  const check = (values: JsonObject): readonly ArgumentIssue[] => filler.check(filled(values));
  const perform = async ({ read: values }: StepValues, context: ToolContext): Promise<Outcome> => {
    const issues = check(values);
    if (issues.length > 0) return unfit(issues);
    return context.invoke(named.value, typed(filler.fill(filled(values)), taken), {
      ...invokeOptions(context),
      ...(provider === undefined ? {} : { provider }),
    });
  };
  const expand = (values: JsonObject): Expansion => ({
    tool: named.value,
    arguments: typed(filler.fill(filled(values)), taken),
  });
  const { effects, definition, runsProcess } = target.value;
  return {
    value: {
      tool: named.value,
      effects,
      requires: definition.requires,
      runsProcess: runsProcess === true,
      secret: filler.secret,
      target: target.value,
      expand,
      check,
      perform,
    },
    diagnostics,
  };
}

/** What a step leaves is text; a parameter of another type reads it as it would on the command line. */
function typed(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const schema = schemas.get(name);
      return [
        name,
        typeof value === "string" && schema && schema.type !== "string"
          ? (convertText(schema, value).value ?? value)
          : value,
      ];
    }),
  );
}

function invokeOptions(context: ToolContext): InvokeOptions {
  return { signal: context.signal, onEvent: (event) => context.emit(event), span: context.span };
}

function missingParameters(target: Tool, presets: readonly Preset[], named: Spanned<string>): readonly Diagnostic[] {
  const given = new Set(presets.map(({ parameter }) => parameter.value));
  return target.parameters
    .filter(({ name, required, environment }) => required && environment === undefined && !given.has(name))
    .map(({ name }) => ({
      code: "missing-base-parameter",
      severity: "error",
      message: `nothing gives \`${named.value}\` its parameter \`${name}\``,
      at: { span: named.span, text: "" },
      related: [],
      help: [wordedFor(named.span.source, `add \`${name} = …\` below the step`)],
    }));
}

const MODEL_TOOL = "ask_model";

function promptPerformer(
  step: Step,
  { prompt, provider }: StepAction & { readonly kind: "prompt" },
  options: PerformerOptions,
): Checked<Performer> {
  const target = options.tool({ value: MODEL_TOOL, span: step.name.span });
  if (!target.value) return { diagnostics: target.diagnostics };
  const expand = (read: JsonObject, asked = provider): Expansion => {
    const text = prompt.parts
      .map((part) =>
        typeof part === "string"
          ? part
          : textOf(Object.hasOwn(read, part.placeholder) ? read[part.placeholder] : undefined),
      )
      .join("");
    return { tool: MODEL_TOOL, arguments: { prompt: text, ...(asked === undefined ? {} : { provider: asked }) } };
  };
  const perform = ({ read }: StepValues, context: ToolContext): Promise<Outcome> =>
    context.invoke(MODEL_TOOL, expand(read, context.provider).arguments, invokeOptions(context));
  return {
    value: {
      tool: MODEL_TOOL,
      effects: target.value.effects,
      requires: [],
      runsProcess: false,
      secret: new Set(),
      target: target.value,
      expand,
      perform,
    },
    diagnostics: [],
  };
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
