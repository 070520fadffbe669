// A file as a whole, at once or not at all: a new one beside it gets its owner and rights, and then takes its place.
import { constants, type Stats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { WriteLock, WriteOptions } from "../tool/host.ts";
import { codeOf, isUnanswered } from "../tool/error-code.ts";
import { FileError, ofTarget } from "./file-error.ts";
import { OPEN_FOR_READING, requireRegular, temporaryName } from "./instant-files.ts";

/** As many as Linux follows before it says ELOOP. */
const LINKS_MAX = 40;
const MODE = 0o644;
const PRIVATE_MODE = 0o600;
/** Less setuid and setgid: they were given to other content. */
export const RIGHTS = 0o777;

export interface WholeWrite {
  readonly target: string;
  readonly content: Uint8Array | string;
  /** Of the file that is replaced. */
  readonly existing: Stats | undefined;
  /** Beside the target; there is nothing yet, nor afterwards. */
  readonly temporary: string;
  /** Of a file that is new, less what the umask takes away. */
  readonly mode: number;
  readonly replaces: Uint8Array | undefined;
  readonly lock: WriteLock | undefined;
}

export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  { mode = MODE, replaces, lock }: WriteOptions = {},
): Promise<void> {
  const target = await targetOf(path);
  const existing = await fs.stat(target).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (existing) {
    requireRegular(existing, path);
    // The rename would replace a file that is write-protected; that is not what its owner asked for.
    await fs.access(target, constants.W_OK);
  }
  const write: WholeWrite = {
    target,
    content,
    existing,
    temporary: join(dirname(target), lock?.temporaryName ?? temporaryName()),
    mode,
    replaces,
    lock,
  };
  if (existing && (existing.nlink > 1 || !(await replace(write))))
    await (await import("./write-in-place.ts")).writeInPlace({ ...write, existing });
  else if (!existing) await replace(write);
}

/** False, and nothing has changed, where the new file cannot have the owner of the old one. */
async function replace(write: WholeWrite): Promise<boolean> {
  const { target, temporary } = write;
  try {
    if (!(await writeNew(write))) {
      await fs.rm(temporary, { force: true });
      return false;
    }
    await requireContent(write);
    await fs.rename(temporary, target).catch((error: unknown) => {
      throw write.lock && codeOf(error) === "ENOENT" ? lostLock(target) : error;
    });
  } catch (error) {
    // What went wrong before is to be told, and not that nothing can be removed either.
    await fs.rm(temporary, { force: true }).catch(() => undefined);
    throw ofTarget(error, temporary, target);
  }
  await syncFolder(dirname(target));
  return true;
}

async function writeNew({ temporary, content, existing, mode }: WholeWrite): Promise<boolean> {
  const file = await openNew(temporary, existing ? PRIVATE_MODE : mode);
  try {
    if (existing && !(await takeOwner(file, existing))) return false;
    await file.writeFile(content);
    if (existing) await file.chmod(existing.mode & RIGHTS);
    await file.sync();
    return true;
  } finally {
    await file.close();
  }
}

async function takeOwner(file: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const made = await file.stat();
  if (made.uid === uid && made.gid === gid) return true;
  try {
    await file.chown(uid, gid);
    return true;
  } catch {
    return false;
  }
}

/** For this user alone, unless `mode` says otherwise. Throws with the folder as `path` where that takes no file. */
export async function openNew(path: string, mode: number = PRIVATE_MODE): Promise<FileHandle> {
  try {
    return await fs.open(path, "wx+", mode);
  } catch (error) {
    const code = codeOf(error) ?? "";
    const folder = dirname(path);
    // The kernel's own folders say that of a file which they do not let anybody make.
    const isRefused =
      code === "ENOENT" &&
      (await fs.stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      ));
    if (isRefused || code === "EACCES" || code === "EPERM")
      throw new FileError(isRefused ? "EPERM" : code, "no file can be made there", folder);
    throw error;
  }
}

/** Looked at last: a program that knows nothing of our locks may have written meanwhile. */
export async function requireContent({
  target,
  replaces,
  lock,
}: Pick<WholeWrite, "target" | "replaces" | "lock">): Promise<void> {
  if (replaces && !(await contentOf(target, replaces.length))?.equals(replaces))
    throw new FileError("ESTALE", "it is another content by now", target);
  if (lock && !lock.isHeld()) throw lostLock(target);
}

/** This process stood still for so long that another one has taken the lock over. */
function lostLock(target: string): FileError {
  return new FileError("ESTALE", "another process changes it by now", target);
}

/** Absent where it is of another length. */
async function contentOf(path: string, length: number): Promise<Buffer | undefined> {
  const file = await fs.open(path, OPEN_FOR_READING).catch(() => undefined);
  try {
    return (await file?.stat())?.size === length ? await file?.readFile() : undefined;
  } finally {
    await file?.close();
  }
}

/** Where a write to `path` ends: through every link, also to a target that does not exist yet. */
async function targetOf(path: string): Promise<string> {
  let target = resolve(path);
  for (let links = 0; links <= LINKS_MAX; links++) {
    try {
      return await fs.realpath(target);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    const link = await readLink(target);
    if (link === undefined) return target;
    target = resolve(dirname(target), link);
  }
  throw new FileError("ELOOP", "too many links", path);
}

export async function readLink(path: string): Promise<string | undefined> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return undefined;
  }
}

/** Makes the rename itself last. Windows and some file systems cannot do this; the content is safe there too. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file is written and in place: there is nothing to tell the caller.
  }
}
