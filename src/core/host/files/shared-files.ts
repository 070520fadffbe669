// Files that several processes of one user write to: created once, appended to in whole lines, moved away.
import fs from "node:fs";
import process from "node:process";
import { dirname, join } from "node:path";
import { codeOf } from "../../tool/error-code.ts";
import { FileError, withPath } from "./file-error.ts";
import { requireRegular } from "./instant-files.ts";
import { makeFolders } from "./make-folders.ts";
import { newTemporaryName, removeLeftover } from "./sweep.ts";
import { identity, interrupt, isRunning, isSetInAncestor } from "../processes/process-identity.ts";
import type { HostShared } from "../../tool/host.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

export const sharedFiles: HostShared = {
  processId: process.pid,
  identity,
  isRunning,
  interrupt,
  isSetInAncestor,
  create,
  rename: fs.renameSync,
  append,
  touch,
};

function create(path: string, content: string): boolean {
  // An empty file cannot be incomplete, and an existing one is not created.
  if (content === "" || fs.lstatSync(path, { throwIfNoEntry: false })) return createOpened(path, content);
  const temporary = join(dirname(path), newTemporaryName());
  try {
    createOpened(temporary, content);
    return linked(temporary, path) ?? createOpened(path, content);
  } finally {
    removeLeftover(temporary);
  }
}

/** Returns undefined if the file system has no hard links. */
function linked(from: string, to: string): boolean | undefined {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "EEXIST") return false;
    if (NO_LINKS.has(code)) return undefined;
    throw error;
  }
}

/** The errors of file systems and sandboxes without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "EACCES",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
  "EINVAL",
]);

/** Creates a file; removes it if it cannot be written completely. */
function createOpened(path: string, content: string): boolean {
  let file: number;
  try {
    file = openIn(path, O_WRONLY | O_CREAT | O_EXCL);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    fs.writeFileSync(file, content);
    return true;
  } catch (error) {
    removeLeftover(path);
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
}

function append(path: string, content: string): number {
  const file = openIn(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  try {
    const before = fs.fstatSync(file);
    requireRegular(before, path);
    const bytes = Buffer.from(content);
    const written = fs.writeSync(file, bytes);
    const { size } = fs.fstatSync(file);
    if (written === bytes.length) return size;
    // A partial line stays if another process has written after it.
    if (size === before.size + written) fs.ftruncateSync(file, before.size);
    throw new FileError("ENOSPC", "the disk is full", path);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
}

function touch(path: string): void {
  const now = new Date();
  fs.utimesSync(path, now, now);
}

function openIn(path: string, flags: number): number {
  try {
    return fs.openSync(path, flags, FILE_MODE);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    makeFolders(dirname(path), FOLDER_MODE);
    return fs.openSync(path, flags, FILE_MODE);
  }
}
