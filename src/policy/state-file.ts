// A small file of ours that several processes read and change: for this user alone, whole or as it was, one change after the other.
import { dirname, join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { FileStat, Host } from "../tool/host.ts";

const STATE_BYTES_MAX = 16 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;
const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_TRY_MS = 5;
/** No change takes that long: whoever holds a lock for longer is not what its number says. */
const LOCK_AGE_MS_MAX = 20_000;

export interface StateText {
  /** Absent: there is no such file. */
  readonly text?: string;
  /** Why it cannot be used, as the end of a sentence. */
  readonly trouble?: string;
}

export function statePath(host: Host, name: string): string {
  return join(host.folders.state, name);
}

export function readState(host: Host, name: string): StateText {
  const path = statePath(host, name);
  const stat = host.instant.stat(path);
  if (!stat) return {};
  const trouble = [host.folders.state, dirname(path)].map((folder) => sharedTrouble(host.instant.stat(folder), host)).find((found) => found !== undefined) ?? sharedTrouble(stat, host);
  if (trouble !== undefined) return { trouble };
  try {
    return { text: new TextDecoder().decode(host.instant.readBytes(path, STATE_BYTES_MAX)) };
  } catch (error) {
    return { trouble: `cannot be read (${codeOf(error) ?? "error"})` };
  }
}

/** What others can write to says nothing of what this user agreed to. */
function sharedTrouble(stat: FileStat | undefined, host: Host): string | undefined {
  if (!stat || host.platform === "windows") return undefined;
  if (!stat.isOwn) return "belongs to another user";
  return (stat.mode & OTHERS_MAY_WRITE) === 0 ? undefined : "can be written by others";
}

/** Under a lock of its own, which a killed process does not keep. Throws `{code: "EBUSY"}` when others hold it for too long. */
export async function withState<T>(host: Host, name: string, change: () => T | Promise<T>): Promise<T> {
  const path = `${statePath(host, name)}.lock`;
  const token = JSON.stringify({ processId: host.shared.processId, since: host.timestamp(), id: host.randomId() });
  const untilMs = host.nowMs() + LOCK_WAIT_MS_MAX;
  while (!host.shared.create(path, token)) {
    if (!breakStale(path, host)) await host.sleep(LOCK_TRY_MS, new AbortController().signal);
    if (host.nowMs() > untilMs) throw Object.assign(new Error(`\`${path}\` is held by another process`), { code: "EBUSY" });
  }
  try {
    return await change();
  } finally {
    if (textAt(path, host) === token) host.instant.remove(path);
  }
}

/** Whether the next try may find it free. */
function breakStale(path: string, host: Host): boolean {
  const text = textAt(path, host);
  if (text === undefined) return true;
  if (!isStale(text, path, host)) return false;
  // Moved away first, and looked at there: another process may have broken it already and hold a new one.
  const aside = `${path}.${host.randomId()}`;
  try {
    host.shared.rename(path, aside);
  } catch {
    return true;
  }
  if (textAt(aside, host) !== text) {
    try {
      host.shared.create(path, textAt(aside, host) ?? "");
    } catch {
      // Then it is free, and whoever holds it finds out by its content.
    }
  }
  host.instant.remove(aside);
  return true;
}

function isStale(text: string, path: string, host: Host): boolean {
  const holder = holderOf(text);
  const ageMs = Date.parse(host.timestamp()) - (host.instant.stat(path)?.mtimeMs ?? 0);
  // Between making and writing it, a lock is empty.
  if (holder === undefined) return ageMs > LOCK_TRY_MS * 20;
  return ageMs > LOCK_AGE_MS_MAX || !host.shared.isRunning(holder);
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
    return new TextDecoder().decode(host.instant.readBytes(path, STATE_BYTES_MAX));
  } catch {
    return undefined;
  }
}

/** Synced; only under `withState`. */
export async function writeState(host: Host, name: string, text: string): Promise<void> {
  const path = statePath(host, name);
  await host.files.makeFolder(dirname(path), { mode: 0o700 });
  // A file that others may write to is not ours to fill, but to replace.
  const stat = host.instant.stat(path);
  if (stat && sharedTrouble(stat, host) !== undefined) host.shared.rename(path, asidePath(path, host));
  await host.files.write(path, text, { mode: 0o600 });
}

/** What cannot be understood is kept, never deleted. Gives where. */
export function putAside(host: Host, name: string): string {
  const path = statePath(host, name);
  const aside = asidePath(path, host);
  host.shared.rename(path, aside);
  return aside;
}

function asidePath(path: string, host: Host): string {
  return `${path}.broken-${host.timestamp().replaceAll(/[^0-9]/g, "")}-${host.randomId().slice(0, 4)}`;
}
