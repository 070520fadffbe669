// Finds words of the command line that are not text: the runtime replaces bytes that are not UTF-8 with U+FFFD, so they
// are lost.
import { readFileSync } from "node:fs";

/**
 * Returns whether the command line of this process is not UTF-8; false if the system does not show it: only Linux does.
 */
export function hasBrokenWords(): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync("/proc/self/cmdline"));
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}
