// Kept output: output that was too long to be shown, in a file under a handle. This file says where it is, how its
// lines are counted and how the file is laid out, for the writer (core/run/kept-writer.ts) and the reader (kept-reader.ts):
// blocks of whole lines, then a list of the blocks with a checksum of each, then a last line of a fixed length about
// that list. A page reads only the list and its own blocks.
import { join } from "node:path";
import type { HostFolders } from "../tool/host.ts";

/** A handle is a `Host.randomId`, so that the handle of another user's output cannot be guessed. */
export const handlePattern = /[0-9a-f]{32}/;

/** `.txt` files are from earlier versions and are only removed. */
const fileName = /^([0-9a-f]{32})\.(?:output|txt)$/;

export function keptFolder(folders: HostFolders): string {
  return join(folders.cache, "spill");
}

/** `handle` must match `handlePattern`. */
export function keptFile(folders: HostFolders, handle: string): string {
  return join(keptFolder(folders), `${handle}.output`);
}

export function isKeptFileName(name: string): boolean {
  return fileName.test(name);
}

/** The limit of all outputs together, and so of one. */
export const KEPT_BYTES_MAX = 200 * 1024 * 1024;

export interface KeptIndex {
  /** UTF-8. */
  readonly sizeBytes: number;
  readonly lines: number;
  /** Whether the output exceeded the limit of what is stored. */
  readonly isCut: boolean;
  readonly blocks: readonly KeptBlock[];
}

export type KeptBlock = readonly [sizeBytes: number, lines: number, checksum: string];

const MARK = "dottool kept output 1";
const CHECKSUM_DIGITS = 16;
/** A line end, the mark, the length of the list, its checksum, and a line end. */
export const TRAILER_BYTES = 1 + MARK.length + 1 + 10 + 1 + CHECKSUM_DIGITS + 1;

export type Checksum = (bytes: Uint8Array) => string;

/**
 * Returns checksums by the host's `sha256`. They protect against full disks and accidents, not against a process that
 * may write there.
 */
export function checksumBy(sha256: (bytes: Uint8Array) => string): Checksum {
  return (bytes) => sha256(bytes).slice(0, CHECKSUM_DIGITS);
}

/** Encodes the part after the blocks. */
export function encodeIndex(index: KeptIndex, checksum: Checksum): Uint8Array {
  const encoder = new TextEncoder();
  const list = encoder.encode(JSON.stringify(index));
  const trailer = encoder.encode(`\n${MARK} ${String(list.length).padStart(10, "0")} ${checksum(list)}\n`);
  const bytes = new Uint8Array(list.length + trailer.length);
  bytes.set(list);
  bytes.set(trailer, list.length);
  return bytes;
}

/** Decodes the length of the list, and its checksum. Undefined if these are not the last bytes of such a file. */
export function decodeTrailer(
  bytes: Uint8Array,
): { readonly listBytes: number; readonly checksum: string } | undefined {
  const [, length, checksum] =
    /^\ndottool kept output 1 (\d{10}) ([0-9a-f]{16})\n$/.exec(new TextDecoder().decode(bytes)) ?? [];
  return length === undefined || checksum === undefined ? undefined : { listBytes: Number(length), checksum };
}

/** A longer line counts as several, so that a text of a single line can be read in pages as well. */
export const LINE_CHARACTERS_MAX = 2_000;

/** Returns where each line starts. A text that ends with a line end has no empty line after it. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let end = 0;
  for (let start = 0; start < text.length; ) {
    starts.push(start);
    // Searched once for each line: a long line has many starts, and searching from each would take quadratic time.
    if (start >= end) {
      const lineEnd = text.indexOf("\n", start);
      end = lineEnd === -1 ? text.length : lineEnd + 1;
    }
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
