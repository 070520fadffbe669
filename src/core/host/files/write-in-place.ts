// Writes a file in place if it has other names, or an owner that our new files cannot have. Its old content is in a
// file beside it meanwhile, and is restored if the write fails; after a kill that file is still there.
import { openNew, requireContent, RIGHTS, type WholeWrite } from "./new-file.ts";
import { constants, type Stats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { FileError } from "./file-error.ts";

const CHUNK_BYTES = 1024 * 1024;
const OPEN_FOR_CHANGING = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function writeInPlace(write: WholeWrite & { readonly existing: Stats }): Promise<void> {
  const { target } = write;
  const file = await fs.open(target, OPEN_FOR_CHANGING);
  try {
    const found = await file.stat();
    if (found.ino !== write.existing.ino || found.dev !== write.existing.dev)
      throw new FileError("ESTALE", "another file has taken its place", target);
    const kept = await openNew(write.temporary);
    let isKeptOnly = false;
    try {
      await copy(file, kept);
      await kept.sync();
      await requireContent(write);
      isKeptOnly = true;
      await overwrite(file, write.content).catch(async (error: unknown) => {
        await copy(kept, file);
        await file.sync();
        isKeptOnly = false;
        throw error;
      });
      isKeptOnly = false;
      // Only the owner may do this; for other users the system has done it with the first write.
      if ((found.mode & ~RIGHTS & 0o7777) !== 0) await file.chmod(found.mode & RIGHTS).catch(() => undefined);
    } finally {
      await kept.close();
      if (!isKeptOnly) await fs.rm(write.temporary, { force: true });
    }
  } finally {
    await file.close();
  }
}

/** Overwrites the file and truncates it last: the content keeps its space on a full disk. */
async function overwrite(file: FileHandle, content: Uint8Array | string): Promise<void> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  await writeAt(file, bytes, 0);
  await file.truncate(bytes.length);
  await file.sync();
}

async function copy(from: FileHandle, to: FileHandle): Promise<void> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (;;) {
    const { bytesRead } = await from.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) break;
    await writeAt(to, chunk.subarray(0, bytesRead), length);
    length += bytesRead;
  }
  await to.truncate(length);
}

async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, start + written)).bytesWritten;
}
