// Synchronous access to files, for the catalogue: a call of one tool checks hundreds of small files, and an await for
// each would be too slow.
import fs from "node:fs";
import { dirname, join } from "node:path";
import type { FileFacts, FileStat, FolderEntry, InstantFiles } from "../../tool/host.ts";
import { codeOf, isUnanswered } from "../../tool/error-code.ts";
import { FileError, ofTarget, withPath } from "./file-error.ts";
import { makeFolders } from "./make-folders.ts";
import { byName, kindOf, toFileStat } from "./file-stat.ts";
import { newTemporaryName, removeLeftover, sweepOnce } from "./sweep.ts";

// Without waiting, a FIFO without a writer can be opened and recognized; absent on Windows, which has none.
export const OPEN_FOR_READING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

export const instantFiles: InstantFiles = {
  stat,
  isLink,
  readLink,
  isFileWith,
  list,
  names,
  readBytes,
  readStart,
  replace,
  remove: fs.unlinkSync,
  realPath: (path) => fs.realpathSync.native(path),
};

const quietly = { throwIfNoEntry: false } as const;

function stat(path: string): FileStat | undefined {
  try {
    const found = fs.statSync(path, quietly);
    return found && toFileStat(found);
  } catch (error) {
    return nothing(error);
  }
}

/** Throws disk errors: an unreadable folder is not an empty one, because its content may forbid something. */
function nothing(error: unknown): undefined {
  if (isUnanswered(error)) throw error;
  return undefined;
}

function isLink(path: string): boolean | undefined {
  try {
    return fs.lstatSync(path, quietly)?.isSymbolicLink();
  } catch (error) {
    return nothing(error) ?? false;
  }
}

function readLink(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch (error) {
    return nothing(error);
  }
}

function isFileWith(path: string, { sizeBytes, mtimeMs, ctimeMs, inode }: FileFacts): boolean {
  try {
    const found = fs.statSync(path, quietly);
    return (
      found !== undefined &&
      found.size === sizeBytes &&
      found.mtimeMs === mtimeMs &&
      found.ctimeMs === ctimeMs &&
      (inode === undefined || found.ino === inode) &&
      found.isFile()
    );
  } catch {
    return false;
  }
}

function list(folder: string): readonly FolderEntry[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort(byName);
}

/** Sorts by UTF-16 unit, as `byName` does. */
function names(folder: string): readonly string[] {
  return fs.readdirSync(folder).sort();
}

function readBytes(path: string, bytesMax: number): Uint8Array {
  const bytes = readStart(path, bytesMax + 1);
  if (bytes.length > bytesMax) throw new FileError("EFBIG", `more than ${bytesMax} bytes`, path);
  return bytes;
}

function readStart(path: string, bytesMax: number): Uint8Array {
  const file = fs.openSync(path, OPEN_FOR_READING);
  try {
    const found = fs.fstatSync(file);
    requireRegular(found, path);
    // A file of /proc reports 0 bytes, and a file can grow: the read bytes count, not the reported size.
    let bytes = new Uint8Array(Math.min(found.size + 1, bytesMax));
    let length = 0;
    while (length < bytesMax) {
      if (length === bytes.length) bytes = grown(bytes, bytesMax);
      const count = fs.readSync(file, bytes, length, bytes.length - length, null);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
}

/** Throws unless it is a file with content. */
export function requireRegular(found: fs.Stats, path: string): void {
  if (found.isDirectory()) throw new FileError("EISDIR", "it is a folder", path);
  if (!found.isFile()) throw new FileError("EINVAL", "not a regular file", path);
}

const GROWTH_BYTES_MIN = 64 * 1024;

function grown(bytes: Uint8Array<ArrayBuffer>, bytesMax: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(Math.max(bytes.length * 2, GROWTH_BYTES_MIN), bytesMax));
  larger.set(bytes);
  return larger;
}

function replace(
  path: string,
  content: Uint8Array | string,
  { isSynced }: { readonly isSynced: boolean } = { isSynced: false },
): void {
  const folder = dirname(path);
  const temporary = join(folder, newTemporaryName());
  sweepOnce(folder);
  try {
    writeNew(temporary, content, isSynced);
    fs.renameSync(temporary, path);
    if (isSynced) syncFolder(folder);
  } catch (error) {
    removeLeftover(temporary);
    throw ofTarget(error, temporary, path);
  }
}

/** Syncs a folder. Windows and some file systems cannot; the content is safe there too. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = fs.openSync(path, fs.constants.O_RDONLY);
    fs.fsyncSync(folder);
  } catch {
    // The file is written and in place, so there is nothing to report.
  } finally {
    if (folder !== undefined) fs.closeSync(folder);
  }
}

function writeNew(path: string, content: Uint8Array | string, isSynced: boolean): void {
  const options = { flag: "wx", mode: 0o600, flush: isSynced };
  try {
    fs.writeFileSync(path, content, options);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    makeFolders(dirname(path), 0o700);
    fs.writeFileSync(path, content, options);
  }
}
