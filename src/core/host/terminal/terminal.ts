// The streams and signals of this process: the only code that touches the console.
import { constants, fstatSync, openSync, type Stats, statSync, writeSync } from "node:fs";
import process from "node:process";
import type { Terminal, TerminalEnding, TerminalInput, TerminalPort } from "../../tool/terminal.ts";
import { inOwnName } from "../../text/program-name.ts";
import { codeOf } from "../../tool/error-code.ts";
import { endProgram, limitDraining, outliveErrors } from "../processes/end-program.ts";
import { terminalQueue } from "./terminal-queue.ts";

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
/** The signals with their numbers, which are the same on all systems. */
const endingSignals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1, SIGQUIT: 3 } as const;

interface TerminalOptions {
  /** Set by `--no-color`. */
  readonly isPlain: boolean;
}

export function openTerminal(options: TerminalOptions): Terminal {
  let ending: TerminalEnding | undefined;
  let controller: AbortController | undefined;
  let isSignalExpected = false;
  const end = (reason: TerminalEnding, exitCode: number): void => {
    if (ending === undefined)
      process.once("exit", (own) => {
        // The result that was known before the reader left stays: a failed check has failed, also if nobody reads it.
        if (reason === "output-closed" && own !== CANCELLED) return;
        process.exitCode = reason === "interrupted" && isSignalExpected ? 0 : exitCode;
      });
    ending ??= reason;
    controller?.abort();
  };
  let isLent = false;
  const interrupt = (name: keyof typeof endingSignals): void => {
    // The keys reach the process that has the terminal too, and it decides, as it would in a shell.
    if (isLent && (name === "SIGINT" || name === "SIGQUIT")) return;
    // After a second interrupt nothing is waited for; output may be lost.
    if (ending === "interrupted") return endProgram();
    limitDraining();
    end("interrupted", SIGNALLED + endingSignals[name]);
    for (const release of waiting) release();
  };
  const waiting = new Set([() => terminalQueue.release()]);
  const port = {
    ...options,
    waiting,
    mayWait: () => controller === undefined,
    isInterrupted: () => ending === "interrupted",
  };
  const errors = openPort(2, { ...port, onLost: () => undefined });
  const listen = (): AbortController => {
    const made = new AbortController();
    if (ending !== undefined) made.abort();
    for (const name of Object.keys(endingSignals) as (keyof typeof endingSignals)[])
      process.on(name, () => interrupt(name));
    return made;
  };
  const signal = (): AbortSignal => {
    controller ??= listen();
    return controller.signal;
  };
  const lend = async (): Promise<(isForced: boolean) => void> => {
    signal();
    const { lendTerminal } = await import("./lend-terminal.ts");
    await drainTerminal();
    return lendTerminal((isNow) => void (isLent = isNow));
  };
  return {
    runtime: `${runtimeName()} on ${process.platform} ${process.arch}`,
    workingFolder: () => process.cwd(),
    output: openPort(1, {
      ...port,
      onLost: (error) => {
        // A reader that stops early, such as `head`, is not a failure.
        if (isReaderGone(error)) return end("output-closed", 0);
        errors.write(`failed[output]: the output cannot be written: ${lossText(error)}\n`);
        end("output-failed", 1);
      },
    }),
    errors,
    input: openInput(errors, signal),
    get signal(): AbortSignal {
      return signal();
    },
    ...(process.platform === "win32" ? {} : { lend }),
    get ending(): TerminalEnding | undefined {
      return ending;
    },
    expectSignal: () => void (isSignalExpected = true),
    outliveErrors,
    // The timer delays nothing: a program that is done earlier ends earlier.
    endWithin: (ms) => void setTimeout(() => endProgram(), ms).unref(),
    afterTurn: setImmediate,
  };
}

/** Settles when the terminal has accepted all waiting output. */
export function drainTerminal(): Promise<void> {
  return terminalQueue.drained();
}

export function isReaderGone(error: unknown): boolean {
  return codeOf(error) === "EPIPE" || (error instanceof Error && error.name === "BrokenPipe");
}

export function lossText(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOSPC") return "the disk is full";
  return code === undefined ? String(error) : `the system reports ${code}`;
}

/**
 * Plus the signal's number, this is the exit code, like `$?` in a shell for a command that a signal ended (POSIX, "Exit
 * Status for Commands"). Ending by the signal itself would be the same for a shell, but the last output would be lost,
 * and Deno and Windows cannot do it.
 */
const SIGNALLED = 128;
/** The exit code of a call that was ended because no one reads its output: see core/run/exit-code.ts. */
const CANCELLED = 130;

// An empty pipe holds 64 KiB, so this much can be written at once without waiting for a reader. The stream for the rest
// takes 3 ms to load.
const INSTANT_BYTES_MAX = 32 * 1024;

interface PortOptions extends TerminalOptions {
  /** Returns whether a write may block: nothing listens to signals or waits for anything else meanwhile. */
  mayWait(): boolean;
  /** Returns whether a signal came, so that readers are no longer waited for. */
  isInterrupted(): boolean;
  /** The functions that end the waits for a reader. */
  readonly waiting: Set<() => void>;
  onLost(error: unknown): void;
}

function openPort(descriptor: 1 | 2, options: PortOptions): TerminalPort {
  const isTerminal = isTerminalAt(descriptor);
  const write = openWriter(descriptor, isTerminal, options);
  return {
    isTerminal,
    hasColor: !options.isPlain && wantsColor(isTerminal, process.env),
    movesCursor: isTerminal && process.env["TERM"] !== "dumb",
    get columns(): number {
      return (isTerminal ? streamOf(descriptor).columns : 0) || COLUMNS_DEFAULT;
    },
    get rows(): number {
      return (isTerminal ? streamOf(descriptor).rows : 0) || ROWS_DEFAULT;
    },
    write: (content) => {
      if (content.length === 0) return undefined;
      if (typeof content !== "string") return write(content);
      // Here are our own words; the output of commands comes as bytes.
      return write(Buffer.from(descriptor === 2 ? inOwnName(content) : content));
    },
  };
}

function openWriter(
  descriptor: 1 | 2,
  isTerminal: boolean,
  { mayWait, isInterrupted, waiting, onLost }: PortOptions,
): (bytes: Uint8Array) => void | Promise<void> {
  let instantBytes = 0;
  let impatient: number | undefined;
  let stream: NodeJS.WriteStream | undefined;
  let isLost = false;
  let draining: Promise<void> | undefined;
  const lose = (error: unknown): void => {
    if (isLost) return;
    isLost = true;
    onLost(error);
  };
  const writeLater = (bytes: Uint8Array): void | Promise<void> => {
    stream ??= streamOf(descriptor).on("error", lose);
    const writing = stream;
    let isReady = false;
    try {
      isReady = writing.write(bytes);
    } catch (error) {
      // Deno throws where Node emits.
      return lose(error);
    }
    if (isReady || isInterrupted()) return;
    // One promise for all waits: a listener for each write would stay behind after every slow one.
    draining ??= new Promise((resolve) => {
      const end = (): void => {
        draining = undefined;
        waiting.delete(end);
        writing.off("drain", end).off("error", end);
        resolve();
      };
      waiting.add(end);
      writing.on("drain", end).on("error", end);
    });
    return draining;
  };
  return (bytes) => {
    if (isLost) return;
    // Deno gets no signals while a stream is full, so this would not help there.
    if (isTerminal && !mayWait() && !("Deno" in globalThis)) {
      impatient ??= openImpatient(descriptor, isTerminal);
      if (impatient !== descriptor) return terminalQueue.add({ descriptor: impatient, bytes, onLost: lose });
    }
    if (stream || (instantBytes + bytes.length > INSTANT_BYTES_MAX && !mayWait())) return writeLater(bytes);
    instantBytes += bytes.length;
    const target = mayWait() ? descriptor : (impatient ??= openImpatient(descriptor));
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(target, bytes, written);
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return writeLater(bytes.subarray(written));
      lose(error);
    }
  };
}

/**
 * Opens the same pipe or terminal again, so that a write fails with EAGAIN instead of blocking signals while it waits
 * for a reader. Setting this on the descriptor itself would set it for all programs that share it (open(2),
 * proc_pid_fd(5)). Returns the descriptor itself if that is not possible.
 */
function openImpatient(descriptor: 1 | 2, isTerminal = false): number {
  if (process.platform !== "linux") return descriptor;
  try {
    if (!isTerminal && !fstatSync(descriptor).isFIFO()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return descriptor;
  }
}

function runtimeName(): string {
  const { deno, node } = process.versions;
  return deno === undefined ? `Node.js ${node}` : `Deno ${deno}`;
}

function streamOf(descriptor: 1 | 2): NodeJS.WriteStream {
  return descriptor === 1 ? process.stdout : process.stderr;
}

function isTerminalAt(descriptor: 0 | 1 | 2): boolean {
  try {
    // Loading node:tty takes 2 ms, and a pipe, a file or /dev/null is not a terminal.
    const found = fstatSync(descriptor);
    if (!found.isCharacterDevice() || isNullDevice(found)) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

function isNullDevice({ rdev }: Stats): boolean {
  return process.platform !== "win32" && rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

/** https://no-color.org, https://force-color.org */
export function wantsColor(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}

function openInput(errors: TerminalPort, signal: () => AbortSignal): TerminalInput {
  return {
    get isTerminal(): boolean {
      return isTerminalAt(0);
    },
    readBytes: readInput,
    listen: (ended, onText) => {
      if (ended.aborted) return;
      const decoder = new TextDecoder();
      const { stdin } = process;
      const onData = (bytes: Uint8Array): void => {
        const wait = onText(decoder.decode(bytes, { stream: true }));
        if (!wait) return;
        stdin.pause();
        const goOn = (): void => void (ended.aborted || stdin.resume());
        // An error of a listener does not delay the next text.
        void wait.then(goOn, goOn);
      };
      const onEnd = (): void => void onText(undefined);
      stdin.on("data", onData).on("end", onEnd);
      ended.addEventListener(
        "abort",
        () => {
          // A flowing stream would keep the program alive.
          stdin.off("data", onData).off("end", onEnd).pause();
          // A file has no `unref`.
          (stdin as Partial<typeof stdin>).unref?.();
        },
        { once: true },
      );
    },
    ask: async (question) => {
      const [{ createInterface }, { discardTyped }] = await Promise.all([
        import("node:readline"),
        import("./discard-typed.ts"),
      ]);
      if (isTerminalAt(0)) discardTyped();
      errors.write(question);
      const lines = createInterface({ input: process.stdin });
      signal().addEventListener("abort", () => lines.close(), { once: true });
      try {
        for await (const line of lines) return line;
        return undefined;
      } finally {
        lines.close();
      }
    },
  };
}

async function readInput(bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
