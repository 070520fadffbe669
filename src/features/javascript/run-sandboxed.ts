// Runs untrusted JavaScript, with JSON in and JSON out: `code` steps, `@code` tools, and tools that agents make.
//
// - The code is the body of an async function in strict mode. It sees `input`, the named `variables`, and the functions
//   in `allowed`; it `return`s its result, or it defines `execute(input)`, which is then called. TypeScript's types are
//   erased; enums and the like are a syntax failure.
// - `allowed`: from a name such as `fetch` or `fs.readFile` to a function that gets the arguments as JSON. What it
//   throws, the code sees as an Error with that message. Its signal aborts when the run is over. Nothing else reaches
//   out: no process, require, import, timers, Intl or Atomics.
// - `Date` (UTC), `performance` and `Math.random` exist, so two runs may differ, unless the context has a fixed clock
//   and a seed.
// - Every run has a fresh machine and `SANDBOX_LIMITS`, unless `limits` says otherwise; eight run at once, others wait.
//   An abort ends it within milliseconds.
// - The value has nothing that JSON would change: a function, NaN, a Map or `undefined` itself is the failure
//   `code-failed` (`no-json`); undefined properties go.
// - Never throws but for a bug of the caller. `log` is what `console.log` wrote, cut at 65,536 characters, also of a
//   run that failed. The first run takes some 50 ms, later ones 2 ms. Many small expressions: `runTransforms`.
import { isDeeper, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { SandboxAnswer, SandboxLimits } from "../../core/tool/host-sandbox.ts";
import {
  GUEST_THROWN,
  GUEST_VALUE,
  type GuestInput,
  type GuestNoJson,
  type GuestThrown,
  guestDriver,
} from "./guest-driver.ts";
import { DEPTH_MAX, INPUT_BYTES_MAX, SANDBOX_LIMITS, SOURCE_BYTES_MAX } from "./limits.ts";
import {
  bentAnswer,
  deepAnswer,
  endFailure,
  type FailureSource,
  noJsonFailure,
  thrownFailure,
} from "./sandbox-failure.ts";
import { runErased, type SandboxContext } from "./run-erased.ts";
import { byteLength, inputText, overlong } from "./sizes.ts";
import { isVariableName } from "./variable-name.ts";

export interface SandboxRequest {
  readonly code: string;
  readonly input: Json;
  /** Every name must satisfy `isVariableName`. */
  readonly variables?: JsonObject;
  readonly allowed?: Readonly<Record<string, SandboxFunction>>;
  readonly limits?: Partial<SandboxLimits>;
}

/** A function of the sandbox. Undefined arrives as null. */
export type SandboxFunction = (args: readonly Json[], signal: AbortSignal) => Promise<Json | undefined>;

export type SandboxOutcome =
  | { readonly status: "ok"; readonly value: Json; readonly log: string }
  | { readonly status: "failed"; readonly failure: Failure; readonly log: string };

export async function runSandboxed(request: SandboxRequest, context: SandboxContext): Promise<SandboxOutcome> {
  const { code, input, variables = {}, allowed = {} } = request;
  const source: FailureSource = {
    limits: { ...SANDBOX_LIMITS, ...request.limits },
    code,
    tool: context.path.at(-1) ?? "code",
  };
  const names = Object.keys(variables);
  const bent = names.find((name) => !isVariableName(name));
  if (bent !== undefined) throw new TypeError(`\`${bent}\` cannot be a variable name`);
  const guest: GuestInput = {
    arguments: [input, ...Object.values(variables)],
    functions: Object.keys(allowed).map((name) => name.split(".")),
    ...(context.repeatable ? { repeatable: { ...context.repeatable } } : {}),
  };
  const tooLong = overlong(code, SOURCE_BYTES_MAX, "bytes of code");
  const given = tooLong ? { failure: tooLong } : inputText(guest);
  if ("failure" in given) return { status: "failed", failure: given.failure, log: "" };

  let hasCallFailed = false;
  const end = await runErased(
    programFor(code, names),
    (program) =>
      context.host.sandbox.run({
        driver: guestDriver,
        program,
        input: given.text,
        limits: source.limits,
        signal: context.signal,
        depth: context.path.length,
        call: async (name, text, signal) => {
          const answer = callAllowed(allowed, { name, text, signal });
          hasCallFailed = await answer.then(
            () => false,
            () => true,
          );
          return answer;
        },
      }),
    context,
  );
  return {
    ...(end.kind === "answered"
      ? answerOf(end, { ...source, hasCallFailed })
      : { status: "failed", failure: endFailure(end, source) }),
    log: end.log,
  };
}

/**
 * Returns the program: one line before the code, so that its columns stay, and a block of its own, so that it may
 * declare the same names.
 */
export function programFor(code: string, names: readonly string[]): string {
  return `(async function (${["input", ...names].join(", ")}) { "use strict"; {\n${code}\n;if (typeof execute === "function") return execute(input);\n}})`;
}

async function callAllowed(
  allowed: Readonly<Record<string, SandboxFunction>>,
  { name, text, signal }: { readonly name: string; readonly text: string; readonly signal: AbortSignal },
): Promise<string> {
  const allowedFunction = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
  if (!allowedFunction) throw new Error(`there is no function \`${name}\``);
  const args = JSON.parse(text) as Json;
  if (!Array.isArray(args)) throw new Error(`\`${name}\` was not given a list of arguments`);
  if (isDeeper(args, DEPTH_MAX))
    throw new Error(`\`${name}\` was given a value nested more than ${DEPTH_MAX} levels deep`);
  const value = (await allowedFunction(args as readonly Json[], signal)) ?? null;
  if (isDeeper(value, DEPTH_MAX))
    throw new Error(`the answer of \`${name}\` is nested more than ${DEPTH_MAX} levels deep`);
  const answer = JSON.stringify(value);
  if (byteLength(answer) > INPUT_BYTES_MAX)
    throw new Error(`the answer of \`${name}\` is longer than ${INPUT_BYTES_MAX} bytes`);
  return answer;
}

type Answer =
  | { readonly status: "ok"; readonly value: Json }
  | { readonly status: "failed"; readonly failure: Failure };

/** The code may have tampered with the driver, so the text is untrusted. */
function answerOf({ mark, text }: SandboxAnswer, source: FailureSource): Answer {
  try {
    const content = JSON.parse(text) as unknown;
    if (mark === GUEST_VALUE)
      return isDeeper(content as Json, DEPTH_MAX)
        ? { status: "failed", failure: deepAnswer }
        : { status: "ok", value: content as Json };
    const failure =
      mark === GUEST_THROWN
        ? thrownFailure(content as GuestThrown, source)
        : noJsonFailure(content as GuestNoJson, source);
    return { status: "failed", failure };
  } catch {
    return { status: "failed", failure: bentAnswer };
  }
}
