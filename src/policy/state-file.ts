// A small file of ours that several processes read and change: for this user alone, whole or as it was, one change after the other.
import { dirname, join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { FileStat, Host, WriteLock } from "../tool/host.ts";
import { takeLock } from "../tool/lock-file.ts";

const STATE_BYTES_MAX = 16 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;
const LOCK_WAIT_MS_MAX = 5_000;

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
export async function withState<T>(host: Host, name: string, change: (lock: WriteLock) => Promise<T>): Promise<T> {
  const path = statePath(host, name);
  const lock = await takeLock(`${path}.lock`, { host, folder: dirname(path), waitMsMax: LOCK_WAIT_MS_MAX });
  try {
    return await change(lock);
  } finally {
    lock.release();
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
