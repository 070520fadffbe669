// Empties the input of a terminal.
import { closeSync, constants, openSync, readSync } from "node:fs";
import process from "node:process";

/**
 * Discards what was typed before a question is there to be read: a command that had the terminal may have pushed an
 * answer into its input. In raw mode a line without an end can be read, too.
 */
export function discardTyped(): void {
  if (process.platform === "win32") return;
  const input = openSync(
    process.platform === "linux" ? "/proc/self/fd/0" : "/dev/tty",
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    process.stdin.setRawMode(true);
    const bytes = Buffer.alloc(4096);
    while (readSync(input, bytes) > 0);
  } catch {
    // EAGAIN: nothing is left. A terminal that is gone answers the question itself.
  } finally {
    process.stdin.setRawMode(false);
    closeSync(input);
  }
}
