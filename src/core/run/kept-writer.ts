// Writes a text of any length to a file of the cache as it comes, in the form of core/base/kept-output.ts, and remembers its
// two ends.
import {
  type Checksum,
  checksumBy,
  encodeIndex,
  KEPT_BYTES_MAX,
  type KeptBlock,
  keptFile,
  keptFolder,
  lineStarts,
  isKeptFileName,
} from "../base/kept-output.ts";
import { codeOf } from "../tool/error-code.ts";
import type { TextEnds } from "../tool/call.ts";
import type { FileWriter, Host } from "../tool/host.ts";
import { join } from "node:path";

/** Longer than either end that a result shows. */
const BLOCK_CHARACTERS = 128 * 1024;
/** The amount of output after which older output is removed. */
const ROOM_BYTES = 32 * 1024 * 1024;

/** The system's error code. */
const REMOVED = "ENOENT";

export interface KeptText {
  /** The size of the text, stored or not. */
  readonly sizeBytes: number;
  readonly ends: TextEnds;
  /** The handle. Undefined if the output is lost, or if there is no text. */
  readonly handle?: string;
}

export class KeptWriter {
  readonly #host: Host;
  readonly #checksum: Checksum;
  readonly #handle: string;
  readonly #blocks: KeptBlock[] = [];
  #file: FileWriter | undefined;
  /** The system's error code, such as `ENOSPC`: a full disk loses the rest of an output, never the result. */
  #lost: string | undefined;
  /** Whether there was more than may be stored. */
  #isCut = false;
  #keptBytes = 0;
  #keptLines = 0;
  #roomBytes = 0;
  #sizeBytes = 0;
  #lines = 0;
  #carry = "";
  #head: string | undefined;
  /** The last block and the one before it. */
  #tail: readonly string[] = [];

  constructor(host: Host) {
    this.#host = host;
    this.#checksum = checksumBy(host.sha256);
    this.#handle = host.randomId();
  }

  /** Adds text, one after the other. Returns undefined if nothing was written. */
  add(text: string): Promise<void> | undefined {
    this.#carry += text;
    return this.#carry.length < BLOCK_CHARACTERS ? undefined : this.#writeBlocks();
  }

  async end(): Promise<KeptText> {
    await this.#writeBlocks();
    if (this.#carry !== "") await this.#writeBlock(this.#carry, lineStarts(this.#carry).length);
    this.#carry = "";
    await this.#finish();
    const lost = this.#lost;
    const ends: TextEnds = {
      head: this.#head ?? "",
      tail: this.#tail.join(""),
      lines: this.#lines,
      ...(lost === undefined ? {} : { lost }),
      ...(this.#isCut ? { keptLines: this.#keptLines } : {}),
    };
    return { sizeBytes: this.#sizeBytes, ends, ...(lost === undefined && this.#file ? { handle: this.#handle } : {}) };
  }

  /** Writes blocks up to the last line, which may continue. */
  async #writeBlocks(): Promise<void> {
    while (this.#carry.length >= BLOCK_CHARACTERS) {
      const part = this.#carry.slice(0, BLOCK_CHARACTERS);
      const starts = lineStarts(part);
      const end = starts.at(-1) ?? 0;
      this.#carry = this.#carry.slice(end);
      await this.#writeBlock(part.slice(0, end), starts.length - 1);
    }
  }

  async #writeBlock(text: string, lines: number): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    this.#sizeBytes += bytes.length;
    this.#lines += lines;
    this.#head ??= text;
    this.#tail = [...this.#tail.slice(-1), text];
    if (this.#lost !== undefined || this.#isCut) return;
    if (this.#keptBytes + bytes.length > KEPT_BYTES_MAX) {
      this.#isCut = true;
      return;
    }
    try {
      await this.#makeRoom(bytes.length);
      this.#file ??= await this.#host.files.create(keptFile(this.#host.folders, this.#handle), { mode: 0o600 });
      await this.#file.write(bytes);
      this.#keptBytes += bytes.length;
      this.#keptLines += lines;
      this.#blocks.push([bytes.length, lines, this.#checksum(bytes)]);
    } catch (error) {
      await this.#lose(error);
    }
  }

  async #makeRoom(neededBytes: number): Promise<void> {
    if (this.#file && this.#keptBytes + neededBytes <= this.#roomBytes) return;
    if (!this.#file) await this.#host.files.makeFolder(keptFolder(this.#host.folders), { mode: 0o700 });
    this.#roomBytes = this.#file ? this.#roomBytes + ROOM_BYTES : neededBytes;
    await removeOld(this.#host, { neededBytes: this.#roomBytes, except: this.#handle });
  }

  async #finish(): Promise<void> {
    if (this.#lost !== undefined) return;
    try {
      await this.#file?.write(
        encodeIndex(
          { sizeBytes: this.#keptBytes, lines: this.#keptLines, isCut: this.#isCut, blocks: this.#blocks },
          this.#checksum,
        ),
      );
      await this.#file?.close();
      // Another dottool that makes room, or a user who clears the cache, may have removed the file.
      if (this.#file && (await this.#host.files.stat(keptFile(this.#host.folders, this.#handle))) === undefined)
        this.#lost = REMOVED;
    } catch (error) {
      await this.#lose(error);
    }
  }

  async #lose(error: unknown): Promise<void> {
    this.#lost = codeOf(error) ?? "EIO";
    await this.#file?.close().catch(() => undefined);
    await this.#host.files.remove(keptFile(this.#host.folders, this.#handle)).catch(() => undefined);
  }
}

const AGE_MS_MAX = 7 * 24 * 60 * 60 * 1000;
/** The largest number of entries that are tidied at once: other programs may have filled the folder with more. */
const FILES_MAX = 10_000;

interface RoomOptions {
  readonly neededBytes: number;
  /** The handle for which there must be room. */
  readonly except: string;
}

/** Removes what is older than a week, then the oldest until `neededBytes` more have room. */
async function removeOld(host: Host, { neededBytes, except }: RoomOptions): Promise<void> {
  const folder = keptFolder(host.folders);
  const own = keptFile(host.folders, except);
  const nowMs = Date.parse(host.timestamp());
  const names = (await host.files.list(folder))
    .filter((entry) => entry.kind === "file" && isKeptFileName(entry.name))
    .slice(0, FILES_MAX);
  const kept = [];
  for (const { name } of names) {
    const path = join(folder, name);
    const stat = path === own ? undefined : await host.files.stat(path);
    if (stat) kept.push({ path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs });
  }
  kept.sort((a, b) => a.mtimeMs - b.mtimeMs);
  let totalBytes = kept.reduce((sum, file) => sum + file.sizeBytes, neededBytes);
  for (const { path, sizeBytes, mtimeMs } of kept) {
    if (totalBytes <= KEPT_BYTES_MAX && nowMs - mtimeMs <= AGE_MS_MAX) break;
    await host.files.remove(path);
    totalBytes -= sizeBytes;
  }
}
