// All chunks and their code caches as one asset. Node reads the head of every asset at each start, which costs a page
// of the file for each, while a thousand more chunks in one asset cost nothing.
//
// Layout: lengths of two indexes (32 bits each, little-endian), the indexes, the parts. An index is JSON, from a name
// to [offset, length], counted from the start. The first has what warm calls need, so that they never read the second.
import { readFileSync, writeFileSync } from "node:fs";

/** V8 copies a code cache that does not begin at a multiple of this. */
export const ALIGNMENT_BYTES = 8;
const LENGTHS_BYTES = 8;
/**
 * The width of an offset or a length in an index, so that the length of an index does not depend on the numbers in it.
 */
const DIGITS = 10;

/** `first` and `rest` are paths by name. */
export function writePack(file, { first, rest }) {
  const groups = [first, rest].map((paths) =>
    Object.entries(paths).map(([name, path]) => ({ name, bytes: readFileSync(path) })),
  );
  const indexOf = (parts) =>
    `{${parts.map(({ name, offset = 0, bytes }) => `${JSON.stringify(name)}:[${[offset, bytes.length].map((number) => String(number).padStart(DIGITS)).join()}]`).join()}}`;
  const indexBytes = groups.map((parts) => Buffer.byteLength(indexOf(parts)));
  let end = LENGTHS_BYTES + indexBytes[0] + indexBytes[1];
  for (const part of groups.flat()) {
    part.offset = aligned(end);
    end = part.offset + part.bytes.length;
  }
  const pack = Buffer.alloc(end);
  for (const [index, bytes] of indexBytes.entries()) pack.writeUInt32LE(bytes, index * 4);
  pack.write(groups.map(indexOf).join(""), LENGTHS_BYTES);
  for (const { offset, bytes } of groups.flat()) bytes.copy(pack, offset);
  writeFileSync(file, pack);
}

function aligned(offset) {
  return Math.ceil(offset / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
