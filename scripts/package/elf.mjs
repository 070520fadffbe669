// Linux executables without the parts that only debuggers read. They are removed before the injection, because
// afterwards that would cut off the blob.

const PROGRAM_HEADERS_AT = 32;
const SECTION_HEADERS_AT = 40;
const PROGRAM_HEADER_BYTES_AT = 54;
const PROGRAM_HEADER_COUNT_AT = 56;
const SECTION_FIELDS_AT = 58;
const SEGMENT_OFFSET_AT = 8;
const SEGMENT_FILE_BYTES_AT = 32;

/** Returns the file up to the end of its last segment, without a section table: nothing after that is loaded. */
export function withoutSymbols(elf) {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2) throw new Error("not a 64-bit ELF file");
  const first = Number(elf.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const headerBytes = elf.readUInt16LE(PROGRAM_HEADER_BYTES_AT);
  const count = elf.readUInt16LE(PROGRAM_HEADER_COUNT_AT);
  let end = first + headerBytes * count;
  for (let header = first; header < first + headerBytes * count; header += headerBytes) {
    const fileBytes = Number(elf.readBigUInt64LE(header + SEGMENT_FILE_BYTES_AT));
    if (fileBytes > 0) end = Math.max(end, Number(elf.readBigUInt64LE(header + SEGMENT_OFFSET_AT)) + fileBytes);
  }
  const stripped = Buffer.from(elf.subarray(0, end));
  stripped.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  stripped.fill(0, SECTION_FIELDS_AT, SECTION_FIELDS_AT + 6);
  return stripped;
}
