// Prepares one step: a command is a wrap of `run_command` whose parameters are the references in it, and everything
// else is a call of another tool through the gate.
import { type ReferenceScope, referringString, schemaOf } from "../language/syntax/references.ts";
import { valueOfText } from "../schema/convert-text.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { actionReferences, surroundingReferences } from "../language/syntax/step-references.ts";
import type { StepExecutor, StepValues } from "../steps/plan.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { Expansion, Outcome } from "../tool/call.ts";
import type { Platform } from "../tool/command.ts";
import type { StepsDefinition, WrappedDefinition } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import { parseReference } from "../tool/reference.ts";
import type { Step, StepAction } from "../tool/step.ts";
import type { Preset } from "../tool/template.ts";
import type { BaseTool, InvokeOptions, Tool, ToolContext } from "../tool/tool.ts";
import type { CodeBuilder } from "./code-builder.ts";
import { parsePresets } from "./presets.ts";
import { optionLists } from "./effects.ts";
import { commandFor, wrappedTool } from "./wrapped.ts";

export interface StepExecutorOptions {
  readonly definition: StepsDefinition;
  readonly scope: ReferenceScope;
  readonly platform: Platform;
  readonly code: CodeBuilder;
  /** Returns the tool of a definition or a plugin, or a built-in one. */
  tool(named: Spanned<string>): Checked<BaseTool>;
}

export function executorOf(step: Step, action: StepAction, options: StepExecutorOptions): Checked<StepExecutor> {
  switch (action.kind) {
    case "command":
      return commandExecutor(step, action, options);
    case "tool":
      return toolExecutor(action, options);
    case "prompt":
      return promptExecutor(step, action, options);
    case "code": {
      const { code, definition } = options;
      return action.language === "javascript"
        ? code.javascriptExecutor(step, action, definition.limits)
        : code.pythonExecutor(step, action, definition);
    }
  }
}

function commandExecutor(
  step: Step,
  action: StepAction & { readonly kind: "command" },
  options: StepExecutorOptions,
): Checked<StepExecutor> {
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
  // The output of a step is not a word of the caller's.
  const built = wrappedTool(wrap, base.value, { platform, lists: optionLists(definition) });
  const tool = built.value;
  if (!tool) return { diagnostics: built.diagnostics };
  const command = commandFor(action.commands, platform);
  const program =
    command?.kind === "direct"
      ? command.words[0]?.parts.filter((part) => typeof part === "string").join("")
      : command?.shell;
  const check = (read: JsonObject): readonly ArgumentIssue[] => tool.check?.(read) ?? [];
  const execute = async ({ read }: StepValues, context: ToolContext): Promise<Outcome> => {
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
      execute,
    },
    diagnostics: built.diagnostics,
  };
}

/** Leaves out declarations of the whole tool, which the whole tool enforces. */
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

/** Returns a failure for the output of a step that is not allowed in its place. */
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

function toolExecutor(
  { tool: named, arguments: given, provider }: StepAction & { readonly kind: "tool" },
  options: StepExecutorOptions,
): Checked<StepExecutor> {
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
        execute: (_values, context) => context.invoke(named.value, {}, invokeOptions(context)),
      },
      diagnostics: target.diagnostics,
    };
  const presets = given.filter(
    ({ parameter, isOptional }) => !isOptional || taken.some(({ name }) => name === parameter.value),
  );
  // Presets are parsed under plain names, one after the other, so that the parser of `@with` accepts them.
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
  const written = new Map(read.flatMap(({ referring }) => referring.names.map(([name, as]) => [name, as] as const)));
  const isOutput = (name: string): boolean =>
    !options.definition.parameters.some((one) => one.name === (written.get(name) ?? name));
  const parsed = parsePresets(plain, target.value, isOutput);
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
  const execute = async ({ read: values }: StepValues, context: ToolContext): Promise<Outcome> => {
    const issues = check(values);
    if (issues.length > 0) return unfit(issues);
    return context.invoke(named.value, typed(filler.fill(filled(values)), taken), {
      ...invokeOptions(context),
      ...(provider === undefined ? {} : { provider }),
      ...(context.queued && target.value ? { tool: context.queued(target.value) } : {}),
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
      execute,
    },
    diagnostics,
  };
}

/** Converts the output of a step, which is text, to the type of a parameter, as on the command line. */
function typed(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const schema = schemas.get(name);
      return [
        name,
        typeof value === "string" && schema && schema.type !== "string" ? valueOfText(schema, value) : value,
      ];
    }),
  );
}

function invokeOptions(context: ToolContext): InvokeOptions {
  const { signal, span, keepOutput } = context;
  return { signal, onEvent: (event) => context.emit(event), span, keepOutput };
}

function missingParameters(target: Tool, presets: readonly Preset[], named: Spanned<string>): readonly Diagnostic[] {
  const given = new Set(presets.map(({ parameter }) => parameter.value));
  return target.parameters
    .filter(({ name, required, environment }) => required && environment === undefined && !given.has(name))
    .map(({ name }) => ({
      code: "missing-base-parameter",
      severity: "error",
      message: `the parameter \`${name}\` of \`${named.value}\` is not set`,
      at: { span: named.span, text: "" },
      related: [],
      help: [`add \`${name} = …\` below the step`],
    }));
}

const MODEL_TOOL = "ask_model";

function promptExecutor(
  step: Step,
  { prompt, provider }: StepAction & { readonly kind: "prompt" },
  options: StepExecutorOptions,
): Checked<StepExecutor> {
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
  const execute = ({ read }: StepValues, context: ToolContext): Promise<Outcome> =>
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
      execute,
    },
    diagnostics: [],
  };
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
