// A wrapped tool: a command over a base tool that runs commands, or another tool with some of its parameters set.
import { safeTextLength } from "../schema/backtracking.ts";
import { MASK } from "../schema/describe.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { uniqueIssues } from "../base/bind-posix.ts";
import { isForWindowsShell, shellRequirements } from "../base/bind-shell.ts";
import { validateArguments } from "../schema/validate.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { Outcome } from "../tool/call.ts";
import type { CommandTemplate, Platform, PlatformCommand } from "../tool/command.ts";
import { hasPart } from "../tool/feature.ts";
import { hidesVariables, type Surroundings, type WrappedDefinition } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { BaseTool, CommandBinding, Tool, ToolContext } from "../tool/tool.ts";
import { withPresetDefaults } from "./base-parameters.ts";
import { commandEffects, effectsOver, optionLists } from "./effects.ts";
import { inheritedNeeds } from "./inherited-needs.ts";
import { lostTransforms, passedDiagnostics, withNul, withSecrets } from "./passed-parameters.ts";
import { parsePresets } from "./presets.ts";
import { processLimitDiagnostics } from "./process-limits.ts";
import { ONCE, type Recovery, recoveryMs, withRecovery } from "./recovery.ts";

interface WrapOptions {
  readonly platform: Platform;
  /** The lists whose words may begin with `-`. */
  readonly lists?: ReadonlySet<string>;
}

export function wrappedTool(
  definition: WrappedDefinition,
  base: BaseTool,
  { platform, lists = optionLists(definition) }: WrapOptions,
): Checked<Tool> {
  const inherited = withPresetDefaults(definition, base.parameters);
  const presets = parsePresets(definition, base);
  const shape = shapeDiagnostics(definition, base, platform);
  // If there is no command at all, unused parameters are not reported one by one.
  const passed =
    presets.value && shape.length === 0 && definition.commands.length === 0
      ? passedDiagnostics(definition, base, presets.value.placed)
      : [];
  const diagnostics = [
    ...inherited.diagnostics,
    ...presets.diagnostics,
    ...shape,
    ...passed,
    ...lostTransforms(definition, base),
    ...(base.runsProcess
      ? []
      : processLimitDiagnostics(definition, { made: `\`${definition.base.value}\``, span: definition.base.span })),
  ];
  if (!inherited.value || !presets.value || hasErrors(diagnostics)) return { diagnostics };
  const parameters = withNul(
    withSecrets(visibleParameters(definition, inherited.value), definition, { base, placed: presets.value.secret }),
    definition,
    base,
  );
  const own = withOwnNeeds(definition, platform);
  const binder =
    definition.commands.length > 0
      ? commandBinder(definition, base, { platform, lists })
      : passingBinder(definition, inherited.value);
  const bind: Bind = (args) => ({ ...binder.bind(args), ...presets.value?.fill(args) });
  const name = base.definition.name.value;
  const issuesOf = (args: JsonObject): readonly ArgumentIssue[] => {
    const found = [...binder.check(args), ...(presets.value?.check(args) ?? [])];
    if (found.length > 0) return found;
    const checked = validateArguments(base.parameters, bind(args), { owner: name, environment: () => undefined });
    return checked.arguments ? (base.check?.(checked.arguments) ?? []) : checked.issues;
  };
  const boundWith = (command: CommandTemplate | undefined, args: JsonObject): JsonObject =>
    command && base.wrap
      ? { ...base.wrap.bind(binding(definition, command, lists), args), ...presets.value?.fill(args) }
      : bind(args);
  const run = (command: CommandTemplate | undefined, args: JsonObject) => async (context: ToolContext) => {
    const bound = boundWith(command, args);
    const checked = validateArguments(base.parameters, bound, { owner: name, environment: () => undefined });
    if (!checked.arguments)
      throw new Error(
        `bound arguments do not fit \`${name}\`: ${checked.issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}`,
      );
    const fitting = checked.arguments;
    return hidesVariables(definition.surroundings)
      ? withSecret(definition.surroundings, context, (environment, within) =>
          base.execute(withEnvironment(fitting, environment), within),
        )
      : base.execute(fitting, context);
  };
  const { fallback } = definition;
  const recoveryFor = (args: JsonObject): Recovery => ({
    ...(definition.limits.retries ?? ONCE),
    ignoresErrors: definition.ignoreErrors,
    endingMs: base.endingMs,
    ...(fallback ? { fallback: run(fallback, args) } : {}),
    attemptMs: (timeoutMs) => base.longestMs?.(timeoutMs) ?? timeoutMs,
  });
  const tool: Tool = {
    definition: {
      ...definition,
      description: definition.description === "" ? base.definition.description : definition.description,
      parameters,
      limits: { ...base.definition.limits, ...definition.limits },
      ...(definition.commands.length === 0 && base.definition.returns && !definition.returns
        ? { returns: base.definition.returns }
        : {}),
      ...inheritedNeeds(own, base.definition),
    },
    effects:
      definition.commands.length > 0
        ? commandEffects(definition)
        : effectsOver(base.effects, definition.declaredEffects),
    parameters,
    underlying: [base],
    ...(base.endingMs === undefined ? {} : { endingMs: base.endingMs }),
    ...(base.runsProcess ? { runsProcess: true } : {}),
    ...(base.quotesFiles ? { quotesFiles: true } : {}),
    safeTextLength: Math.min(safeTextLength(parameters), base.safeTextLength),
    check: issuesOf,
    askedTimeoutMs: (args) => base.askedTimeoutMs?.(bind(args)),
    expand: (args) =>
      base.expand?.(bind(args)) ?? {
        tool: name,
        arguments: shownWith(bind(args), definition.surroundings),
      },
    below: (args) => [bind(args), ...(fallback ? [boundWith(fallback, args)] : [])],
    longestMs: (timeoutMs) => recoveryMs(recoveryFor({}), timeoutMs),
    execute: (args, context) => withRecovery(run(undefined, args), recoveryFor(args), context),
  };
  return { value: Object.freeze(tool), diagnostics };
}

/** Runs with the variables that are fetched for each call, in the sandbox that knows what they stand for. */
async function withSecret(
  surroundings: Surroundings,
  context: ToolContext,
  run: (environment: Readonly<Record<string, string>>, context: ToolContext) => Promise<Outcome>,
): Promise<Outcome> {
  const { secretEnvironment } = await import("./secret-environment.ts");
  const secret = await secretEnvironment(surroundings, context);
  if ("outcome" in secret) return secret.outcome;
  const { environment, confinement } = secret;
  return run(environment, confinement ? { ...context, confinement } : context);
}

function withOwnNeeds(definition: WrappedDefinition, platform: Platform): WrappedDefinition {
  const platforms = definition.platforms ?? platformsOf(definition.commands);
  return {
    ...definition,
    requires: [...definition.requires, ...shellRequirements(commandFor(definition.commands, platform))],
    ...(platforms ? { platforms } : {}),
  };
}

function withEnvironment(args: JsonObject, environment: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(environment).length === 0
    ? args
    : { ...args, env: { ...(isJsonObject(args["env"] ?? null) ? (args["env"] as JsonObject) : {}), ...environment } };
}

/** Returns arguments as a person sees them. `run_command` has no `env_file`: only those see it who look at the call. */
function shownWith(args: JsonObject, { secrets = [], environmentFile }: Surroundings): JsonObject {
  const hidden = Object.fromEntries(secrets.map(({ variable }) => [variable, MASK]));
  return {
    ...withEnvironment(args, hidden),
    ...(environmentFile === undefined ? {} : { env_file: environmentFile }),
  };
}

type Bind = (args: JsonObject) => JsonObject;

interface Binder {
  readonly bind: Bind;
  check(args: JsonObject): readonly ArgumentIssue[];
}

function commandBinder(
  definition: WrappedDefinition,
  base: BaseTool,
  { platform, lists }: Required<WrapOptions>,
): Binder {
  const command = commandFor(definition.commands, platform);
  const wrap = base.wrap;
  // On other platforms the gate has answered "unavailable" before anything is bound.
  if (!command || !wrap) return { bind: () => ({}), check: () => [] };
  const all = [command, ...(definition.fallback ? [definition.fallback] : [])].map((one) =>
    binding(definition, one, lists),
  );
  return {
    bind: (args) => wrap.bind(binding(definition, command, lists), args),
    check: (args) => uniqueIssues(all.flatMap((one) => wrap.check(one, args))),
  };
}

/**
 * Passes arguments that the base tool knows by name, and `@default` values for missing ones; the others only fill
 * `@with`.
 */
function passingBinder(definition: WrappedDefinition, inherited: readonly Parameter[]): Binder {
  const fixed = new Set(definition.presets.map((preset) => preset.parameter.value));
  const passed = inherited.map((parameter) => parameter.name).filter((name) => !fixed.has(name));
  const changed = new Set(definition.defaults.map((one) => one.parameter.value));
  const defaults = inherited.flatMap(({ name, default: value }): readonly (readonly [string, Json])[] =>
    value !== undefined && changed.has(name) && !fixed.has(name) ? [[name, value]] : [],
  );
  return {
    bind: (args) =>
      Object.fromEntries([...defaults, ...Object.entries(args).filter(([name]) => passed.includes(name))]),
    check: () => [],
  };
}

function binding(definition: WrappedDefinition, command: CommandTemplate, lists: ReadonlySet<string>): CommandBinding {
  const parameters = definition.parameters.map((one) => (lists.has(one.name) ? { ...one, flags: true as const } : one));
  return { command, parameters, surroundings: definition.surroundings };
}

/** Returns the most specific command: for the platform itself, then for `unix`, then for any platform. */
export function commandFor(commands: readonly PlatformCommand[], platform: Platform): CommandTemplate | undefined {
  const exact = commands.find((one) => one.platform === platform);
  const unix = platform === "windows" ? undefined : commands.find((one) => one.platform === "unix");
  return (exact ?? unix ?? commands.find((one) => one.platform === undefined))?.command;
}

function platformsOf(commands: readonly PlatformCommand[]): readonly Platform[] | undefined {
  if (commands.length === 0 || commands.some((one) => one.platform === undefined)) return undefined;
  return (["linux", "macos", "windows"] as const).filter((platform) => commandFor(commands, platform) !== undefined);
}

function visibleParameters(definition: WrappedDefinition, inherited: readonly Parameter[]): readonly Parameter[] {
  if (definition.commands.length > 0 || definition.parameters.length > 0) return definition.parameters;
  const fixed = new Set(definition.presets.map((preset) => preset.parameter.value));
  return inherited.filter((parameter) => !fixed.has(parameter.name));
}

function shapeDiagnostics(definition: WrappedDefinition, base: BaseTool, platform: Platform): readonly Diagnostic[] {
  const span = definition.base.span;
  const name = definition.base.value;
  const problem = (code: Diagnostic["code"], message: string, help: readonly string[]): Diagnostic => ({
    code,
    severity: "error",
    message,
    at: { span, text: "" },
    related: [],
    help,
  });
  if (
    !hasPart("bindWindows") &&
    [commandFor(definition.commands, platform), definition.fallback].some(isForWindowsShell)
  )
    return [
      problem("unsupported-yet", "this program was built without what runs scripts for PowerShell and cmd.exe", [
        "use `dottool` itself, which runs them",
      ]),
    ];
  if (definition.commands.length > 0) {
    return base.wrap
      ? []
      : [
          problem("not-wrappable", `\`${name}\` runs no commands, so it cannot have \`@command\` or \`@script\``, [
            "set its parameters with `@with`, or wrap `run_command`",
          ]),
        ];
  }
  const setsProgram = definition.presets.some((preset) =>
    base.wrap?.programParameters.includes(preset.parameter.value),
  );
  if (base.wrap && definition.parameters.length > 0 && !setsProgram) {
    return [
      problem("missing-command", `\`${name}\` needs a \`@command\` or a \`@script\` to run`, [
        `write what to run, for example \`@command echo {${definition.parameters[0]?.name ?? "text"}}\``,
      ]),
    ];
  }
  if (definition.parameters.length === 0) return [];
  const given = new Set([
    ...definition.presets.map((preset) => preset.parameter.value),
    ...definition.defaults.map((one) => one.parameter.value),
    ...definition.parameters.map((parameter) => parameter.name),
  ]);
  return base.parameters
    .filter((parameter) => parameter.required && !given.has(parameter.name))
    .map((parameter) =>
      problem("missing-base-parameter", `the parameter \`${parameter.name}\` of \`${name}\` is not set`, [
        `add \`@with ${parameter.name} = …\`, or declare \`@param ${parameter.name}\``,
      ]),
    );
}
