// JavaScript and Python of definitions: `@code` tools, and steps of the kind `code`. JavaScript runs in the sandbox,
// Python in `python3`.
import { runCommand } from "../base/run-command.ts";
import { recordOf } from "../steps/step-record.ts";
import { type SandboxOutcome, runSandboxed } from "../sandbox/run-sandboxed.ts";
import { isVariableName } from "../sandbox/variable-name.ts";
import { safeTextLength } from "../schema/backtracking.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { type Checked } from "../text/diagnostic.ts";
import type { Content, Outcome } from "../tool/call.ts";
import type { CodeDefinition, DeclaredLimits } from "../tool/definition.ts";
import type { SandboxLimits } from "../tool/host-sandbox.ts";
import type { Step, StepAction } from "../tool/step.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";
import { codeEffects, raisedEffects } from "./effects.ts";
import type { Performer } from "./step-performers.ts";

/** The arguments are `input`, and each is a variable of its own where its name can be one. */
export function codeTool(definition: CodeDefinition): Checked<Tool> {
  const tool: Tool = {
    definition,
    effects: raisedEffects(codeEffects, definition.declaredEffects),
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
          },
          context,
        ),
      ),
  };
  return { value: Object.freeze(tool), diagnostics: [] };
}

/** What a definition declares; the sandbox's own limits for the rest. */
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

/** A text is itself; everything else is data. Nothing else leaves it. */
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
export function javascriptPerformer(
  { timeoutMs }: Step,
  action: StepAction & { readonly kind: "code" },
  { cpuMsMax, memoryBytesMax }: DeclaredLimits,
): Checked<Performer> {
  const limits = sandboxLimits({
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(cpuMsMax === undefined ? {} : { cpuMsMax }),
    ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
  });
  const perform: Performer["perform"] = async (values, context) => {
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
    value: { tool: "JavaScript", effects: codeEffects, requires: [], runsProcess: false, secret: new Set(), perform },
    diagnostics: [],
  };
}

/** Arguments and outputs by their names. */
function flat({ args, steps }: JsonObject): JsonObject {
  const outputs = isJsonObject(steps)
    ? Object.entries(steps).map(([name, step]) => [name, isJsonObject(step) ? (step["output"] ?? "") : ""] as const)
    : [];
  return { ...(isJsonObject(args) ? args : {}), ...Object.fromEntries(outputs) };
}

/**
 * The variables come as JSON on standard input. What the code gives to the variable that the step is called after is
 * its output, as text or JSON; otherwise its output is what it prints. Several outputs are one JSON object, and what it
 * prints then is standard error.
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

/** Where there are several, each has to be there: what reads one that is not would go on with nothing. */
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
      reason: `the code leaves no ${missing.map((name) => `\`${name}\``).join(" and no ")}`,
      help: [],
    },
  };
}

export function pythonPerformer(
  step: Step,
  action: StepAction & { readonly kind: "code" },
  parameters: readonly Parameter[],
): Checked<Performer> {
  // A name that has no value is None to Python, and the empty text where it is what is piped in.
  const absent = Object.fromEntries(parameters.map(({ name, fromStdin }) => [name, fromStdin ? "" : null]));
  const perform = async (values: Parameters<Performer["perform"]>[0], context: ToolContext): Promise<Outcome> => {
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
    return failure
      ? { status: "failed", content: [], failure }
      : withOutputs(await runCommand.execute(args, context), leaves);
  };
  return {
    value: {
      tool: "python3",
      effects: ["run"],
      requires: [{ program: "python3" }],
      runsProcess: true,
      secret: new Set(),
      perform,
    },
    diagnostics: [],
  };
}
