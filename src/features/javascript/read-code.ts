// Whether the sandbox can read code, by the grammar that runs it. The code does not run.
import type { Failure } from "../../core/tool/failure.ts";
import type { SandboxEnd } from "../../core/tool/host-sandbox.ts";
import { SANDBOX_LIMITS, SOURCE_BYTES_MAX } from "./limits.ts";
import { type SandboxContext, runErased, tooDeep, tooSlow, withDepth } from "./run-erased.ts";
import { programFor } from "./run-sandboxed.ts";
import { LINES_BEFORE, syntaxFailure } from "./sandbox-failure.ts";
import { byteLength } from "./sizes.ts";

export type SyntaxFailure = Failure & { readonly kind: "code-failed" };

/** A `body` is that of a function, as for `runSandboxed`, and an `expression` is one as for `runTransforms`. */
export type ReadableCode = { readonly kind: "body" | "expression"; readonly text: string };

/** Returns a syntax failure. Undefined if the code can be parsed, or is so large that only a run can tell. */
export async function syntaxFailureOf(
  { kind, text }: ReadableCode,
  context: SandboxContext,
): Promise<SyntaxFailure | undefined> {
  if (byteLength(text) > SOURCE_BYTES_MAX)
    return syntaxFailure(
      { message: `it is longer than ${SOURCE_BYTES_MAX} bytes`, line: LINES_BEFORE + 1, column: 1 },
      text,
    );
  const read = (program: string): Promise<SandboxEnd> =>
    context.host.sandbox.run({
      driver: "",
      program,
      input: "",
      isOnlyRead: true,
      limits: SANDBOX_LIMITS,
      signal: context.signal,
      depth: context.path.length,
      call: () => Promise.resolve(""),
    });
  const program = kind === "body" ? programFor(text, []) : `(function (value) { "use strict"; return (\n${text}\n) })`;
  const end = kind === "body" ? await runErased(program, read, context) : withDepth(await read(program), program);
  if (end.kind === "limit" && end.limit === "cpuMsMax") return syntaxFailure(tooSlow(), text);
  if (end.kind === "overflow") return syntaxFailure(tooDeep(program), text);
  return end.kind === "syntax" ? syntaxFailure(end, text) : undefined;
}
