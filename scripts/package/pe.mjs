// Windows executables without their Authenticode certificate. The injection breaks it, and a broken one is worse than
// none.

const PE_HEADER_AT = 0x3c;
const CHECKSUM_IN_HEADER = 24 + 64;
const CERTIFICATE_ENTRY_IN_HEADER = 24 + 112 + 4 * 8;

export function withoutCertificate(exe) {
  const header = exe.readUInt32LE(PE_HEADER_AT);
  if (exe.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("not a Windows executable");
  const entry = header + CERTIFICATE_ENTRY_IN_HEADER;
  const start = exe.readUInt32LE(entry);
  const bytes = exe.readUInt32LE(entry + 4);
  const isLast = start !== 0 && start + bytes === exe.length;
  const unsigned = Buffer.from(isLast ? exe.subarray(0, start) : exe);
  unsigned.writeUInt32LE(0, entry);
  unsigned.writeUInt32LE(0, entry + 4);
  unsigned.writeUInt32LE(0, header + CHECKSUM_IN_HEADER);
  return unsigned;
}
