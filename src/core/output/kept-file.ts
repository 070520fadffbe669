// Kept output: a text of any length in a file of the cache under a handle. The file has blocks of whole lines, a list of
// the blocks with a checksum of each, and a last line of a fixed length about that list. A page reads only the list and
// its own blocks. The checksums protect against full disks and accidents, not against a process that may write there.
import { join } from "node:path";
import type { TextEnds } from "../tool/call.ts";
import { codeOf } from "../tool/error-code.ts";
import type { FileWriter, Host, HostFolders } from "../tool/host.ts";

/** A handle is a `Host.randomId`, so that the handle of another user's output cannot be guessed. */
export const handlePattern = /[0-9a-f]{32}/;
/** `.txt` files are from earlier versions and are only removed. */
const fileName = /^[0-9a-f]{32}\.(?:output|txt)$/;
/** The limit of all outputs together, and so of one. */
export const KEPT_BYTES_MAX = 200 * 1024 * 1024;
/** Longer than either end that a result shows. */
const BLOCK_CHARACTERS = 128 * 1024;
/** The amount of output after which older output is removed. */
const ROOM_BYTES = 32 * 1024 * 1024;
const AGE_MS_MAX = 7 * 24 * 60 * 60 * 1000;
/** The largest number of entries that are tidied at once: other programs may have filled the folder with more. */
const FILES_MAX = 10_000;
/** The limit of the list, which has about 1,000 blocks, and of a block, which has less than half a MiB. */
const READ_BYTES_MAX = 4 * 1024 * 1024;
/** A longer line counts as several, so that a text of a single line can be read in pages as well. */
const LINE_CHARACTERS_MAX = 2_000;

function keptFolder(folders: HostFolders): string {
  return join(folders.cache, "spill");
}

function makeKeptFolder(host: Host): Promise<void> {
  return host.files.makeFolder(keptFolder(host.folders), { mode: 0o700 });
}

/** `handle` must match `handlePattern`. */
export function keptFile(folders: HostFolders, handle: string): string {
  return join(keptFolder(folders), `${handle}.output`);
}

/** Creates the file, for this user alone. */
export async function createKept(host: Host, handle: string): Promise<FileWriter> {
  await makeKeptFolder(host);
  return host.files.create(keptFile(host.folders, handle), { mode: 0o600 });
}

interface KeptIndex {
  /** UTF-8. */
  readonly sizeBytes: number;
  readonly lines: number;
  /** Whether the output exceeded the limit of what is stored. */
  readonly isCut: boolean;
  readonly blocks: readonly KeptBlock[];
}

type KeptBlock = readonly [sizeBytes: number, lines: number, checksum: string];

const trailerPattern = /^\ndottool kept output 1 (\d{10}) ([0-9a-f]{16})\n$/;

function trailerOf(list: Uint8Array, host: Host): string {
  return `\ndottool kept output 1 ${String(list.length).padStart(10, "0")} ${checksumOf(list, host)}\n`;
}

const TRAILER_BYTES = "\ndottool kept output 1 0123456789 0123456789abcdef\n".length;

function checksumOf(bytes: Uint8Array, host: Host): string {
  return host.sha256(bytes).slice(0, 16);
}

export interface KeptText {
  /** The size of the text, stored or not. */
  readonly sizeBytes: number;
  readonly ends: TextEnds;
  /** The handle. Undefined if the output is lost, or if there is no text. */
  readonly handle?: string;
}

/** Writes a text as it comes, and remembers its two ends. */
export class KeptWriter {
  readonly #host: Host;
  readonly #handle: string;
  readonly #path: string;
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
  /** Settles when all whole blocks are written. */
  #writing: Promise<void> | undefined;
  #head: string | undefined;
  /** The last block and the one before it. */
  #tail: readonly string[] = [];

  constructor(host: Host) {
    this.#host = host;
    this.#handle = host.randomId();
    this.#path = keptFile(host.folders, this.#handle);
  }

  /** Adds text. A returned promise says that blocks are being written. */
  add(text: string): Promise<void> | undefined {
    this.#carry += text;
    if (this.#carry.length >= BLOCK_CHARACTERS) this.#writing ??= this.#writeBlocks();
    return this.#writing;
  }

  async end(): Promise<KeptText> {
    await this.#writing;
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

  /** Writes blocks up to the last line, which may continue, and what is added in the meantime. */
  async #writeBlocks(): Promise<void> {
    while (this.#carry.length >= BLOCK_CHARACTERS) {
      const part = this.#carry.slice(0, BLOCK_CHARACTERS);
      const starts = lineStarts(part);
      const end = starts.at(-1) ?? 0;
      this.#carry = this.#carry.slice(end);
      await this.#writeBlock(part.slice(0, end), starts.length - 1);
    }
    this.#writing = undefined;
  }

  async #writeBlock(text: string, lines: number): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    this.#sizeBytes += bytes.length;
    this.#lines += lines;
    this.#head ??= text;
    this.#tail = [...this.#tail.slice(-1), text];
    if (this.#lost !== undefined) return;
    this.#isCut ||= this.#keptBytes + bytes.length > KEPT_BYTES_MAX;
    if (this.#isCut) return;
    await this.#unlessLost(async () => {
      if (this.#keptBytes + bytes.length > this.#roomBytes) {
        this.#roomBytes += this.#roomBytes === 0 ? bytes.length : ROOM_BYTES;
        await removeOld(this.#host, this.#path, this.#roomBytes);
      }
      this.#file ??= await createKept(this.#host, this.#handle);
      await this.#file.write(bytes);
      this.#keptBytes += bytes.length;
      this.#keptLines += lines;
      this.#blocks.push([bytes.length, lines, checksumOf(bytes, this.#host)]);
    });
  }

  async #finish(): Promise<void> {
    const file = this.#file;
    if (this.#lost !== undefined || !file) return;
    await this.#unlessLost(async () => {
      const [sizeBytes, lines, isCut, blocks] = [this.#keptBytes, this.#keptLines, this.#isCut, this.#blocks];
      const list = new TextEncoder().encode(JSON.stringify({ sizeBytes, lines, isCut, blocks } satisfies KeptIndex));
      await file.write(Buffer.concat([list, Buffer.from(trailerOf(list, this.#host))]));
      await file.close();
      // Another dottool that makes room, or a user who clears the cache, may have removed the file.
      if (!(await this.#host.files.stat(this.#path))) this.#lost = "ENOENT";
    });
  }

  async #unlessLost(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#lost = codeOf(error) ?? "EIO";
      await this.#file?.close().catch(() => undefined);
      await this.#host.files.remove(this.#path).catch(() => undefined);
    }
  }
}

/** A full disk or a folder that cannot be written to loses the rest of an output, never the result. */
export async function storeSpill(host: Host, text: string): Promise<KeptText> {
  const writer = new KeptWriter(host);
  await writer.add(text);
  return writer.end();
}

/** Removes what is older than a week, then the oldest until `neededBytes` more have room in the file `own`. */
async function removeOld(host: Host, own: string, neededBytes: number): Promise<void> {
  const folder = keptFolder(host.folders);
  await makeKeptFolder(host);
  const nowMs = Date.parse(host.timestamp());
  const names = (await host.files.list(folder))
    .filter((entry) => entry.kind === "file" && fileName.test(entry.name))
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

/** The file is damaged: it was truncated or changed. */
export class DamagedOutput extends Error {}

interface PlacedBlock {
  readonly index: number;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The index of the first line, from 0. */
  readonly line: number;
  readonly lines: number;
  readonly checksum: string;
}

/** Reads one block at a time, and trusts only what its checksum confirms. */
export class KeptReader {
  readonly lines: number;
  readonly sizeBytes: number;
  readonly isCut: boolean;
  readonly #path: string;
  readonly #host: Host;
  readonly #blocks: readonly PlacedBlock[];
  #latest: { readonly block: PlacedBlock; readonly lines: readonly string[] } | undefined;

  constructor(path: string, index: KeptIndex, host: Host) {
    this.#path = path;
    this.#host = host;
    let [offset, line] = [0, 0];
    this.#blocks = index.blocks.map(([sizeBytes, lines, checksum], at) => {
      const block = { index: at, offset, sizeBytes, line, lines, checksum };
      offset += sizeBytes;
      line += lines;
      return block;
    });
    this.lines = index.lines;
    this.sizeBytes = index.sizeBytes;
    this.isCut = index.isCut;
  }

  /** Returns a line, counted from 0, without its line end. */
  async line(index: number): Promise<string> {
    const block = this.#blockOf(index);
    return block ? ((await this.#linesOf(block))[index - block.line] ?? "") : "";
  }

  /** Returns the lines from `from` on, block by block. */
  async *linesFrom(
    from: number,
  ): AsyncGenerator<{ readonly first: number; readonly lines: readonly string[] }, void, undefined> {
    for (let block = this.#blockOf(from); block; block = this.#blocks[block.index + 1]) {
      const skipped = Math.max(0, from - block.line);
      yield { first: block.line + skipped, lines: (await this.#linesOf(block)).slice(skipped) };
    }
  }

  /** Returns whole lines from the beginning, up to the given bytes or one block. */
  async start(bytesMax: number): Promise<string> {
    const texts: string[] = [];
    for (const block of this.#blocks) {
      if (texts.length > 0 && block.offset + block.sizeBytes > bytesMax) break;
      texts.push(await this.#textOf(block));
    }
    return texts.join("");
  }

  #blockOf(line: number): PlacedBlock | undefined {
    return this.#blocks.find((block) => block.line + block.lines > line);
  }

  async #linesOf(block: PlacedBlock): Promise<readonly string[]> {
    if (this.#latest?.block === block) return this.#latest.lines;
    const text = await this.#textOf(block);
    const starts = lineStarts(text);
    const lines = starts.map((start, index) => text.slice(start, starts[index + 1]).replace(/\r?\n$/, ""));
    this.#latest = { block, lines };
    return lines;
  }

  async #textOf({ offset, sizeBytes, checksum }: PlacedBlock): Promise<string> {
    const bytes = await this.#host.files.readBytes(this.#path, { offset, lengthMax: sizeBytes });
    if (bytes.length !== sizeBytes || checksumOf(bytes, this.#host) !== checksum) throw new DamagedOutput();
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/**
 * Opens kept output. Returns undefined if nothing is stored under the handle. Throws `DamagedOutput` and errors of the
 * system.
 */
export async function openKept(handle: string, host: Host): Promise<KeptReader | undefined> {
  const path = keptFile(host.folders, handle);
  const stat = await host.files.stat(path);
  if (stat?.kind !== "file") return undefined;
  const end = Math.max(0, stat.sizeBytes - TRAILER_BYTES);
  const trailer = await host.files.readBytes(path, { offset: end, lengthMax: TRAILER_BYTES });
  const [, length, checksum] = trailerPattern.exec(new TextDecoder().decode(trailer)) ?? [];
  const offset = end - Number(length);
  if (length === undefined || offset < 0 || Number(length) > READ_BYTES_MAX) throw new DamagedOutput();
  const list = await host.files.readBytes(path, { offset, lengthMax: Number(length) });
  if (checksumOf(list, host) !== checksum) throw new DamagedOutput();
  const index = JSON.parse(new TextDecoder().decode(list)) as KeptIndex;
  if (index.sizeBytes !== offset || index.blocks.some(([sizeBytes]) => sizeBytes > READ_BYTES_MAX))
    throw new DamagedOutput();
  return new KeptReader(path, index, host);
}

/** Returns where each line starts. A text that ends with a line end has no empty line after it. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let end = 0;
  for (let start = 0; start < text.length; ) {
    starts.push(start);
    // Searched once for each line: a long line has many starts, and searching from each would take quadratic time.
    if (start >= end) end = text.indexOf("\n", start) + 1 || text.length;
    // The line end itself does not count.
    start = end - start > LINE_CHARACTERS_MAX + 1 ? wholeCharacterEnd(text, start + LINE_CHARACTERS_MAX) : end;
  }
  return starts;
}

/** Returns `end`, or one less if that would split the two halves of a character. */
export function wholeCharacterEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
