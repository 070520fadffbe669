// Runs many small expressions on one value each, such as `value.toLowerCase()`, in one machine. They have one author
// and share its limits.
import type { Json } from "../schema/json.ts";
import type { Failure } from "../tool/failure.ts";
import type { SandboxAnswer, SandboxLimits } from "../tool/host-sandbox.ts";
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
import { inputText, isDeeper } from "./sizes.ts";

export interface Transform {
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
