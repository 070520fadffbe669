// Helpers for the sandbox's tests: the real host, and after every attack a call that must be right.
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { runSandboxed, type SandboxOutcome, type SandboxRequest } from "../../src/features/javascript/run-sandboxed.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { assert } from "../harness.ts";

const host = createNodeHost();
const { signal } = new AbortController();

export const context = { host, signal, path: ["t"] };

export function run(
  code: string,
  more: Partial<SandboxRequest> = {},
  options: { readonly signal?: AbortSignal } = {},
): Promise<SandboxOutcome> {
  return runSandboxed({ code, input: { a: 1 }, ...more }, { ...context, ...options });
}

export async function valueOf(code: string, more: Partial<SandboxRequest> = {}): Promise<unknown> {
  const outcome = await run(code, more);
  return outcome.status === "ok" ? outcome.value : shown(outcome);
}

/** Returns the failure as people read it, after a check that the next call is unharmed. */
export async function attack(code: string, more: Partial<SandboxRequest> = {}): Promise<string> {
  const outcome = await run(code, more);
  const next = await run(
    "return [typeof prey, Object.keys(Object.prototype), [1, 2].map((n) => n * 2), JSON.stringify({ b: input.a })]",
  );
  assert.equal(next, { status: "ok", value: ["undefined", [], [2, 4], '{"b":1}'], log: "" });
  return outcome.status === "ok" ? `ok ${JSON.stringify(outcome.value)}` : shown(outcome);
}

export function shown(outcome: SandboxOutcome & { status: "failed" }): string {
  return failureText(outcome.failure, { audience: "model", tool: "t" });
}
