// Whether the sandbox can read code, by the grammar that runs it. Nothing of the code runs.
import type { Failure } from "../tool/failure.ts";
import type { SandboxEnd } from "../tool/host-sandbox.ts";
import { SANDBOX_LIMITS } from "./limits.ts";
import { programFor, runErased, type SandboxContext } from "./run-sandboxed.ts";
import { syntaxFailure } from "./sandbox-failure.ts";

export type SyntaxFailure = Failure & { readonly kind: "code-failed" };

/** `body`: of a function, as `runSandboxed` takes it. `expression`: as `runTransforms` does. */
export type ReadableCode = { readonly kind: "body" | "expression"; readonly text: string };

/** Undefined: it can be read, or is so large that only a run tells. */
export async function syntaxFailureOf({ kind, text }: ReadableCode, context: SandboxContext): Promise<SyntaxFailure | undefined> {
  const read = (program: string): Promise<SandboxEnd> => context.host.sandbox.run({ driver: "", program, input: "", isOnlyRead: true, limits: SANDBOX_LIMITS, signal: context.signal, depth: context.path.length, call: () => Promise.resolve("") });
  const end = kind === "body" ? await runErased(programFor(text, []), read, context) : await read(`(function (value) { "use strict"; return (\n${text}\n) })`);
  return end.kind === "syntax" ? syntaxFailure(end, text) : undefined;
}
