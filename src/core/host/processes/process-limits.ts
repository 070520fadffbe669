// Memory and processor limits by rlimits: Node cannot set them for a child, so a POSIX shell sets them on itself and
// becomes the program. It limits the number of processes, too: see process-count.ts.
import type { Platform } from "../../tool/command.ts";
import type { ProcessRequest } from "../../tool/host.ts";
import type { CountLimit } from "./process-count.ts";

/** The descriptor on which the shell reports that a limit could not be set. The program never has it open. */
export const REPORT_FD = 3;

// `-d` counts private writable memory; `-v` would count address space, of which Node, Java and Go reserve far more than
// they use. The soft processor limit sends SIGXCPU, the hard one a second later KILL. No core file, which SIGXCPU would
// leave.
const setMemory = 'ulimit -d "$1"';
const setProcessor = 'ulimit -S -t "$2" && ulimit -H -t "$3"';

type LimitedCommand =
  | { readonly kind: "plain" }
  | { readonly kind: "limited"; readonly argv: readonly string[] }
  | { readonly kind: "unsupported"; readonly detail: string };

/**
 * Returns `argv` behind a shell that sets the limits within a sandbox, where no descriptor takes its report. The
 * program that the sandbox itself starts has no limits then.
 */
export function limitInside(argv: readonly string[], request: ProcessRequest): readonly string[] {
  const limited = limitCommand(argv, request, { platform: "linux" });
  return limited.kind === "limited"
    ? limited.argv.map((word, index) =>
        index === 2 ? word.replace(`2>&${REPORT_FD}`, "").replace(`${REPORT_FD}>&-`, "") : word,
      )
    : argv;
}

/** Returns `argv` with the limits of `request` in front of it; they apply to each process of the run separately. */
export function limitCommand(
  argv: readonly string[],
  { memoryBytesMax, cpuMsMax }: ProcessRequest,
  { platform, count }: { readonly platform: Platform; readonly count?: CountLimit | undefined },
): LimitedCommand {
  const hasRlimits = memoryBytesMax !== undefined || cpuMsMax !== undefined;
  if (!hasRlimits && count?.step === undefined) return { kind: "plain" };
  if (platform === "windows")
    return { kind: "unsupported", detail: "memory and processor limits do not work on Windows" };
  if (platform === "macos" && memoryBytesMax !== undefined)
    return { kind: "unsupported", detail: "macOS accepts a memory limit but does not enforce it" };
  const cpuSeconds = Math.max(1, Math.ceil((cpuMsMax ?? 0) / 1000));
  const steps = [
    ...(count?.step === undefined ? [] : [count.step]),
    ...(hasRlimits ? ["ulimit -c 0"] : []),
    ...(memoryBytesMax === undefined ? [] : [setMemory]),
    ...(cpuMsMax === undefined ? [] : [setProcessor]),
  ];
  const script = `{ ${steps.join(" && ")}; } 2>&${REPORT_FD} || exit 1; shift 4; exec "$@" ${REPORT_FD}>&-`;
  const values = [Math.ceil((memoryBytesMax ?? 0) / 1024), cpuSeconds, cpuSeconds + 1, count?.value ?? ""].map(String);
  return { kind: "limited", argv: ["/bin/sh", "-c", script, "sh", ...values, ...argv] };
}
