// Writes a whole file at once or not at all: a new file beside it gets its owner and mode, and then takes its place.
import { lostLock, openNew, PRIVATE_MODE, requireContent, RIGHTS, type WholeWrite } from "./new-file.ts";
import { constants, linkSync, renameSync, type Stats, statSync } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import type { WriteOptions } from "../../tool/host.ts";
import { codeOf, isUnanswered } from "../../tool/error-code.ts";
import { FileError, ofTarget } from "./file-error.ts";
import { guard } from "../processes/process-guard.ts";
import { requireRegular } from "./instant-files.ts";
import { newTemporaryName, removeLeftover, sweepOnce } from "./sweep.ts";

/** The limit of Linux, after which it fails with ELOOP. */
const LINKS_MAX = 40;
const MODE = 0o644;

export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  { mode = MODE, replaces, lock, formerPath }: WriteOptions = {},
): Promise<void> {
  const target = await targetOf(path);
  const existing = await fs.stat(target).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (existing) {
    requireRegular(existing, path);
    // The rename would replace a write-protected file, which its owner does not want.
    await fs.access(target, constants.W_OK);
  }
  sweepOnce(dirname(target));
  const write: WholeWrite = {
    target,
    content,
    existing,
    temporary: join(dirname(target), lock?.temporaryName ?? newTemporaryName()),
    mode,
    replaces,
    lock,
    formerPath,
  };
  if (existing && formerPath !== undefined) await replace(write);
  else if (existing && (existing.nlink > 1 || !(await replace(write))))
    await (await import("./write-in-place.ts")).writeInPlace({ ...write, existing });
  else if (!existing) await replace(write);
}

/** Returns false, and changes nothing, if the new file cannot have the owner of the old one. */
async function replace(write: WholeWrite): Promise<boolean> {
  const { target, temporary } = write;
  // A signal ends the program at any moment. Nothing else knows of the file then.
  const release = guard({ kill: () => removeLeftover(temporary) });
  try {
    if (!(await writeNew(write))) {
      await fs.rm(temporary, { force: true });
      return false;
    }
    await requireContent(write);
    if (write.formerPath !== undefined) exchange(write);
    else
      await fs.rename(temporary, target).catch((error: unknown) => {
        throw write.lock && codeOf(error) === "ENOENT" ? lostLock(target) : error;
      });
  } catch (error) {
    // The first error is reported, not a failure to remove the temporary file.
    await fs.rm(temporary, { force: true }).catch(() => undefined);
    throw ofTarget(error, temporary, target);
  } finally {
    release();
  }
  await syncFolder(dirname(target));
  return true;
}

/** In one turn, so that a signal ends the program before it or after it. */
function exchange({ target, temporary, existing, formerPath = "" }: WholeWrite): void {
  const kept = join(dirname(target), newTemporaryName());
  try {
    // Windows lets a running executable be renamed, but no file take its place.
    if (process.platform === "win32") renameSync(target, kept);
    else linkSync(target, kept);
  } catch {
    // Some file systems have no hard links, and Linux may refuse one to a file of another user.
    renameSync(target, kept);
  }
  try {
    if (statSync(kept).ino !== existing?.ino) throw new FileError("ESTALE", "another file has taken its place", target);
    renameSync(temporary, target);
    renameSync(kept, formerPath);
  } catch (error) {
    renameSync(kept, target);
    removeLeftover(kept);
    throw error;
  }
  // If `formerPath` was the same file, the rename has done nothing.
  removeLeftover(kept);
}

async function writeNew({ temporary, content, existing, mode, formerPath }: WholeWrite): Promise<boolean> {
  const file = await openNew(temporary, existing ? PRIVATE_MODE : mode);
  try {
    if (existing && !(await takeOwner(file, existing)) && formerPath === undefined) return false;
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

/** Returns the target of a write to `path`: through every link, also to a file that does not exist yet. */
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

/** Makes the rename itself durable. Windows and some file systems cannot; the content is safe there too. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file is written and in place, so there is nothing to report.
  }
}
