// Text files as blocks of whole lines, so that a file of any size is read with the memory of one block.
import type { HostFiles } from "../../core/tool/host.ts";
import { binaryMediaType } from "../../core/output/binary-media-type.ts";

export const BLOCK_BYTES = 256 * 1024;
/** The limit of a line; only the beginning of a longer one is returned. */
export const LINE_BYTES_MAX = 1024 * 1024;
/**
 * The limit of UTF-16 text, which is decoded as a whole, because a line end cannot be found without reading every
 * character.
 */
export const WIDE_BYTES_MAX = 16 * 1024 * 1024;

type TextFormat = "utf-8" | "utf-16le" | "utf-16be";

/** Returns the format of a file by its first bytes: at least 8 KiB of them, or all. */
export function formatOf(start: Uint8Array): { readonly text: TextFormat } | { readonly binary: string } {
  if (start[0] === 0xff && start[1] === 0xfe) return { text: "utf-16le" };
  if (start[0] === 0xfe && start[1] === 0xff) return { text: "utf-16be" };
  const binary = binaryMediaType(start.subarray(0, 8 * 1024));
  return binary === undefined ? { text: "utf-8" } : { binary };
}

export interface TextBlock {
  /** The number of the first line, from 1. */
  readonly firstLine: number;
  /** Whole lines with their ends; without a byte order mark. */
  readonly text: string;
  /** The last line is longer than `LINE_BYTES_MAX`. */
  readonly isCut: boolean;
}

export interface TextSource {
  readonly files: HostFiles;
  readonly path: string;
  readonly format: TextFormat;
  /** The first `BLOCK_BYTES` of the file, or all of it. */
  readonly start: Uint8Array;
}

/** Returns the text from line `fromLine` on. It ends early when the signal aborts. */
export async function* textBlocks(
  source: TextSource,
  options: { readonly fromLine: number; readonly signal: AbortSignal },
): AsyncGenerator<TextBlock, void, undefined> {
  if (source.format !== "utf-8") return yield* wideBlock(source, options.fromLine);
  let wanted = options.fromLine;
  let line = 1;
  let held: Uint8Array = new Uint8Array(0);
  for (let offset = 0, chunk = source.start; !options.signal.aborted; ) {
    const isLast = chunk.length < BLOCK_BYTES;
    const skipped = skipLines(chunk, wanted - line);
    line += skipped.lines;
    const bytes = joined(held, chunk.subarray(skipped.bytes));
    const end = isLast ? bytes.length : bytes.lastIndexOf(LINE_END) + 1;
    held = bytes.subarray(end);
    if (end > 0 && line >= wanted) {
      yield { firstLine: line, text: decode(bytes.subarray(0, end), "utf-8", line), isCut: false };
      line += countLineEnds(bytes.subarray(0, end));
      wanted = line;
    }
    if (isLast) return;
    if (held.length > LINE_BYTES_MAX) {
      yield { firstLine: line, text: `${decode(held.subarray(0, LINE_BYTES_MAX), "utf-8", line)}\n`, isCut: true };
      held = new Uint8Array(0);
      wanted = line + 1;
    }
    offset += chunk.length;
    chunk = await source.files.readBytes(source.path, { offset, lengthMax: BLOCK_BYTES });
  }
}

const LINE_END = 10;

async function* wideBlock(source: TextSource, fromLine: number): AsyncGenerator<TextBlock, void, undefined> {
  const bytes =
    source.start.length < BLOCK_BYTES
      ? source.start
      : await source.files.readBytes(source.path, { offset: 0, lengthMax: WIDE_BYTES_MAX });
  let text = decode(bytes, source.format, 1);
  for (let line = 1; line < fromLine; line++) {
    const end = text.indexOf("\n");
    if (end === -1) return;
    text = text.slice(end + 1);
  }
  if (text !== "") yield { firstLine: fromLine, text, isCut: false };
}

/** Decodes a block. U+FEFF is a byte order mark only at the start of a file. */
function decode(bytes: Uint8Array, format: TextFormat, firstLine: number): string {
  return new TextDecoder(format, { ignoreBOM: firstLine > 1 }).decode(bytes);
}

/** Returns the end of the `lines`th line in `bytes`, or of the last one if there are fewer. */
function skipLines(bytes: Uint8Array, lines: number): { readonly lines: number; readonly bytes: number } {
  let at = 0;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = bytes.indexOf(LINE_END, at);
    if (end === -1) return { lines: skipped, bytes: bytes.length };
    at = end + 1;
  }
  return { lines: Math.max(0, lines), bytes: at };
}

export function countLineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count++;
  return count;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
