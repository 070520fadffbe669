// JavaScript and Python of definitions: `@code` tools, and steps of the kind `code`. JavaScript runs in the sandbox for
// code, Python in `python3` in that for commands.
import { SANDBOX_LIMITS } from "./limits.ts";
import { runCommand } from "../../core/base/run-command.ts";
import { recordOf } from "../../core/steps/step-record.ts";
import { type SandboxOutcome, runSandboxed } from "./run-sandboxed.ts";
import { isVariableName } from "./variable-name.ts";
import { safeTextLength } from "../../core/schema/backtracking.ts";
import { type Json, type JsonObject, isJsonObject } from "../../core/schema/json.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import type { Spanned } from "../../core/text/source.ts";
import { pythonConfinement } from "../../core/tool/confinement.ts";
import {
  type CodeDefinition,
  type DeclaredLimits,
  type StepsDefinition,
  underlyingTools,
} from "../../core/tool/definition.ts";
import type { SandboxLimits } from "../../core/tool/host-sandbox.ts";
import type { Step, StepAction } from "../../core/tool/step.ts";
import type { BaseTool, Tool, ToolContext } from "../../core/tool/tool.ts";
import { codeEffects, raisedEffects } from "../../core/builder/effects.ts";
import type { StepExecutor } from "../../core/steps/plan.ts";

/** Builds a `@code` tool. The arguments are `input`, and each is also a variable if its name can be one. */
export function codeTool(
  definition: CodeDefinition,
  options: { tool(named: Spanned<string>): Checked<BaseTool> },
): Checked<Tool> {
  const below = underlyingTools(definition).map((value) => options.tool({ value, span: placeOf(value, definition) }));
  const underlying = below.flatMap(({ value }) => value ?? []);
  const diagnostics = below.flatMap((one) => one.diagnostics);
  if (underlying.length < below.length) return { diagnostics };
  const isUnknown = underlying.some(({ effects }) => effects.length === 0);
  const tool: Tool = {
    definition,
    effects: isUnknown
      ? []
      : raisedEffects([...codeEffects, ...underlying.flatMap(({ effects }) => effects)], definition.declaredEffects),
    ...(underlying.length === 0 ? {} : { underlying }),
    parameters: definition.parameters,
    safeTextLength: safeTextLength(definition.parameters),
    execute: async (args, context) =>
      outcomeOf(
        await runSandboxed(
          {
            code: definition.code.value,
            input: args,
            variables: variablesOf(args),
            limits: sandboxLimits(definition.limits),
            ...(definition.allows
              ? {
                  allowed: (await import("./allowed-functions.ts")).allowedFunctions(
                    definition.allows,
                    { effects: tool.effects, wallMsMax: definition.limits.timeoutMs ?? SANDBOX_LIMITS.wallMsMax },
                    context,
                  ),
                }
              : {}),
          },
          context,
        ),
      ),
  };
  return { value: Object.freeze(tool), diagnostics };
}

function placeOf(tool: string, { allows = [], name }: CodeDefinition): Spanned<string>["span"] {
  const named = allows.find((one) => one.function === "tools.call" && one.tool.value === tool);
  return named?.function === "tools.call" ? named.tool.span : name.span;
}

/** Returns the declared limits, and the sandbox's own for the rest. */
function sandboxLimits({
  timeoutMs,
  cpuMsMax,
  memoryBytesMax,
}: Pick<DeclaredLimits, "timeoutMs" | "cpuMsMax" | "memoryBytesMax">): Partial<SandboxLimits> {
  return {
    ...(timeoutMs === undefined ? {} : { wallMsMax: timeoutMs }),
    ...(cpuMsMax === undefined ? {} : { cpuMsMax }),
    ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
  };
}

function variablesOf(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== "input" && isVariableName(name)));
}

/** Returns the outcome: text as it is, everything else as data. */
function outcomeOf(outcome: SandboxOutcome): Outcome {
  const log: readonly Content[] = outcome.log === "" ? [] : [{ type: "text", text: outcome.log }];
  if (outcome.status === "failed") return { status: "failed", content: log, failure: outcome.failure };
  const { value } = outcome;
  return {
    status: "ok",
    content:
      typeof value === "string" ? [{ type: "text", text: value }] : value === null ? log : [{ type: "json", value }],
  };
}

/**
 * `args`, `steps`, `item` and `index` are variables, and so is each argument and the output of each step so far, which
 * win.
 */
export function javascriptExecutor(
  { timeoutMs }: Step,
  action: StepAction & { readonly kind: "code" },
  { cpuMsMax, memoryBytesMax }: DeclaredLimits,
): Checked<StepExecutor> {
  const limits = sandboxLimits({
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(cpuMsMax === undefined ? {} : { cpuMsMax }),
    ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
  });
  const execute: StepExecutor["execute"] = async (values, context) => {
    const all = values.everything();
    const input = isJsonObject(all["args"]) ? (all["args"]["input"] ?? null) : null;
    const outcome = outcomeOf(
      await runSandboxed(
        { code: action.code.value, input, variables: variablesOf({ ...all, ...flat(all) }), limits },
        context,
      ),
    );
    return withOutputs(outcome, leavesOf(action));
  };
  return {
    value: { tool: "JavaScript", effects: codeEffects, requires: [], runsProcess: false, secret: new Set(), execute },
    diagnostics: [],
  };
}

/** Returns arguments and outputs by their names. */
function flat({ args, steps }: JsonObject): JsonObject {
  const outputs = isJsonObject(steps)
    ? Object.entries(steps).map(([name, step]) => [name, isJsonObject(step) ? (step["output"] ?? "") : ""] as const)
    : [];
  return { ...(isJsonObject(args) ? args : {}), ...Object.fromEntries(outputs) };
}

/**
 * Reads the variables as JSON from standard input. The output is the variable that has the name of the step, as text or
 * JSON; without one, the output is what the code prints. Several outputs are one JSON object, and then printed text
 * goes to standard error.
 */
const PYTHON_DRIVER = `import json, sys
request = json.load(sys.stdin)
variables = dict(request["variables"])
variables["__name__"] = "__main__"
leaves, stdout = request["leaves"], sys.stdout
if leaves:
    sys.stdout = sys.stderr
exec(compile(request["code"], request["file"], "exec"), variables)
if leaves:
    stdout.write(json.dumps({name: variables[name] for name in leaves if name in variables}, ensure_ascii=False, allow_nan=False))
elif request["output"] in variables and request["output"] not in request["variables"]:
    value = variables[request["output"]]
    sys.stdout.write(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
`;

const PYTHON_ARGV: readonly string[] = ["python3", "-I", "-X", "utf8", "-c", PYTHON_DRIVER];

function leavesOf({ leaves = [] }: StepAction & { readonly kind: "code" }): readonly string[] {
  return leaves.map(({ value }) => value);
}

/** Fails if one of several outputs is missing: a step that reads it would continue without a value. */
function withOutputs(outcome: Outcome, leaves: readonly string[]): Outcome {
  if (leaves.length === 0 || outcome.status === "failed") return outcome;
  const given = recordOf(outcome, Number.MAX_SAFE_INTEGER).json() ?? null;
  const missing = leaves.filter((name) => !isJsonObject(given) || !Object.hasOwn(given, name));
  if (missing.length === 0) return outcome;
  return {
    ...outcome,
    status: "failed",
    failure: {
      kind: "rejected",
      reason: `the code does not set ${missing.map((name) => `\`${name}\``).join(" or ")}`,
      help: [],
    },
  };
}

const ranIntoSandbox = /\[Errno -?\d+\]|Permission denied|Read-only file system/;

/** Says how the code may do more, if it failed at something that the sandbox keeps from it. */
function withSandboxHelp(outcome: Outcome): Outcome {
  const { process } = outcome;
  if (outcome.status === "ok" || outcome.failure.kind !== "exit" || process?.level !== "strict") return outcome;
  if (!process.transcript.some(({ stream, text }) => stream === "stderr" && ranIntoSandbox.test(text))) return outcome;
  return { ...outcome, failure: { ...outcome.failure, help: SANDBOXED_PYTHON_HELP } };
}

const SANDBOXED_PYTHON_HELP: readonly string[] = [
  "Python in a step runs in the sandbox: it reads and writes the working folder, and has no network",
  "for more, write `@network HOST`, `@writes PATH` or `@sandbox none` into the definition, or in YAML `x-dottool: {sandbox: {level: none}}`",
];

export function pythonExecutor(
  step: Step,
  action: StepAction & { readonly kind: "code" },
  definition: StepsDefinition,
): Checked<StepExecutor> {
  const { parameters } = definition;
  // A name without a value is None in Python, and the empty text if it is the piped input.
  const absent = Object.fromEntries(parameters.map(({ name, fromStdin }) => [name, fromStdin ? "" : null]));
  const execute = async (values: Parameters<StepExecutor["execute"]>[0], context: ToolContext): Promise<Outcome> => {
    const all = values.everything();
    const variables: Readonly<Record<string, Json>> = { ...all, ...absent, ...flat(all) };
    const leaves = leavesOf(action);
    const stdin = JSON.stringify({
      code: action.code.value,
      file: `${step.name.value}.py`,
      output: step.name.value,
      leaves,
      variables,
    });
    const args = { argv: PYTHON_ARGV, stdin };
    const failure = await context.permit?.({ tool: "run_command", arguments: args });
    if (failure) return { status: "failed", content: [], failure };
    const confinement = context.confinement ? undefined : pythonConfinement(definition, context.cwd);
    const outcome = await runCommand.execute(args, confinement ? { ...context, confinement } : context);
    return withOutputs(confinement ? withSandboxHelp(outcome) : outcome, leaves);
  };
  return {
    value: {
      tool: "python3",
      effects: ["run"],
      requires: [{ program: "python3" }],
      runsProcess: true,
      secret: new Set(),
      execute,
    },
    diagnostics: [],
  };
}
