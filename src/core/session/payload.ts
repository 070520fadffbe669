// The payload of a bundle: the files of a tool folder, compressed. The same files give the same bytes.
//
// Form, compressed with Brotli: the length of the index (32 bits, little-endian), the index, the contents one after the
// other. The index is JSON: an array of [path, length in bytes, 1 if executable or 0], sorted by path.
import { Buffer } from "node:buffer";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { TREE_BYTES_MAX, TREE_FILES_MAX } from "../catalog/tool-tree.ts";
import type { UnpackedFile } from "../tool/host-bundle.ts";

const LENGTH_BYTES = 4;
const INDEX_BYTES_MAX = 16 * 1024 * 1024;
/** Brotli does not make a text longer by more than a few bytes. */
export const PAYLOAD_BYTES_MAX = 2 * (INDEX_BYTES_MAX + TREE_BYTES_MAX);
/** A higher level doubles the time for a hundredth of the size. */
const QUALITY = 9;

type IndexRow = readonly [path: string, lengthBytes: number, isExecutable: 0 | 1];

export function packPayload(files: readonly UnpackedFile[]): Uint8Array {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const rows = sorted.map(({ path, bytes, isExecutable }): IndexRow => [path, bytes.length, isExecutable ? 1 : 0]);
  const index = Buffer.from(JSON.stringify(rows));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(index.length);
  return brotliCompressSync(Buffer.concat([length, index, ...sorted.map(({ bytes }) => bytes)]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
}

/** Throws if it is not a payload: whoever calls this has compared its hash. */
export function unpackPayload(payload: Uint8Array): readonly UnpackedFile[] {
  const bytes = brotliDecompressSync(payload, { maxOutputLength: LENGTH_BYTES + INDEX_BYTES_MAX + TREE_BYTES_MAX });
  const indexEnd = LENGTH_BYTES + bytes.readUInt32LE(0);
  const rows = JSON.parse(bytes.toString("utf8", LENGTH_BYTES, indexEnd)) as readonly IndexRow[];
  if (rows.length > TREE_FILES_MAX) throw new Error(`the payload has more than ${TREE_FILES_MAX} files`);
  let at = indexEnd;
  return rows.map(([path, lengthBytes, isExecutable]) => {
    if (!isInside(path)) throw new Error(`the payload has the path ${JSON.stringify(path)}`);
    const content = bytes.subarray(at, at + lengthBytes);
    at += lengthBytes;
    return { path, bytes: content, isExecutable: isExecutable === 1 };
  });
}

/** Whether the path leads to a place in the folder on every system. */
export function isInside(path: string): boolean {
  return (
    !/[\\\0]|^[A-Za-z]:/.test(path) && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
