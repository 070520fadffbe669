// The limits of a call: the defaults, narrowed or widened by what the definition declares.
import type { DeclaredLimits } from "../tool/definition.ts";
import type { CallLimits } from "../tool/tool.ts";

/** The defaults: 60 s, and 100 MiB of output in total. */
const defaultLimits: CallLimits = { timeoutMs: 60_000, outputBytesMax: 100 * 1024 * 1024 };

/** The limit of calls inside each other, below the first one. */
export const CALL_DEPTH_MAX = 10;

/** `askedTimeoutMs` is what the call asks for, see `Tool`; `defaultMs` is the limit if nothing says one. */
export function limitsOf(
  declared: DeclaredLimits,
  askedTimeoutMs?: number,
  defaultMs = defaultLimits.timeoutMs,
): CallLimits {
  const { timeoutMs, outputBytesMax, memoryBytesMax, cpuMsMax, processesMax } = declared;
  return {
    timeoutMs:
      askedTimeoutMs === undefined ? (timeoutMs ?? defaultMs) : Math.min(askedTimeoutMs, timeoutMs ?? askedTimeoutMs),
    outputBytesMax: outputBytesMax ?? defaultLimits.outputBytesMax,
    ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
    ...(cpuMsMax === undefined ? {} : { cpuMsMax }),
    ...(processesMax === undefined ? {} : { processesMax }),
  };
}
