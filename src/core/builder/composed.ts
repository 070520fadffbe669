// A tool of several steps. Each step is a tool or a command, and the engine runs them in order.
import { uniqueIssues } from "../base/bind-posix.ts";
import type { ReferenceScope } from "../language/syntax/references.ts";
import { safeTextLength } from "../schema/backtracking.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { orderSteps } from "../language/kinds/step-order.ts";
import type { PlannedStep, StepExecutor, StepValues, StepsPlan } from "../steps/plan.ts";
import { outlineSteps } from "../steps/outline-steps.ts";
import { CANCELLED_CLEANUP_MS_MAX } from "../steps/clean-up.ts";
import { runSteps } from "../steps/run-steps.ts";
import { RunValues } from "../steps/run-values.ts";
import { referencesOfStep } from "../language/syntax/step-references.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { Outcome } from "../tool/call.ts";
import type { Platform } from "../tool/command.ts";
import { ABANDON_MS, underDeadline } from "../tool/deadline.ts";
import { hidesVariables, type Requirement, type StepsDefinition, underlyingTools } from "../tool/definition.ts";
import { type ArgumentIssue, LONGER_LIMIT } from "../tool/failure.ts";
import { parseReference } from "../tool/reference.ts";
import { type Step, outputNames, isCommandStep } from "../tool/step.ts";
import type { BaseTool, Tool, ToolContext } from "../tool/tool.ts";
import { joinedEffects } from "./effects.ts";
import { identityOf } from "./identity.ts";
import { repeatedOnce, runsOnce } from "./once-steps.ts";
import { processLimitDiagnostics } from "./process-limits.ts";
import { ONCE, type Recovery, recoveryMs, withRecovery } from "./recovery.ts";
import type { CodeBuilder } from "./code-builder.ts";
import { type StepExecutorOptions, executorOf } from "./step-executors.ts";

export interface ComposedOptions {
  readonly platform: Platform;
  /** Returns the tool of this name, or why there is none. */
  tool(named: Spanned<string>): Checked<BaseTool>;
  readonly code: CodeBuilder;
  /** Opens the user's queue for a step whose items workers make; `caller` is the tool that has the step. */
  openQueue?(
    step: Step,
    caller: { readonly arguments: JsonObject; readonly parameters: readonly Parameter[] },
    context: ToolContext,
  ): ReturnType<NonNullable<StepsPlan["openQueue"]>>;
}

export function composedTool(definition: StepsDefinition, options: ComposedOptions): Checked<Tool> {
  const { openQueue } = options;
  const order = orderSteps(definition);
  const scope = scopeOf(definition);
  const scopeWithItem: ReferenceScope = { ...scope, hasItem: true };
  const built = [...definition.steps, ...definition.cleanup].map((step) =>
    buildStep(step, { definition, scope: step.forEach ? scopeWithItem : scope, ...options }),
  );
  // A tool that a step uses has its own limits.
  const startsProcesses = [...definition.steps, ...definition.cleanup].some(
    (step) => isCommandStep(step) || (step.action.kind === "code" && step.action.language === "python"),
  );
  // The sandbox of a tool holds for what it uses, too.
  const usesTools = underlyingTools(definition).some((name) => name !== "ask_model");
  const misplaced = startsProcesses
    ? []
    : processLimitDiagnostics(usesTools ? { limits: definition.limits } : definition, {
        made: "by itself it",
        span: definition.name.span,
      });
  const again = repeatedOnce(
    definition,
    built.flatMap(({ value }) => value ?? []),
  );
  const diagnostics = unique([...built.flatMap((one) => one.diagnostics), ...misplaced, ...again]);
  // The parser has reported what is wrong with the order.
  if (!order.value || hasErrors(diagnostics)) return { diagnostics };
  const made = new Map(built.flatMap(({ value }) => (value ? [[value.step, value] as const] : [])));
  const planned = (step: Step, after: readonly string[]): PlannedStep => {
    const found = made.get(step);
    if (!found) throw new Error(`the step ${step.name.value} was built without a diagnostic`);
    const references = referencesOfStep(step, definition.surroundings);
    const { main, fallback } = found;
    // If errors are ignored, every step may fail and no failure stops the others.
    const lenient = definition.ignoreErrors ? { ...step, continuesOnError: true } : step;
    return {
      step: lenient,
      ...(runsOnce(found) ? { isOnce: true } : {}),
      ...(outputNames(step).some(({ value }) => hiddenOutputs.has(value)) ? { isSecret: true } : {}),
      after,
      references,
      ...expandable(main),
      effects: main.effects,
      ...(fallback ? { fallback: expandable(fallback) } : {}),
      execute: (values, context) => executed(found, values, context),
    };
  };
  const executors = [...made.values()].flatMap(({ main, fallback }) => [main, ...(fallback ? [fallback] : [])]);
  const secretRoots = rootsOfSecrets(executors);
  const hiddenOutputs = withSources(secretRoots, order.value, definition);
  // A parameter that a step passes to a secret parameter is secret in this tool too.
  const parameters = definition.parameters.map((parameter) =>
    secretRoots.has(parameter.name) ? { ...parameter, secret: true as const } : parameter,
  );
  const hasSecrets = hidesVariables(definition.surroundings) || parameters.some(({ secret }) => secret);
  const plan: StepsPlan = {
    name: definition.name.value,
    parameters: parameters.map(({ name }) => name),
    steps: order.value.map(({ step, after }) => planned(step, after)),
    cleanup: definition.cleanup.map((step) => planned(step, [])),
    ...(definition.output ? { output: definition.output } : {}),
    ...(openQueue
      ? { openQueue: (step, args, context) => openQueue(step, { arguments: args, parameters }, context) }
      : {}),
    identity: (host) => (hasSecrets ? undefined : identityOf(tool, host)),
  };
  const targets = executors.flatMap(({ target }) => (target ? [target] : []));
  const endingMs =
    Math.max(ABANDON_MS, ...targets.map((target) => target.endingMs ?? 0)) +
    definition.cleanup.length * CANCELLED_CLEANUP_MS_MAX;
  const recovery: Recovery = {
    endingMs,
    ...(definition.limits.retries ?? ONCE),
    ignoresErrors: false,
    attemptMs: (timeoutMs) =>
      definition.limits.timeoutMs === undefined ? longestMs(definition, timeoutMs) : timeoutMs,
  };
  const tool: Tool = {
    definition: {
      ...definition,
      parameters,
      requires: uniqueRequirements([...definition.requires, ...executors.flatMap(({ requires }) => requires)]),
    },
    effects: joinedEffects(
      {
        own: executors.flatMap(({ target, effects }) => (target ? [] : [effects])),
        below: targets.map(({ effects }) => effects),
      },
      definition,
    ),
    parameters,
    underlying: targets,
    endingMs,
    ...(executors.some(({ runsProcess }) => runsProcess) ? { runsProcess: true } : {}),
    safeTextLength: safeTextLength(parameters),
    longestMs: (timeoutMs) => recoveryMs(recovery, timeoutMs),
    check: (args) => issuesOf(args, { definition, made: [...made.values()] }),
    outline: (args, cwd) => outlineSteps(plan, args, cwd),
    // The output of a step goes to other steps.
    execute: (args, { lendTerminal: _shown, ...context }) =>
      withRecovery((own) => runSteps(plan, args, own), recovery, context),
  };
  return { value: Object.freeze(tool), diagnostics };
}

/** Checks the arguments before a step runs. A step with a condition is not checked, because it may never run. */
function issuesOf(
  args: JsonObject,
  { definition, made }: { readonly definition: StepsDefinition; readonly made: readonly BuiltStep[] },
): readonly ArgumentIssue[] {
  const names = new Set(definition.parameters.map(({ name }) => name));
  const values = new RunValues(args, {}, [...names]);
  const issues = made.flatMap(({ step, main }) =>
    step.when ? [] : (main.check?.(values.stepValues(referencesOfStep(step, definition.surroundings)).read) ?? []),
  );
  const own = issues.filter(({ path }) => names.has(/^[^.[]*/.exec(path)?.[0] ?? ""));
  return uniqueIssues(own);
}

function expandable({ tool, expand }: StepExecutor): Pick<PlannedStep, "tool" | "expand"> {
  return { tool, ...(expand ? { expand } : {}) };
}

interface BuiltStep {
  readonly step: Step;
  readonly main: StepExecutor;
  readonly fallback?: StepExecutor;
}

function scopeOf({ name, parameters, steps }: StepsDefinition): ReferenceScope {
  return {
    parameters: parameters.map((parameter) => ({ parameter, span: name.span })),
    steps: steps.flatMap((step) => outputNames(step).map(({ value, span }) => ({ name: value, span }))),
    hasItem: false,
  };
}

function buildStep(step: Step, options: StepExecutorOptions): Checked<BuiltStep> {
  const main = executorOf(step, step.action, options);
  const fallback = step.fallback && executorOf(step, step.fallback, options);
  const diagnostics = [...main.diagnostics, ...(fallback?.diagnostics ?? [])];
  if (!main.value || (fallback && !fallback.value)) return { diagnostics };
  return { value: { step, main: main.value, ...(fallback?.value ? { fallback: fallback.value } : {}) }, diagnostics };
}

/** Runs every attempt with the step's own deadline, then the fallback. */
function executed({ step, main, fallback }: BuiltStep, values: StepValues, context: ToolContext): Promise<Outcome> {
  const limitMs = context.limits.timeoutMs;
  const timely =
    (executor: StepExecutor) =>
    (own: ToolContext): Promise<Outcome> =>
      underDeadline((signal) => executor.execute(values, { ...own, signal }), own, {
        limitMs,
        failure: {
          kind: "timeout",
          limitMs,
          help: [step.timeoutMs === limitMs ? "give the step more time with `[timeout=…]`" : LONGER_LIMIT],
        },
        endingMs: executor.target?.endingMs,
      });
  const recovery: Recovery = {
    ...(step.retries ?? ONCE),
    ignoresErrors: false,
    ...(fallback ? { fallback: timely(fallback) } : {}),
    attemptMs: () => limitMs + ABANDON_MS,
  };
  return withRecovery(timely(main), recovery, context);
}

/** A day: the limit of lists if no other is set. */
const LONGEST_MS_MAX = 86_400_000;

/**
 * Returns the sum of the steps' limits, which is the limit if the tool has none; the number of items of a step is not
 * known in advance.
 */
function longestMs({ steps, cleanup }: StepsDefinition, timeoutMs: number): number {
  if (steps.some(({ forEach }) => forEach)) return Math.max(LONGEST_MS_MAX, timeoutMs);
  const all = [...steps, ...cleanup].map(({ timeoutMs: own = timeoutMs, retries, fallback }) =>
    recoveryMs(
      {
        ...(retries ?? ONCE),
        ...(fallback ? { fallback: neverCalled } : {}),
        ignoresErrors: false,
        attemptMs: () => own + ABANDON_MS,
      },
      own,
    ),
  );
  const sumMs = all.reduce((sum, ms) => sum + ms, 0);
  return sumMs === Number.POSITIVE_INFINITY ? sumMs : Math.min(LONGEST_MS_MAX, sumMs);
}

const neverCalled: NonNullable<Recovery["fallback"]> = () => Promise.reject(new Error("this recovery only counts"));

/** Returns the parameters and outputs that a step passes to a secret parameter. */
function rootsOfSecrets(executors: readonly StepExecutor[]): ReadonlySet<string | undefined> {
  return new Set(executors.flatMap(({ secret }) => [...secret].map((written) => parseReference(written)?.root)));
}

/** Adds the outputs of which a secret one was made: steps refer to earlier ones. */
function withSources(
  secretRoots: ReadonlySet<string | undefined>,
  order: readonly { readonly step: Step }[],
  { surroundings }: StepsDefinition,
): ReadonlySet<string | undefined> {
  const roots = new Set(secretRoots);
  for (const { step } of order.toReversed())
    if (outputNames(step).some(({ value }) => roots.has(value)))
      for (const { root } of referencesOfStep(step, surroundings)) roots.add(root);
  return roots;
}

function uniqueRequirements(requirements: readonly Requirement[]): readonly Requirement[] {
  return [...new Map(requirements.map((one) => [`${one.program} ${one.range ?? ""}`, one])).values()];
}

/** Removes duplicates: many steps may use the same tool. */
function unique(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [
    ...new Map(diagnostics.map((one) => [`${one.code} ${one.at?.span.start ?? ""} ${one.message}`, one])).values(),
  ];
}
