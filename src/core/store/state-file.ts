// A small file that several processes read and change: only for this user, always whole, one change after the other.
import { dirname, join } from "node:path";
import type { FileStat, Host, WriteLock } from "../tool/host.ts";
import {
  type CheckedFile,
  type FileFormat,
  readCheckedFile,
  putAside,
  troubleOf,
  withChecksum,
} from "./checked-file.ts";
import { takeLock } from "./lock-file.ts";

const STATE_BYTES_MAX = 16 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;
const LOCK_WAIT_MS_MAX = 10_000;

export interface StateFile {
  /** Relative to the state folder. */
  readonly name: string;
  readonly format: FileFormat;
}

type StateText =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  /**
   * It cannot be used and is left alone. `trouble` is the end of a sentence that begins with the path; `error` says why
   * its content is unknown, and is absent where others can write to the file.
   */
  | { readonly kind: "unusable"; readonly trouble: string; readonly error?: unknown }
  /** A newer dottool wrote it. It cannot be used, and is left alone. */
  | { readonly kind: "newer"; readonly trouble: string }
  /** It cannot be used, and can be moved away. */
  | { readonly kind: "damaged"; readonly trouble: string };

export function statePath(host: Host, name: string): string {
  return join(host.folders.state, name);
}

export function readState(host: Host, { name, format }: StateFile): StateText {
  const path = statePath(host, name);
  // Checked first, because most calls find no file.
  const stat = host.instant.stat(path);
  if (!stat) return hidden(readCheckedFile(path, { host, format, bytesMax: STATE_BYTES_MAX }));
  for (const folder of [host.folders.state, dirname(path)]) {
    const shared = sharedTrouble(host.instant.stat(folder), host);
    if (shared !== undefined) return { kind: "unusable", trouble: `is in \`${folder}\`, which ${shared}` };
  }
  const trouble = sharedTrouble(stat, host);
  if (trouble !== undefined) return { kind: "unusable", trouble };
  const read = readCheckedFile(path, { host, format, bytesMax: STATE_BYTES_MAX });
  switch (read.kind) {
    case "absent":
      return read;
    case "content":
      return { kind: "text", text: new TextDecoder().decode(read.bytes) };
    case "newer": {
      const versions = `(version ${read.version}, here ${format.version})`;
      return {
        kind: "newer",
        trouble: `${troubleOf(read) ?? ""} ${versions}; use that version, or remove the file`,
      };
    }
    case "unreadable":
      return ["EINVAL", "EISDIR", "EFBIG"].includes(read.code)
        ? { kind: "damaged", trouble: read.reason }
        : { kind: "unusable", trouble: read.reason, error: read.error };
    case "damaged":
      return { kind: "damaged", trouble: read.reason };
  }
}

/** A file may be there although `stat` finds none, because it may not be looked at or was just written. */
function hidden(read: CheckedFile): StateText {
  if (read.kind === "absent") return read;
  if (read.kind === "unreadable") return { kind: "unusable", trouble: read.reason, error: read.error };
  const trouble = "changed while it was read; try again";
  return { kind: "unusable", trouble, error: Object.assign(new Error(trouble), { code: "EAGAIN" }) };
}

/** Returns why the file cannot be relied on: if others can write to it, it is not this user's decision. */
function sharedTrouble(stat: FileStat | undefined, host: Host): string | undefined {
  if (!stat || host.platform === "windows") return undefined;
  if (!stat.isOwn) return "belongs to another user";
  return (stat.mode & OTHERS_MAY_WRITE) === 0 ? undefined : "can be written by others";
}

/**
 * Runs `work` under a lock, which a killed process does not hold. Throws `{code: "EBUSY"}` if others hold it for too
 * long.
 */
export async function withState<T>(
  host: Host,
  { name }: StateFile,
  change: (lock: WriteLock) => Promise<T>,
): Promise<T> {
  const path = statePath(host, name);
  const lock = await takeLock(`${path}.lock`, { host, folder: dirname(path), waitMsMax: LOCK_WAIT_MS_MAX });
  try {
    return await change(lock);
  } finally {
    lock.release();
  }
}

/**
 * Writes and syncs the file. Throws `{code: "ENEWER"}` if a newer dottool wrote it, and the system's error if it cannot
 * be read or written.
 */
export async function writeState(
  host: Host,
  file: StateFile,
  { text, lock }: { readonly text: string; readonly lock?: WriteLock },
): Promise<void> {
  const path = statePath(host, file.name);
  await host.files.makeFolder(dirname(path), { mode: 0o700 });
  const found = readState(host, file);
  if (found.kind === "newer") throw Object.assign(new Error(`\`${path}\` ${found.trouble}`), { code: "ENEWER", path });
  // Its content is unknown, so it must not be replaced.
  if (found.kind === "unusable" && found.error !== undefined) throw found.error;
  // A file that others may write to is replaced, not filled.
  if (found.kind === "unusable" || found.kind === "damaged") putAside(path, host);
  await host.files.write(path, withChecksum(file.format, text), { mode: 0o600, lock });
}
