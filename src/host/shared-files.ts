// Files that several processes of one user write to: made once, appended to in whole lines, put aside.
import fs from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { codeOf } from "../tool/error-code.ts";
import type { HostShared } from "../tool/host-shared.ts";
import { FileError, withPath } from "./file-error.ts";
import { requireRegular } from "./instant-files.ts";
import { makeFolders } from "./make-folders.ts";
import { isSetAbove } from "./processes-above.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

export const sharedFiles: HostShared = { processId: process.pid, isRunning, isSetAbove, create, rename: fs.renameSync, append };

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one all the same.
    return codeOf(error) === "EPERM";
  }
}

function create(path: string, content: string): boolean {
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
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
}

function append(path: string, content: string): number {
  const file = openIn(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  try {
    requireRegular(fs.fstatSync(file), path);
    const bytes = Buffer.from(content);
    if (fs.writeSync(file, bytes) < bytes.length) throw new FileError("ENOSPC", "the disk is full", path);
    return fs.fstatSync(file).size;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
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
