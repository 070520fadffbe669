// Runs a line of a shell at a pseudo-terminal of util-linux's `script`, and types.
import { spawn } from "node:child_process";
import { HANG_MS_MAX } from "./amount.ts";

/** What is typed, or done, when the text before it has come; the text of earlier rows does not count again. */
export type Typed = readonly (readonly [after: string, keys: string | (() => void)])[];

export interface AtTerminal {
  /** All that reaches the terminal. */
  readonly text: string;
  readonly exitCode: number | null;
}

interface TypingOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly typed?: Typed | undefined;
  /** Gets all text so far, each time that some has come, and returns what is typed then. */
  readonly onText?: (text: string) => string;
}

export function typeAtTerminal(
  line: string,
  { folder, environment, typed = [], onText }: TypingOptions,
): Promise<AtTerminal> {
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: folder,
      env: { SHELL: "/bin/sh", TERM: "xterm", PS1: "$ ", ...environment },
      stdio: ["pipe", "pipe", "inherit"],
      // Before the limit of a test, so that the failure says what did not come.
      timeout: HANG_MS_MAX,
    });
    let text = "";
    let seen = 0;
    const waiting = [...typed];
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const keys = onText?.(text) ?? "";
      if (keys !== "") child.stdin.write(keys);
      for (let next = waiting[0]; next && text.indexOf(next[0], seen) !== -1; next = waiting[0]) {
        seen = text.indexOf(next[0], seen) + next[0].length;
        waiting.shift();
        if (typeof next[1] === "string") child.stdin.write(next[1]);
        else next[1]();
      }
    });
    child.on("error", reject);
    child.on("close", (exitCode) => {
      const missed = waiting[0]?.[0];
      if (missed === undefined) resolve({ text, exitCode });
      else reject(new Error(`${JSON.stringify(missed)} did not come: ${JSON.stringify(text)}`));
    });
  });
}
