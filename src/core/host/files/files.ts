// Asynchronous access to files: ranges of large files, atomic writes, and walks over folders.
import fs from "node:fs/promises";
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { FileStat, FileWriter, FolderEntry, HostFiles } from "../../tool/host.ts";
import { codeOf } from "../../tool/error-code.ts";
import { Turns } from "../../tool/turns.ts";
import { FileError, withPath } from "./file-error.ts";
import { makeFolders } from "./make-folders.ts";
import { byName, kindOf, toFileStat } from "./file-stat.ts";
import { OPEN_FOR_READING, requireRegular } from "./instant-files.ts";
import { walk } from "./walk.ts";
import { readLink, writeWhole } from "./write-whole.ts";

const never = new AbortController().signal;

/** Opens without blocking, so that a FIFO without a reader is an error. */
const OPEN_FOR_APPENDING =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * The limit of files that are open at once: a process may have some 60, and its modules, pipes and clients need some of
 * them.
 */
const OPEN_MAX = 16;

export function createFiles(temporaryFolder: string): HostFiles {
  const turns = new Turns(OPEN_MAX);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await turns.enter(never);
    try {
      return await work();
    } finally {
      turns.leave();
    }
  };
  return {
    stat,
    readBytes: async (path, range) => readFew(path, range) ?? inTurn(() => readBytes(path, range)),
    list,
    walk,
    write: (path, content, options) => inTurn(() => writeWhole(path, content, options)),
    append: (path, content, options) => inTurn(() => append(path, content, options)),
    create,
    makeFolder,
    makeTemporaryFolder: (prefix) =>
      makeTemporaryFolder(join(temporaryFolder, prefix)).catch((error: Error) =>
        Promise.reject(Object.assign(error, { path: temporaryFolder })),
      ),
    remove: async (path) => {
      await fs.rm(path, { recursive: true, force: true });
      temporary.delete(path);
    },
    realPath: (path) => fs.realpath(path),
    readLink,
  };
}

/** The temporary folders that still exist. */
const temporary = new Set<string>();

/** Creates a folder that is removed when the program ends, also after a second interrupt. */
async function makeTemporaryFolder(prefix: string): Promise<string> {
  if (temporary.size === 0) process.off("exit", removeTemporary).on("exit", removeTemporary);
  const path = await fs.mkdtemp(prefix);
  temporary.add(path);
  return path;
}

function removeTemporary(): void {
  for (const path of temporary) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A folder that may not be removed stays.
    }
  }
}

async function stat(path: string): Promise<FileStat | undefined> {
  const found = await statOrNothing(path);
  return found && toFileStat(found);
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

interface ByteRange {
  readonly offset: number;
  readonly lengthMax: number;
}

/** What is read at once. The four hops to another thread of a longer read take longer than to read so much. */
const FEW_BYTES_MAX = 64 * 1024;

/** Reads a small file at once; returns undefined for others, and where there is any trouble. */
function readFew(path: string, { offset, lengthMax }: ByteRange): Uint8Array | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, OPEN_FOR_READING);
    const { size } = fstatSync(file);
    // Other files than regular ones have no size, or are folders.
    if (size === 0 || size > FEW_BYTES_MAX) return undefined;
    const bytes = new Uint8Array(Math.min(lengthMax, Math.max(0, size - offset)));
    let filled = 0;
    for (let count = -1; count !== 0 && filled < bytes.length; filled += count)
      count = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
    return bytes.subarray(0, filled);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function readBytes(path: string, range: ByteRange): Promise<Uint8Array> {
  const file = await fs.open(path, OPEN_FOR_READING);
  try {
    const found = await file.stat();
    requireRegular(found, path);
    if (found.size === 0) await requireNoProcessMemory(path);
    // A file of /proc reports 0 bytes, so it is read to its end.
    const length =
      found.size === 0 ? range.lengthMax : Math.min(range.lengthMax, Math.max(0, found.size - range.offset));
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, range.offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Refuses the memory of processes: the environment of a program contains its keys, and the text may go to a model. */
async function requireNoProcessMemory(path: string): Promise<void> {
  if (/^\/proc\/\d+\/(task\/\d+\/)?(environ|mem|auxv)$/.test(await fs.realpath(path)))
    throw new FileError("EPERM", "the memory of a process", path);
}

async function list(folder: string): Promise<readonly FolderEntry[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort(byName);
}

async function makeFolder(path: string, options?: { readonly mode?: number }): Promise<void> {
  try {
    makeFolders(path, options?.mode);
  } catch (error) {
    // Node says EEXIST for a file at the very end of the path, and ENOTDIR for one before it.
    throw codeOf(error) === "EEXIST" ? new FileError("ENOTDIR", "it is a file", path) : error;
  }
}

async function append(path: string, content: Uint8Array | string, { mode }: { readonly mode: number }): Promise<void> {
  const file = await fs.open(path, OPEN_FOR_APPENDING, mode);
  try {
    requireRegular(await file.stat(), path);
    await file.appendFile(content);
    await file.sync();
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

async function create(path: string, { mode }: { readonly mode: number }): Promise<FileWriter> {
  const file = await fs.open(path, "wx", mode);
  return { write: (bytes) => file.writeFile(bytes), close: () => file.close() };
}
