// The process of the tests of one plugin: this program again, with a third pipe for what happens, as lines of JSON. What
// tests print is apart from it.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import { ownProgram } from "../../../core/host/processes/first-process.ts";

export interface TestLine {
  /** The name of a test that begins. */
  readonly begin?: string;
  readonly timeoutMs?: number;
  readonly passed?: true;
  /** Why the test failed. */
  readonly failed?: string;
}

const PIPE = 3;
const PRINTED_CHARACTERS_MAX = 65_536;
/** How long one test, or the load of a file, may take: as long as a call. */
const TEST_MS_MAX = 60_000;
/** The longest that a timer of Node takes. */
const TIMER_MS_MAX = 2_147_483_647;
/** The time to end after TERM. */
const ENDING_MS = 2_000;

/** Is called in that process. */
export function tellTester(line: TestLine): void {
  writeSync(PIPE, `${JSON.stringify(line)}\n`);
}

interface TestProcessOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  onLine(line: TestLine): void;
  /** Takes what it printed: the first 64 KiB. */
  print(text: string): void;
}

/** Returns how the process ended. */
export function runTestProcess(words: readonly string[], options: TestProcessOptions): Promise<string> {
  const { cwd, signal, onLine, print } = options;
  const [file = "", ...own] = ownProgram();
  const isGroup = process.platform !== "win32";
  // With a group of its own, what a test starts ends with it.
  const child = spawn(file, [...own, ...words], {
    cwd,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: isGroup,
    windowsHide: true,
  });
  let why: string | undefined;
  let killing: NodeJS.Timeout | undefined;
  const kill = (name: NodeJS.Signals): void => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, name);
      else child.kill(name);
    } catch {
      // It has ended.
    }
  };
  const end = (reason: string): void => {
    why ??= reason;
    kill("SIGTERM");
    killing ??= setTimeout(() => kill("SIGKILL"), ENDING_MS);
  };
  const limit = (ms: number): NodeJS.Timeout => setTimeout(() => end(`it took longer than ${ms / 1000} s`), ms);
  let silence = limit(TEST_MS_MAX);
  const stop = (): void => end("stopped");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let printed = "";
  let cut = 0;
  const take = (text: string): void => {
    const room = PRINTED_CHARACTERS_MAX - printed.length;
    printed += text.slice(0, room);
    cut += Math.max(0, text.length - room);
  };
  for (const stream of [child.stdout, child.stderr] as Readable[]) stream.setEncoding("utf8").on("data", take);
  let rest = "";
  (child.stdio[PIPE] as Readable).setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.flatMap(readLine)) {
      clearTimeout(silence);
      silence = limit(Math.min(line.timeoutMs ?? TEST_MS_MAX, TIMER_MS_MAX));
      onLine(line);
    }
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    // A process that outlives the test may still hold its pipes.
    child.on("exit", () => void setTimeout(() => kill("SIGKILL"), 100));
    child.on("close", (exitCode, signalName) => {
      for (const timer of [silence, killing]) clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (printed !== "") print(printed + (cut > 0 ? `\n… ${cut.toLocaleString("en")} more characters\n` : ""));
      resolve(why ?? (exitCode === null ? `signal ${signalName}` : `exit code ${exitCode}`));
    });
  });
}

/** Returns nothing for what a test wrote there itself. */
function readLine(text: string): readonly TestLine[] {
  try {
    return [JSON.parse(text) as TestLine];
  } catch {
    return [];
  }
}
