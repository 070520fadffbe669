// Starts a process from a request, or says why it cannot.
import { Buffer } from "node:buffer";
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import process from "node:process";
import type { SpawnOptions } from "node:child_process";
import type { Writable } from "node:stream";
import type { Platform } from "../../tool/command.ts";
import type { NotStartedReason } from "../../tool/failure.ts";
import type { ProcessRequest, SpawnResult } from "../../tool/host.ts";
import type { CountLimit } from "./process-count.ts";
import { REPORT_FD, limitCommand } from "./process-limits.ts";
import { type ProcessMark, startMarked } from "./process-mark.ts";
import { type ProgramAnswer, findProgram } from "./process-program.ts";

export interface ProcessOutput {
  on(event: "data", listener: (bytes: Buffer) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** The part of Node's `ChildProcess` that a run needs. */
export interface RunningProcess {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** Whether nothing that it has started is left, if that is known when it has ended. */
  readonly leavesNothing?: boolean;
  readonly stdin: Writable | null;
  readonly stdout: ProcessOutput | null;
  readonly stderr: ProcessOutput | null;
  readonly stdio: readonly (ProcessOutput | Writable | null | undefined)[];
  once(event: "exit", listener: (exitCode: number | null, signalName: NodeJS.Signals | null) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

export interface StartedProcess {
  readonly kind: "started";
  readonly child: RunningProcess;
  readonly pid: number;
  /** Set if it is ended when this program is killed. */
  readonly isWatched?: true;
}

type NotStarted = Extract<SpawnResult, { kind: "not-started" }>;

export type Start = StartedProcess | NotStarted;

export interface StartOptions {
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: Platform;
  readonly mark?: ProcessMark | undefined;
  readonly count?: CountLimit | undefined;
  /** What the process gets under the numbers from `FIRST_DESCRIPTOR` on: open descriptors, or a channel to it. */
  readonly descriptors?: readonly (number | "pipe" | undefined)[] | undefined;
}

/** The descriptor after the standard streams and the report of limits. */
export const FIRST_DESCRIPTOR = 4;

/**
 * Starts a process that leads its own group, unless it gets the terminal: only the group of this program may read it.
 */
export async function startProcess(
  request: ProcessRequest,
  { environment, platform, mark, count, descriptors = [] }: StartOptions,
): Promise<Start> {
  const program = findProgram(request.argv[0] ?? "", {
    platform,
    cwd: request.cwd,
    pathVariable: environment["PATH"] ?? environment["Path"] ?? "",
  });
  if (program.kind === "refused") return whyNoProgram(program, request.cwd);
  const plain = [program.path, ...request.argv.slice(1)];
  const limited = limitCommand(plain, request, { platform, count });
  if (limited.kind === "unsupported") return notStarted("system", limited.detail);
  const [file = "", ...words] = limited.kind === "limited" ? limited.argv : plain;
  const hasTerminal = request.hasTerminal === true;
  const isSilent = request.stdin === undefined && !request.onStart;
  const isCommandProcessor = platform === "windows" && /(^|[\\/])cmd\.exe$/i.test(file);
  const options: SpawnOptions = {
    cwd: request.cwd,
    env: environment,
    stdio: [
      ...(hasTerminal
        ? (["inherit", "inherit", request.takesErrors ? "pipe" : "inherit"] as const)
        : ([isSilent ? "ignore" : "pipe", "pipe", "pipe"] as const)),
      ...(limited.kind === "limited" ? (["pipe"] as const) : descriptors.length > 0 ? (["ignore"] as const) : []),
      ...descriptors.map((descriptor) => descriptor ?? ("ignore" as const)),
    ],
    // On Windows a detached process gets a console window of its own, and outlives us.
    detached: platform !== "windows" && !hasTerminal,
    windowsHide: true,
    windowsVerbatimArguments: isCommandProcessor,
    ...(limited.kind === "limited" ? {} : { argv0: request.argv[0] ?? file }),
  };
  const { spawn } = await import("node:child_process");
  try {
    const child = startMarked(mark, () =>
      spawn(file, isCommandProcessor ? commandProcessorWords(words) : words, options),
    );
    if (child.pid !== undefined) return { kind: "started", child, pid: child.pid };
    throw await new Promise<Error>((resolve) => child.once("error", resolve));
  } catch (error) {
    return whyNotStarted(error as NodeJS.ErrnoException, request.cwd, program.path);
  }
}

/** Returns the message of the shell that could not set the limits; empty if all is well. */
export function limitReportOf(child: RunningProcess): ProcessOutput | undefined {
  const stream = child.stdio[REPORT_FD];
  return stream && "pause" in stream ? stream : undefined;
}

export function whyNoProgram({ reason, detail }: ProgramAnswer & { kind: "refused" }, cwd: string): NotStarted {
  return reason === "file-missing" && !isEnterable(cwd)
    ? notStarted("folder-missing", cwd)
    : notStarted(reason, detail);
}

export function notStarted(reason: NotStartedReason, detail: string): NotStarted {
  return { kind: "not-started", reason, detail };
}

export function whyNotStarted(error: NodeJS.ErrnoException, cwd: string, program: string): NotStarted {
  // The system reports a missing or closed working folder as an error of the program.
  if (!isEnterable(cwd)) return notStarted("folder-missing", cwd);
  // Every program gets it for a stream that it does not have, and the system does not say which file is missing.
  if (error.code === "ENOENT" && process.platform !== "win32" && !existsSync("/dev/null"))
    return notStarted("system", `\`/dev/null\` is missing on this system, so ${program} cannot be started`);
  if (error.code === "ENOENT") return notStarted("not-executable", whatIsMissing(program));
  if (error.code === "ENOEXEC")
    return notStarted("not-executable", `${program} is not a program, and its first line does not name an interpreter`);
  if (error.code === "EACCES" || error.code === "EPERM")
    return notStarted("not-executable", `no permission to execute ${program}`);
  if (error.code === "E2BIG")
    return notStarted("too-large", "the arguments and the environment together are longer than the system allows");
  return notStarted("system", error.message);
}

const FIRST_BYTES = 4;

/** What is missing if the system does not find something that the program needs, although it is there. */
export function whatIsMissing(program: string): string {
  const first = firstBytes(program);
  if (first === undefined) return `${program} cannot be read any more, or what starts it is missing`;
  return first.startsWith("#!")
    ? `the interpreter that ${program} names in its first line is missing`
    : `the loader that ${program} was built for is missing, as when it is for another system`;
}

function firstBytes(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(FIRST_BYTES);
      return bytes.toString("latin1", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function isEnterable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** cmd.exe parses its command line itself, so the last word goes there unchanged, in the quotes that `/s` removes. */
function commandProcessorWords(words: readonly string[]): string[] {
  return words.map((word, index) => (index === words.length - 1 ? `"${word}"` : word));
}
