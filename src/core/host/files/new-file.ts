// A new file, and what must hold before one takes the place of another.
import { closeSync, constants, openSync, type Stats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { WriteLock } from "../../tool/host.ts";
import { codeOf } from "../../tool/error-code.ts";
import { FileError } from "./file-error.ts";
import { OPEN_FOR_READING } from "./instant-files.ts";

export const PRIVATE_MODE = 0o600;
const OPEN_MADE = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
export interface WholeWrite {
  readonly target: string;
  readonly content: Uint8Array | string;
  /** The stats of the file that is replaced. */
  readonly existing: Stats | undefined;
  /** A path beside the target; the file exists only during the write. */
  readonly temporary: string;
  /** The mode of a new file, before the umask. */
  readonly mode: number;
  readonly replaces: Uint8Array | undefined;
  readonly lock: WriteLock | undefined;
  readonly formerPath: string | undefined;
}

/** The mode bits without setuid and setgid, which were set for other content. */
export const RIGHTS = 0o777;

/**
 * Opens a new file, only for this user unless `mode` differs. Throws with the folder as `path` if it accepts no file.
 */
export async function openNew(path: string, mode: number = PRIVATE_MODE): Promise<FileHandle> {
  try {
    // Made in this turn, so that no thread makes it after a signal has had it removed.
    closeSync(openSync(path, "wx", mode));
    return await fs.open(path, OPEN_MADE);
  } catch (error) {
    const code = codeOf(error) ?? "";
    const folder = dirname(path);
    // The kernel's own folders give this error for files that cannot be created.
    const isRefused =
      code === "ENOENT" &&
      (await fs.stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      ));
    if (isRefused || code === "EACCES" || code === "EPERM")
      throw new FileError(isRefused ? "EPERM" : code, "no file can be created there", folder);
    throw error;
  }
}

/**
 * Throws if the file does not have the required content. Called last, because a program without our locks may have
 * written in the meantime.
 */
export async function requireContent({
  target,
  replaces,
  lock,
}: Pick<WholeWrite, "target" | "replaces" | "lock">): Promise<void> {
  if (replaces && !(await contentOf(target, replaces.length))?.equals(replaces))
    throw new FileError("ESTALE", "its content has changed", target);
  if (lock && !lock.isHeld()) throw lostLock(target);
}

/** Returns the error if this process was paused for so long that another one took over the lock. */
export function lostLock(target: string): FileError {
  return new FileError("ESTALE", "another process is changing it", target);
}

/** Returns undefined if it has another length. */
async function contentOf(path: string, length: number): Promise<Buffer | undefined> {
  const file = await fs.open(path, OPEN_FOR_READING).catch(() => undefined);
  try {
    return (await file?.stat())?.size === length ? await file?.readFile() : undefined;
  } finally {
    await file?.close();
  }
}
