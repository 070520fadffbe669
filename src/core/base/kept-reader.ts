// Reads stored output one block at a time, and trusts only what its checksums confirm.
import type { Host } from "../tool/host.ts";
import {
  type Checksum,
  checksumBy,
  decodeTrailer,
  type KeptBlock,
  type KeptIndex,
  keptFile,
  lineStarts,
  TRAILER_BYTES,
} from "./kept-output.ts";

/** The limit of a list of blocks: a file of dottool has about 1,000 of them. */
const LIST_BYTES_MAX = 4 * 1024 * 1024;
/** The limit of a block; those that dottool writes have less than half a MiB. */
const BLOCK_BYTES_MAX = 4 * 1024 * 1024;

/** The file is damaged: it was truncated or changed. */
export class DamagedOutput extends Error {}

export class KeptReader {
  readonly lines: number;
  readonly sizeBytes: number;
  readonly isCut: boolean;
  readonly #path: string;
  readonly #host: Host;
  readonly #checksum: Checksum;
  readonly #blocks: readonly PlacedBlock[];
  #latest: { readonly block: PlacedBlock; readonly lines: readonly string[] } | undefined;

  constructor(path: string, index: KeptIndex, host: Host) {
    this.#path = path;
    this.#host = host;
    this.#checksum = checksumBy(host.sha256);
    this.#blocks = placed(index.blocks);
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
      const lines = await this.#linesOf(block);
      const skipped = Math.max(0, from - block.line);
      yield { first: block.line + skipped, lines: skipped === 0 ? lines : lines.slice(skipped) };
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
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#blocks[middle];
      if (block && block.line + block.lines <= line) low = middle + 1;
      else high = middle;
    }
    return this.#blocks[low];
  }

  async #linesOf(block: PlacedBlock): Promise<readonly string[]> {
    if (this.#latest?.block === block) return this.#latest.lines;
    const text = await this.#textOf(block);
    const starts = lineStarts(text);
    const lines = starts.map((start, index) =>
      text.slice(start, starts[index + 1] ?? text.length).replace(/\r?\n$/, ""),
    );
    this.#latest = { block, lines };
    return lines;
  }

  async #textOf({ offset, sizeBytes, checksum }: PlacedBlock): Promise<string> {
    const bytes = await this.#host.files.readBytes(this.#path, { offset, lengthMax: sizeBytes });
    if (bytes.length !== sizeBytes || this.#checksum(bytes) !== checksum) throw new DamagedOutput();
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

interface PlacedBlock {
  readonly index: number;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The index of the first line, from 0. */
  readonly line: number;
  readonly lines: number;
  readonly checksum: string;
}

function placed(blocks: readonly KeptBlock[]): readonly PlacedBlock[] {
  let offset = 0;
  let line = 0;
  return blocks.map(([sizeBytes, lines, checksum], index) => {
    const block = { index, offset, sizeBytes, line, lines, checksum };
    offset += sizeBytes;
    line += lines;
    return block;
  });
}

/**
 * Opens kept output. Returns undefined if nothing is stored under the handle. Throws `DamagedOutput` and errors of the
 * system.
 */
export async function openKept(handle: string, host: Host): Promise<KeptReader | undefined> {
  const path = keptFile(host.folders, handle);
  const stat = await host.files.stat(path);
  if (stat?.kind !== "file") return undefined;
  const trailer = decodeTrailer(
    await host.files.readBytes(path, { offset: Math.max(0, stat.sizeBytes - TRAILER_BYTES), lengthMax: TRAILER_BYTES }),
  );
  if (!trailer || trailer.listBytes > LIST_BYTES_MAX) throw new DamagedOutput();
  const offset = stat.sizeBytes - TRAILER_BYTES - trailer.listBytes;
  if (offset < 0) throw new DamagedOutput();
  const list = await host.files.readBytes(path, { offset, lengthMax: trailer.listBytes });
  if (checksumBy(host.sha256)(list) !== trailer.checksum) throw new DamagedOutput();
  const index = JSON.parse(new TextDecoder().decode(list)) as KeptIndex;
  if (index.sizeBytes !== offset || index.blocks.some(([sizeBytes]) => sizeBytes > BLOCK_BYTES_MAX))
    throw new DamagedOutput();
  return new KeptReader(path, index, host);
}
