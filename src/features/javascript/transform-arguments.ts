// Arguments that their parameters change with an expression before the check, all of a call in one sandbox.
import type { TransformedArguments, TransformOptions } from "../../core/run/prepare.ts";
import { isDeeper, isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { isAny, type Parameter, type ParameterSchema } from "../../core/schema/parameter.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { SandboxAnswer, SandboxLimits } from "../../core/tool/host-sandbox.ts";
import { GUEST_TRANSFORM, GUEST_VALUE, type GuestInput, type GuestTransform, guestDriver } from "./guest-driver.ts";
import { DEPTH_MAX, SANDBOX_LIMITS } from "./limits.ts";
import type { SandboxContext } from "./run-erased.ts";
import {
  type FailureSource,
  bentAnswer,
  deepAnswer,
  endFailure,
  noJsonFailure,
  thrownFailure,
} from "./sandbox-failure.ts";
import { inputText } from "./sizes.ts";

/** `sent` is what the caller sent. A default is changed like a value of the caller's. */
export async function transformedArguments(
  tool: Tool,
  sent: unknown,
  { host, signal }: TransformOptions,
): Promise<TransformedArguments> {
  if (!isJsonObject(sent)) return { arguments: sent };
  const values = tool.parameters.flatMap(({ name, transform, default: fallback }) => {
    const value: Json | undefined = Object.hasOwn(sent, name) ? sent[name] : fallback;
    return transform === undefined || value === undefined ? [] : [{ name, expression: transform, value }];
  });
  const outcome = await runTransforms(values, { host, signal, path: [tool.definition.name.value] });
  if (outcome.status === "ok") {
    const fault = typeFault(tool.parameters, values, outcome.values);
    if (fault) return { failure: fault };
    const changed: JsonObject = Object.fromEntries(
      values.flatMap(({ name }, index) =>
        outcome.values[index] === undefined ? [] : [[name, outcome.values[index]] as const],
      ),
    );
    return { arguments: { ...sent, ...changed } };
  }
  const at = outcome.index === undefined ? undefined : values[outcome.index];
  if (!at) return { failure: outcome.failure };
  const fault = definitionFault(outcome.failure, at);
  return fault
    ? { failure: fault }
    : {
        issue: {
          path: at.name,
          message: `the transform \`${at.expression}\` fails with this value: ${headline(outcome.failure, tool)}`,
        },
      };
}

/** Returns the fault of a transform whose result has another type than the value that it was given. */
function typeFault(
  parameters: readonly Parameter[],
  values: readonly { readonly name: string; readonly expression: string; readonly value: Json }[],
  results: readonly (Json | undefined)[],
): Failure | undefined {
  for (const [at, { name, expression, value }] of values.entries()) {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    const result = results[at];
    if (!schema || isAny(schema) || result === undefined) continue;
    const type = schema.type === "integer" ? "number" : schema.type;
    if (typeOf(result) === type || typeOf(value) !== type) continue;
    return {
      kind: "code-failed",
      problem: "wrong-type",
      message: `the transform \`${expression}\` of \`${name}\` gives ${typeOf(result) === "null" ? "null" : `a value of the type ${typeOf(result)}`}, and the parameter's type is ${schema.type}`,
      help: [
        "the call is fine; in the definition, let `transform` give a value of that type, or declare another type",
        ...(type === "boolean"
          ? ["words that stand for `true` are its `format`, or its `flag` in a `.tool` file"]
          : []),
      ],
    };
  }
  return undefined;
}

function typeOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Returns why the transform of a parameter would fail in any call, found with a value of its type. */
export async function transformFault(
  { parameter, tool }: { readonly parameter: Parameter; readonly tool: string },
  { host, signal }: TransformOptions,
): Promise<(Failure & { readonly kind: "code-failed" }) | undefined> {
  const { name, transform, schema } = parameter;
  if (transform === undefined) return undefined;
  const value = parameter.example ?? parameter.default ?? SAMPLES[schema.type];
  const values = [{ name, expression: transform, value }];
  const outcome = await runTransforms(values, { host, signal, path: [tool] });
  const fault =
    outcome.status === "ok"
      ? typeFault([parameter], values, outcome.values)
      : outcome.failure.kind === "code-failed" && outcome.failure.problem === "thrown"
        ? definitionFault(outcome.failure, { name, expression: transform })
        : undefined;
  return fault?.kind === "code-failed" ? fault : undefined;
}

const SAMPLES: Readonly<Record<ParameterSchema["type"], Json>> = {
  string: "a",
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
};

/** Returns the fault of an expression that fails for every value: a syntax error, or an unknown name. */
function definitionFault(
  failure: Failure,
  { name, expression }: { readonly name: string; readonly expression: string },
): Failure | undefined {
  if (
    failure.kind !== "code-failed" ||
    !(failure.problem === "syntax" || (failure.problem === "thrown" && failure.message.startsWith("ReferenceError: ")))
  )
    return undefined;
  return {
    ...failure,
    message: `${failure.message}, in the transform \`${expression}\` of \`${name}\``,
    help: ["the call is fine; fix `transform` in the definition"],
  };
}

function headline(failure: Failure, tool: Tool): string {
  const [first = ""] = failureText(failure, { audience: "model", tool: tool.definition.name.value }).split("\n");
  return first.replace(/^failed\[[\w-]+\]: /, "");
}

// Runs many small expressions on one value each, such as `value.toLowerCase()`, in one machine. They have one author
// and share its limits.

interface Transform {
  /** A JavaScript expression. It sees `value`. */
  readonly expression: string;
  readonly value: Json;
}

export type TransformOutcome =
  | { readonly status: "ok"; readonly values: readonly Json[] }
  /** `index` is that of the transform that failed. It is absent if all failed together. */
  | { readonly status: "failed"; readonly index?: number; readonly failure: Failure };

const LIMITS: SandboxLimits = { ...SANDBOX_LIMITS, hostCallsMax: 0 };

/** Runs the transforms and stops at the first that fails. Never throws. */
export async function runTransforms(
  transforms: readonly Transform[],
  { host, signal, path }: SandboxContext,
): Promise<TransformOutcome> {
  if (transforms.length === 0) return { status: "ok", values: [] };
  const guest: GuestInput = { transforms: transforms.map(({ expression, value }) => ({ expression, value })) };
  const input = inputText(guest);
  if ("failure" in input) return { status: "failed", failure: input.failure };
  const source: FailureSource = { limits: LIMITS, code: "", tool: path.at(-1) ?? "transform" };
  const call = (): Promise<string> => Promise.reject(new Error("a transform cannot call tools"));
  const end = await host.sandbox.run({
    driver: guestDriver,
    program: "0",
    input: input.text,
    limits: LIMITS,
    signal,
    depth: path.length,
    call,
  });
  return end.kind === "answered" ? answerOf(end, source) : { status: "failed", failure: endFailure(end, source) };
}

function answerOf({ mark, text }: SandboxAnswer, source: FailureSource): TransformOutcome {
  try {
    const content = JSON.parse(text) as unknown;
    if (mark === GUEST_VALUE)
      return isDeeper(content as Json, DEPTH_MAX)
        ? { status: "failed", failure: deepAnswer }
        : { status: "ok", values: content as Json[] };
    if (mark !== GUEST_TRANSFORM) return { status: "failed", failure: bentAnswer };
    const failed = content as GuestTransform;
    return { status: "failed", index: failed.index, failure: failureOf(failed, source) };
  } catch {
    return { status: "failed", failure: bentAnswer };
  }
}

function failureOf({ problem, error }: GuestTransform, source: FailureSource): Failure {
  // Advice for a function body does not help with an expression.
  if (problem === "no-json" && error.what === "undefined")
    return { kind: "code-failed", problem, message: "nothing", help: [] };
  if (problem === "no-json") return noJsonFailure(error, source);
  return problem === "thrown"
    ? thrownFailure(error, source)
    : { kind: "code-failed", problem, message: error.message, help: [] };
}
