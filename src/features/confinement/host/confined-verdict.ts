// What became of a confined process: bubblewrap reports its own failures as the program's output and exit code.
import { selfCheckIn } from "./bwrap-words.ts";
import { Buffer } from "node:buffer";
import type { SandboxReport } from "../../../core/tool/confinement.ts";
import type { ProcessRequest, SpawnResult } from "../../../core/tool/host.ts";
import { type Refused, refused } from "./sandbox-engine.ts";
import { notStarted, whatIsMissing } from "../../../core/host/processes/process-start.ts";

/** `code` is the system's. */
export function whyNotExecuted(code: string, program: string): SpawnResult {
  if (code === "ENOENT") return notStarted("not-executable", whatIsMissing(program));
  if (code === "ENOEXEC")
    return notStarted("not-executable", `${program} is not a program, and its first line does not name an interpreter`);
  if (code === "E2BIG")
    return notStarted("too-large", "the arguments and the environment together are longer than the system allows");
  return notStarted("not-executable", `no permission to execute ${program}`);
}

const codesOfMessages: readonly (readonly [end: string, code: string])[] = [
  ["No such file or directory", "ENOENT"],
  ["Exec format error", "ENOEXEC"],
  ["Argument list too long", "E2BIG"],
];

interface Ended {
  readonly held: HeldErrors;
  readonly report: SandboxReport;
  /** Whether the program itself was started. */
  readonly hasRun: boolean;
  readonly program: string;
  /** The path of the lock: see `BwrapPlan`. */
  readonly lock: string | undefined;
}

export async function verdict(
  result: SpawnResult,
  { held, report, hasRun, program, lock }: Ended,
): Promise<SpawnResult | Refused> {
  if (result.kind === "not-started")
    return refused(`bubblewrap cannot be started (${result.reason}): ${result.detail}`);
  if (result.kind !== "exited") return result;
  if (hasRun || result.stopped !== undefined || result.exitCode === undefined) {
    await held.release();
    return reported(asOutside(result), report);
  }
  // Debian adds where to read more.
  const message = held.text
    .replace(/^bwrap: /, "")
    .replace(/\. See <[^]*/, "")
    .trim();
  if (!message.startsWith("execvp ")) {
    // A command can cause messages about paths, and would so get rid of a sandbox that is best effort.
    const isSelfCheck = lock !== undefined && message.includes(selfCheckIn(lock));
    if (/^Can't (?!mount proc)/.test(message) && !isSelfCheck)
      return notStarted("hidden", `bubblewrap says: ${message}`);
    if (held.text !== "" || result.exitCode === 1)
      return refused(`bubblewrap says: ${message || "nothing"}${adviceFor(message)}`);
    await held.release();
    return reported(result, report);
  }
  return whyNotExecuted(codesOfMessages.find(([end]) => message.endsWith(end))?.[1] ?? "EACCES", program);
}

/** Says how to get user namespaces where the system restricts them. */
function adviceFor(message: string): string {
  if (/uid map|namespace|clone|unshare/i.test(message))
    return "; user namespaces are restricted here: on Ubuntu 24.04 give `bwrap` an AppArmor profile with `userns`, elsewhere set `kernel.unprivileged_userns_clone=1`, and in Docker use `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`";
  if (/mount proc/i.test(message))
    return "; a container hides parts of /proc: in Docker use `--security-opt systempaths=unconfined`";
  return "";
}

// Programs end themselves with the numbers of the other signals, too.
const fatalSignals: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [132, "SIGILL"],
  [134, "SIGABRT"],
  [135, "SIGBUS"],
  [136, "SIGFPE"],
  [137, "SIGKILL"],
  [139, "SIGSEGV"],
  [152, "SIGXCPU"],
  [153, "SIGXFSZ"],
  [159, "SIGSYS"],
]);

/** Turns an exit code of bubblewrap, which is 128 and the number of a signal, back into the signal. */
function asOutside(result: SpawnResult & { kind: "exited" }): SpawnResult & { kind: "exited" } {
  const { exitCode, ...rest } = result;
  const signalName = exitCode === undefined ? undefined : fatalSignals.get(exitCode);
  return signalName === undefined ? result : { ...rest, signalName };
}

/** Adds what the run itself has reported as missing. */
export function reported(result: SpawnResult, report: SandboxReport): SpawnResult {
  if (result.kind !== "exited") return result;
  const missing = [...report.missing, ...(result.report?.missing ?? [])];
  const sandbox = report.sandbox === "full" && missing.length > 0 ? "partial" : report.sandbox;
  return { ...result, report: { ...report, sandbox, missing } };
}

/** Holds what bubblewrap itself writes first, which the program did not write. */
export class HeldErrors {
  readonly #request: ProcessRequest;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isOpen = true;

  constructor(request: ProcessRequest) {
    this.#request = request;
  }

  get text(): string {
    return Buffer.concat(this.#held).toString("utf8");
  }

  take(stream: "stdout" | "stderr", bytes: Uint8Array): void | Promise<void> {
    if (stream === "stdout" || !this.#isOpen) return this.#request.onOutput(stream, bytes);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (mayBeOwn(this.text) && this.#heldBytes < HELD_BYTES_MAX) return undefined;
    return this.release();
  }

  release(): void | Promise<void> {
    this.#isOpen = false;
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    return bytes.length === 0 ? undefined : this.#request.onOutput("stderr", bytes);
  }
}

export const HELD_BYTES_MAX = 4_096;
const OWN_PREFIX = "bwrap: ";

function mayBeOwn(text: string): boolean {
  return text.startsWith(OWN_PREFIX) || OWN_PREFIX.startsWith(text);
}
