// Words of the command line that are no text: the runtime puts U+FFFD where bytes are no UTF-8, and the bytes are gone
// then.
import { readFileSync } from "node:fs";

/**
 * Whether the bytes of this process's command line are no UTF-8. False where the system does not show them: only Linux
 * does.
 */
export function hasBrokenWords(): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync("/proc/self/cmdline"));
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}
