// Files for everything that may wait: ranges of large files, atomic writes, and walks over folders.
import fs from "node:fs/promises";
import { constants, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { FileStat, FolderEntry, HostFiles } from "../tool/host.ts";
import { codeOf } from "../tool/error-code.ts";
import { FileError } from "./file-error.ts";
import { makeFolders } from "./make-folders.ts";
import { byName, kindOf, toFileStat } from "./file-stat.ts";
import { OPEN_FOR_READING, requireRegular, temporaryName } from "./instant-files.ts";
import { walk } from "./walk.ts";

/** A FIFO without a reader is an error then, and nothing to wait for. */
const OPEN_FOR_APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** As many as Linux follows before it says ELOOP. */
const LINKS_MAX = 40;

export function createFiles(temporaryFolder: string): HostFiles {
  return {
    stat,
    readBytes,
    list,
    walk,
    write: (path, content, options) => write(path, content, options?.mode ?? 0o644),
    append,
    makeFolder,
    makeTemporaryFolder: (prefix) => fs.mkdtemp(join(temporaryFolder, prefix)),
    remove: (path) => fs.rm(path, { recursive: true, force: true }),
    realPath: (path) => fs.realpath(path),
  };
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

async function readBytes(path: string, range: { readonly offset: number; readonly lengthMax: number }): Promise<Uint8Array> {
  const file = await fs.open(path, OPEN_FOR_READING);
  try {
    const found = await file.stat();
    requireRegular(found, path);
    if (found.size === 0) await requireNoProcessMemory(path);
    // A file of /proc says that it has 0 bytes, so only the end of the file ends the reading of those.
    const length = found.size === 0 ? range.lengthMax : Math.min(range.lengthMax, Math.max(0, found.size - range.offset));
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, range.offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** The environment of a running program holds its keys, this one's too; what is read may go to a model. */
async function requireNoProcessMemory(path: string): Promise<void> {
  if (/^\/proc\/\d+\/(task\/\d+\/)?(environ|mem|auxv)$/.test(await fs.realpath(path))) throw new FileError("EPERM", "the memory of a process", path);
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

async function write(path: string, content: Uint8Array | string, mode: number): Promise<void> {
  const target = await targetOf(path);
  const existing = await statOrNothing(target);
  if (existing) {
    requireRegular(existing, path);
    // The rename would replace a file that is write-protected; that is not what its owner asked for.
    await fs.access(target, constants.W_OK);
  }
  const folder = dirname(target);
  const temporary = join(folder, temporaryName());
  try {
    await writeNew(temporary, content, { mode, ...(existing ? { exactMode: existing.mode & 0o777 } : {}) });
    await fs.rename(temporary, target);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function append(path: string, content: Uint8Array | string, { mode }: { readonly mode: number }): Promise<void> {
  const file = await fs.open(path, OPEN_FOR_APPENDING, mode);
  try {
    requireRegular(await file.stat(), path);
    await file.appendFile(content);
    await file.sync();
  } finally {
    await file.close();
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

async function readLink(path: string): Promise<string | undefined> {
  try {
    return await fs.readlink(path);
  } catch {
    return undefined;
  }
}

interface NewFileMode {
  /** Less what the umask takes away. */
  readonly mode: number;
  /** Of the file that is replaced. */
  readonly exactMode?: number;
}

async function writeNew(path: string, content: Uint8Array | string, { mode, exactMode }: NewFileMode): Promise<void> {
  const file = await fs.open(path, "wx", exactMode === undefined ? mode : 0o600);
  try {
    await file.writeFile(content);
    if (exactMode !== undefined) await file.chmod(exactMode);
    await file.sync();
  } finally {
    await file.close();
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
