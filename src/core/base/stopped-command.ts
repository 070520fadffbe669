// Why a command was stopped: by its caller, or at a limit.
import type { Failure } from "../tool/failure.ts";
import type { SpawnResult } from "../tool/host.ts";
import type { CallLimits } from "../tool/tool.ts";

/** Returns undefined if the system or somebody else ended it. `outputBytesMost` is the largest limit that there can be. */
export function stoppedFailure(
  { signalName, stopped }: SpawnResult & { kind: "exited" },
  limits: CallLimits,
  outputBytesMost: number,
): Failure | undefined {
  if (stopped === "aborted") return { kind: "cancelled" };
  if (stopped === "output-limit")
    return {
      kind: "limit",
      limit: limits.outputBytesMax,
      unit: "bytes of output",
      help: [
        "ask for less, for example with `head`",
        limits.outputBytesMax < outputBytesMost
          ? "a definition sets a larger limit with `@limit output=`"
          : "write it to a file, and read the parts that matter",
      ],
    };
  if (signalName === "SIGXCPU")
    return {
      kind: "limit",
      limit: (limits.cpuMsMax ?? 0) / 1000,
      unit: "seconds of processor time",
      help: ["a definition sets a larger limit with `@limit cpu=`"],
    };
  return undefined;
}
