// Lends the terminal of this program to a process of its group.
import { spawnSync } from "node:child_process";

/** On a busy machine the signal of a key reaches this program after the end of the process that got it too. */
const LATE_SIGNAL_MS = 500;
let lateSignals: NodeJS.Timeout | undefined;

/** Lends it, drained, and returns what takes it back: see `Terminal.lend`. */
export function lendTerminal(setLent: (isLent: boolean) => void): (isForced: boolean) => void {
  clearTimeout(lateSignals);
  setLent(true);
  return (isForced) => {
    lateSignals = setTimeout(() => setLent(false), LATE_SIGNAL_MS).unref();
    if (isForced) resetTerminal();
  };
}

/**
 * Sets the usual modes, as a shell does behind a program that was killed. Without the trap, a program that is no longer
 * in the foreground would be stopped.
 */
function resetTerminal(): void {
  spawnSync("/bin/sh", ["-c", "trap '' TTOU; stty sane"], { stdio: ["inherit", "ignore", "ignore"] });
}
