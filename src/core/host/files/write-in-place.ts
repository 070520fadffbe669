// Writes a file in place if it has other names, or an owner that our new files cannot have. Its old content is in a
// file beside it meanwhile, and is restored if the write fails. After a kill that file is still there, until the next
// write of the same file has succeeded.
import { openNew, requireContent, RIGHTS, type WholeWrite } from "./new-file.ts";
import { constants, fsyncSync, ftruncateSync, readSync, renameSync, type Stats, writeSync } from "node:fs";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { keptName } from "../../tool/temporary-name.ts";
import { guard } from "../processes/process-guard.ts";
import { FileError } from "./file-error.ts";
import { removeLeftover, sweep } from "./sweep.ts";

const CHUNK_BYTES = 1024 * 1024;
const OPEN_FOR_CHANGING = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function writeInPlace(write: WholeWrite & { readonly existing: Stats }): Promise<void> {
  const { target, temporary } = write;
  const hash = createHash("sha256").update(basename(target)).digest("hex").slice(0, 8);
  const keptPath = join(dirname(target), keptName(basename(temporary), hash));
  let isKeptOnly = false;
  const removeKept = (): void => {
    removeLeftover(temporary);
    if (!isKeptOnly) removeLeftover(keptPath);
  };
  const file = await fs.open(target, OPEN_FOR_CHANGING);
  const release = guard({ kill: removeKept });
  try {
    const found = await file.stat();
    if (found.ino !== write.existing.ino || found.dev !== write.existing.dev)
      throw new FileError("ESTALE", "another file has taken its place", target);
    const kept = await openNew(temporary);
    try {
      copy(file.fd, kept.fd);
      await kept.sync();
      await requireContent(write);
      renameSync(temporary, keptPath);
      isKeptOnly = true;
      const error = overwrite(file.fd, kept.fd, write.content);
      isKeptOnly = false;
      if (error !== undefined) throw error;
      // Only the owner may do this; for other users the system has done it with the first write.
      if ((found.mode & ~RIGHTS & 0o7777) !== 0) await file.chmod(found.mode & RIGHTS).catch(() => undefined);
    } finally {
      await kept.close();
    }
    sweep(dirname(target), hash);
  } finally {
    removeKept();
    release();
    await file.close();
  }
}

/**
 * Overwrites the file and truncates it last: the content keeps its space on a full disk. In one turn, so that a signal
 * ends the program before it or after it. Returns the error after which the old content was restored; throws if it was
 * not.
 */
function overwrite(file: number, kept: number, content: Uint8Array | string): unknown {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  try {
    writeAt(file, bytes, 0);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
    return undefined;
  } catch (error) {
    copy(kept, file);
    fsyncSync(file);
    return error;
  }
}

function copy(from: number, to: number): void {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (;;) {
    const bytesRead = readSync(from, chunk, 0, chunk.length, length);
    if (bytesRead === 0) break;
    writeAt(to, chunk.subarray(0, bytesRead), length);
    length += bytesRead;
  }
  ftruncateSync(to, length);
}

function writeAt(file: number, bytes: Uint8Array, start: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, start + written);
}
