// Starts this program again as a process of its own session, which goes on after this one has ended, and waits until
// it says that it runs. It says so on a pipe, because its output goes to files.
import { closeSync, openSync, writeSync } from "node:fs";
import { codeOf } from "../../tool/error-code.ts";
import { ownProgram } from "./first-process.ts";

interface DetachedStart {
  /** The words for this program. They can be read by every user, and must not contain values. */
  readonly words: readonly string[];
  /** Its standard input. */
  readonly input: string;
  /** The paths of the files for its output, which are made. */
  readonly stdout: string;
  readonly stderr: string;
}

const FILE_MODE = 0o600;
/** The descriptor of the pipe in the new process. */
const ANSWER = 3;
const ANSWER_CHARACTERS_MAX = 64 * 1024;

/** Returns what the process answers: empty if it ended before. Throws the errors of the system. */
export async function startDetached({ words, input, stdout, stderr }: DetachedStart): Promise<string> {
  const outputs = [stdout, stderr].map((path) => openSync(path, "a", FILE_MODE));
  try {
    const { spawn } = await import("node:child_process");
    const [file = "", ...own] = ownProgram();
    const child = spawn(file, [...own, ...words], {
      detached: true,
      windowsHide: true,
      stdio: ["pipe", ...outputs, "pipe"],
    });
    child.unref();
    const { stdin } = child;
    // A process that ends early leaves its input unread; that it ended is its answer.
    stdin?.on("error", () => undefined).end(input);
    return await new Promise<string>((resolve, reject) => {
      let answer = "";
      child.on("error", reject);
      child.stdio[ANSWER]
        ?.on("data", (bytes: Buffer) => {
          if (answer.length < ANSWER_CHARACTERS_MAX) answer += bytes.toString();
        })
        .on("close", () => resolve(answer));
    });
  } finally {
    for (const output of outputs) closeSync(output);
  }
}

/** Answers the program that started this one. Nothing happens if a person did. */
export function answerStart(answer: string): void {
  try {
    writeSync(ANSWER, answer);
    closeSync(ANSWER);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}
