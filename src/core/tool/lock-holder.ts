// Tells which process holds a lock, without taking it.
import type { ProcessIdentity } from "./host-shared.ts";
import type { Host } from "./host.ts";
import { isStale, readText, textAt } from "./lock-file.ts";

/** Whether a running process holds the lock, or may hold it. */
export function isLockHeld(path: string, host: Host): boolean {
  const text = textAt(path, host);
  return text !== undefined && !isStale(path, text, host);
}

/** Returns the process that holds the lock; undefined if none does, or it is not known. */
export function holderOf(path: string, host: Host): ProcessIdentity | undefined {
  const text = textAt(path, host);
  const { processId, ...rest } = readText(text);
  return processId === undefined || isStale(path, text, host) ? undefined : { processId, ...rest };
}
