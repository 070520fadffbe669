// Executables of each form, with the marker of dottool and no program.
import { createHash } from "node:crypto";
import { withAdHocSignature } from "../../src/features/bundle/macho-signature.ts";
import { emptyMarker } from "../../src/core/tool/bundle-marker.ts";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** For arm64. */
export function elf(): Buffer {
  const head = Buffer.alloc(64);
  head.write("\x7fELF", "latin1");
  head.writeUInt16LE(183, 18);
  return Buffer.concat([head, Buffer.from(`code${emptyMarker}code`)]);
}

/** For x64. */
export function pe(): Buffer {
  const HEADER_AT = 64;
  const head = Buffer.alloc(HEADER_AT + 6);
  head.write("MZ", "latin1");
  head.writeUInt32LE(HEADER_AT, 0x3c);
  head.write("PE\0\0", HEADER_AT, "latin1");
  head.writeUInt16LE(0x8664, HEADER_AT + 4);
  return Buffer.concat([head, Buffer.from(emptyMarker)]);
}

/** A signed Mach-O file for arm64 with the two segments that a signature needs. */
export function machO(): Buffer {
  const SEGMENT_BYTES = 72;
  const file = Buffer.alloc(0x4000 + 1024);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(0x0100000c, 4);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(2 * SEGMENT_BYTES, 20);
  const segment = (at: number, name: string, [offset, length]: readonly [number, number]): void => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(SEGMENT_BYTES, at + 4);
    file.write(name, at + 8);
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(length), at + 48);
  };
  segment(32, "__TEXT", [0, 0x4000]);
  segment(32 + SEGMENT_BYTES, "__LINKEDIT", [0x4000, 1024]);
  file.write(emptyMarker, 0x1000);
  return withAdHocSignature(file, { identifier: "dottool", sha256 });
}
