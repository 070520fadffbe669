// Starts this program again, with the same words, for one piece of work that may kill its process, and returns what it answers on its
// standard output. The process ends with this one: its standard input stays open until then.
import process from "node:process";
import { ownProgram } from "../../../core/host/processes/first-process.ts";

interface HelperStart {
  /** Is set in its environment, and says what it is for. */
  readonly variable: string;
  /** One line for its standard input. */
  readonly line: string;
  /** Ends it as a TERM does; what it answers then counts. */
  readonly signal: AbortSignal;
  readonly answerBytesMax: number;
}

/** Returns undefined if it ended without a whole answer. Rejects if it cannot be started. */
export async function answerOfHelper({
  variable,
  line,
  signal,
  answerBytesMax,
}: HelperStart): Promise<string | undefined> {
  const { spawn } = await import("node:child_process");
  const [file = "", ...own] = ownProgram();
  const child = spawn(file, [...own, ...process.argv.slice(2)], {
    env: { ...process.env, [variable]: "1" },
    windowsHide: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const end = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      child.on("error", reject);
      child.stdin.on("error", () => undefined).write(`${line}\n`);
      child.stdout.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > answerBytesMax) child.kill("SIGKILL");
        else parts.push(part);
      });
      child.on("close", (exitCode) => resolve(exitCode === 0 ? Buffer.concat(parts).toString() : undefined));
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}
