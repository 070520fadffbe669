// Writes archives as `npm pack` does: the same bytes for the same files, whoever packs them and when.
import { gzipSync } from "node:zlib";
import { Header, Pax } from "tar";
import type { PackedFile } from "../../tool/host-packages.ts";

const BLOCK_BYTES = 512;
const [FILE_MODE, PROGRAM_MODE] = [0o644, 0o755];
/** npm's date of every file. */
const MODIFIED = new Date("1985-10-26T08:15:00.000Z");

export function pack(files: readonly PackedFile[]): Uint8Array {
  const parts = files.flatMap(({ path, bytes }) => {
    const isProgram = bytes[0] === 0x23 && bytes[1] === 0x21;
    const header = new Header({
      path: `package/${path}`,
      mode: isProgram ? PROGRAM_MODE : FILE_MODE,
      size: bytes.length,
      mtime: MODIFIED,
      type: "File",
    });
    const block = Buffer.alloc(BLOCK_BYTES);
    const needsMore = header.encode(block, 0);
    const more = needsMore ? [new Pax({ path: `package/${path}`, mtime: MODIFIED }).encode()] : [];
    return [...more, block, bytes, Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
}
