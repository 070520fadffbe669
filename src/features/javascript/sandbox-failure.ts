// The end of a run in the sandbox, as a failure: data for callers, and places in the code as its author wrote it.
import { rowOf } from "../../core/text/row-of.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { SandboxEnd, SandboxLimits } from "../../core/tool/host-sandbox.ts";
import type { GuestNoJson, GuestThrown } from "./guest-driver.ts";
import { DEPTH_MAX } from "./limits.ts";

/** dottool puts one line before the author's program. */
export const LINES_BEFORE = 1;
const OUT_OF_MEMORY = "InternalError: out of memory";

export interface FailureSource {
  readonly limits: SandboxLimits;
  /** The code as its author wrote it. */
  readonly code: string;
  /** The tool to name when dottool is at fault. */
  readonly tool: string;
  /** Whether its last call out of the sandbox failed. */
  readonly hasCallFailed?: boolean;
}

/** The failure of code that tampered with the driver. */
export const bentAnswer: Failure = {
  kind: "code-failed",
  problem: "no-json",
  message: "a value that JSON cannot represent",
  help: [],
};

export const deepAnswer: Failure = {
  kind: "code-failed",
  problem: "no-json",
  message: `a value nested more than ${DEPTH_MAX} levels deep`,
  help: [],
};

export function endFailure(end: Exclude<SandboxEnd, { kind: "answered" }>, source: FailureSource): Failure {
  switch (end.kind) {
    case "syntax":
      return syntaxFailure(end, source.code);
    case "unsettled":
      return {
        kind: "code-failed",
        problem: "unsettled",
        message: "a promise that never settles",
        help: ["there are no timers; only the declared functions can make the code wait"],
      };
    case "limit":
      return limitFailure(end.limit, source.limits);
    case "overflow":
      return {
        kind: "code-failed",
        problem: "thrown",
        message: "RangeError: Maximum call stack size exceeded",
        help: [],
      };
    case "timeout":
      return { kind: "timeout", limitMs: source.limits.wallMsMax };
    case "cancelled":
      return { kind: "cancelled" };
    case "busy":
      return { kind: "busy", waiting: end.waiting };
    case "crashed":
      return { kind: "crashed", tool: source.tool, error: end.error };
  }
}

/** `line` counts from 1 in the program. */
export function syntaxFailure(
  { message, line, column }: { readonly message: string; readonly line: number; readonly column: number },
  code: string,
): Failure & { readonly kind: "code-failed" } {
  const lines = code.split("\n");
  const lineInCode = Math.max(1, line - LINES_BEFORE);
  if (lineInCode <= lines.length)
    return { kind: "code-failed", problem: "syntax", message, line: lineInCode, column, help: [] };
  // The engine reports a place after the code, in our own text.
  const end = { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  return {
    kind: "code-failed",
    problem: "syntax",
    message: "it ends too early",
    ...end,
    help: ["close the open bracket or brace"],
  };
}

export function thrownFailure(
  { name, message, stack }: GuestThrown,
  { limits, hasCallFailed }: FailureSource,
): Failure {
  const what = name === "" ? message : message === "" ? name : `${name}: ${message}`;
  if (what === OUT_OF_MEMORY) return limitFailure("memoryBytesMax", limits);
  return {
    kind: "code-failed",
    problem: "thrown",
    message: what,
    ...placeIn(stack),
    ...(hasCallFailed ? { isOfCall: true } : {}),
    help: [],
  };
}

export function noJsonFailure({ what, key, message }: GuestNoJson, { limits }: FailureSource): Failure {
  if (message === OUT_OF_MEMORY) return limitFailure("memoryBytesMax", limits);
  const help = rowOf(noJsonHelp, what);
  if (what === "undefined" && key === "")
    return {
      kind: "code-failed",
      problem: "no-json",
      message: "nothing",
      help: ["end it with `return`, or define `execute(input)`"],
    };
  const shown =
    what === ""
      ? `a value that JSON cannot represent: ${message}`
      : `${what}${key === "" ? "" : ` at \`${key}\``}, which JSON cannot represent`;
  return { kind: "code-failed", problem: "no-json", message: shown, help: help === undefined ? [] : [help] };
}

const noJsonHelp: Readonly<Record<string, string>> = {
  NaN: "return `null` where there is no number",
  "a BigInt": "return `Number(…)` or `String(…)` of it",
  "a Map": "return `Object.fromEntries(…)` of it",
  "a Set": "return `[...…]` of it",
  "an unawaited promise": "put `await` before it, or `await Promise.all(…)` around several",
};

/** Returns the place of the innermost frame in the code itself: `at name (code:3:7)`. */
function placeIn(stack: string): { readonly line?: number; readonly column?: number } {
  const [, line, column] = /\bcode:(\d+):(\d+)/.exec(stack) ?? [];
  const lineInCode = Number(line) - LINES_BEFORE;
  return lineInCode >= 1 ? { line: lineInCode, column: Number(column) } : {};
}

function limitFailure(limit: (SandboxEnd & { kind: "limit" })["limit"], limits: SandboxLimits): Failure {
  switch (limit) {
    case "cpuMsMax":
      return {
        kind: "limit",
        limit: limits.cpuMsMax,
        unit: "ms of computing",
        help: ["do less in one call"],
      };
    case "memoryBytesMax":
      return {
        kind: "limit",
        limit: limits.memoryBytesMax,
        unit: "bytes of memory",
        help: ["use less memory at a time"],
      };
    case "hostCallsMax":
      return {
        kind: "limit",
        limit: limits.hostCallsMax,
        unit: "calls out of the sandbox",
        help: ["ask for more with each call"],
      };
    case "resultBytesMax":
      return {
        kind: "limit",
        limit: limits.resultBytesMax,
        unit: "bytes of result",
        help: ["return or pass less"],
      };
  }
}
