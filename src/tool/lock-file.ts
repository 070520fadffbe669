// One holder at a time, also between processes of one user: a file that names its holder, which a killed process does not keep.
import type { Host } from "./host.ts";

const LOCK_TRY_MS = 5;
const LOCK_BYTES_MAX = 1_024;
/** No change takes that long: whoever holds a lock for longer is not what its number says. */
const LOCK_AGE_MS_MAX = 20_000;
/** Between making and writing it, a lock is empty. */
const EMPTY_MS_MAX = 100;

export interface LockOptions {
  readonly host: Host;
  readonly waitMsMax: number;
  /** Waits no longer then: `{code: "EBUSY"}`. */
  readonly signal?: AbortSignal;
}

/** Gives what releases it. Throws `{code: "EBUSY"}` when others hold it for too long, and what the system says where no file can be made. */
export async function takeLock(path: string, { host, waitMsMax, signal = new AbortController().signal }: LockOptions): Promise<() => void> {
  const token = JSON.stringify({ processId: host.shared.processId, since: host.timestamp(), id: host.randomId() });
  const untilMs = host.nowMs() + waitMsMax;
  // Whoever stood still before writing it may have lost it.
  while (!host.shared.create(path, token) || textAt(path, host) !== token) {
    if (!breakStale(path, host)) await host.sleep(LOCK_TRY_MS, signal);
    if (signal.aborted || host.nowMs() > untilMs) throw Object.assign(new Error(`\`${path}\` is held by another process`), { code: "EBUSY" });
  }
  return () => {
    if (textAt(path, host) === token) remove(path, host);
  };
}

/** Whether the next try may find it free. */
function breakStale(path: string, host: Host): boolean {
  const text = textAt(path, host);
  if (text === undefined) return host.instant.stat(path) === undefined;
  if (!isStale(text, path, host)) return false;
  // One breaks it, and looks again first: another may have done so already, and a third one hold a new lock.
  const breaker = `${path}.break`;
  if (!host.shared.create(breaker, "")) {
    if (ageMs(breaker, host) > LOCK_AGE_MS_MAX) remove(breaker, host);
    return false;
  }
  try {
    if (textAt(path, host) === text) remove(path, host);
  } finally {
    remove(breaker, host);
  }
  return true;
}

function isStale(text: string, path: string, host: Host): boolean {
  const holder = holderOf(text);
  if (holder === undefined) return ageMs(path, host) > EMPTY_MS_MAX;
  return ageMs(path, host) > LOCK_AGE_MS_MAX || !host.shared.isRunning(holder);
}

function ageMs(path: string, host: Host): number {
  const stat = host.instant.stat(path);
  return stat ? Date.parse(host.timestamp()) - stat.mtimeMs : 0;
}

function holderOf(text: string): number | undefined {
  try {
    const { processId } = JSON.parse(text) as { readonly processId?: unknown };
    return typeof processId === "number" ? processId : undefined;
  } catch {
    return undefined;
  }
}

function textAt(path: string, host: Host): string | undefined {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, LOCK_BYTES_MAX));
  } catch {
    return undefined;
  }
}

/** Another process may have done it already; what cannot be removed is too old one day. */
function remove(path: string, host: Host): void {
  try {
    host.instant.remove(path);
  } catch {
    // Whoever asked for it has done its work.
  }
}
