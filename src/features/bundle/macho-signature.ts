// An ad-hoc signature for a thin 64-bit Mach-O file, which Apple silicon needs to run it; `codesign` exists only on
// macOS. The layout is that of the linkers of Go and LLVM: one code directory with a SHA-256 for every 4 KiB page.
import { Buffer } from "node:buffer";

const MAGIC = 0xfeedfacf;
const HEADER_BYTES = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SIGNATURE_COMMAND_BYTES = 16;
const PAGE_BYTES = 4096;
const ALIGNMENT_BYTES = 16;
const SEGMENT_PAGE_BYTES = 0x4000;
const HASH_BYTES = 32;
const DIRECTORY_HEADER_BYTES = 88;
const SUPER_BLOB_BYTES = 20;

interface Layout {
  commandCount: number;
  /** The places of load commands, segments and sections, in bytes. */
  signature?: number;
  text?: { readonly offset: number; readonly fileBytes: number };
  linkEdit?: { readonly at: number; readonly offset: number; readonly fileBytes: number };
  end: number;
  roomEnd: number;
}

type SoundLayout = Layout & Required<Pick<Layout, "text" | "linkEdit">>;

export interface SigningOptions {
  readonly identifier: string;
  /** In hexadecimal. */
  sha256(bytes: Uint8Array): string;
}

export function isMachO(file: Buffer): boolean {
  return file.length > HEADER_BYTES && file.readUInt32LE(0) === MAGIC;
}

/** Returns where the signature is, and everything that it covers ends. */
export function signaturePlace(file: Buffer): number {
  const { signature, linkEdit } = readLayout(file);
  return signature === undefined
    ? roundUp(linkEdit.offset + linkEdit.fileBytes, ALIGNMENT_BYTES)
    : file.readUInt32LE(signature + 8);
}

/** Returns the file up to `at` with `payload` behind it, in place of its signature. It has to be signed then. */
export function withPayload(file: Buffer, payload: Uint8Array, at: number): Buffer {
  const end = roundUp(at + payload.length, ALIGNMENT_BYTES);
  const longer = Buffer.concat([file.subarray(0, at), payload], end);
  const { signature } = readLayout(file);
  if (signature === undefined) throw new Error("the Mach-O file has never been signed");
  longer.writeUInt32LE(end, signature + 8);
  return longer;
}

export function withAdHocSignature(file: Buffer, { identifier, sha256 }: SigningOptions): Buffer {
  const layout = readLayout(file);
  const signatureAt = signaturePlace(file);
  const pageCount = Math.ceil(signatureAt / PAGE_BYTES);
  const name = Buffer.from(`${identifier}\0`);
  const directoryBytes = DIRECTORY_HEADER_BYTES + name.length + pageCount * HASH_BYTES;
  const signatureBytes = roundUp(SUPER_BLOB_BYTES + directoryBytes, ALIGNMENT_BYTES);

  const signed = Buffer.alloc(signatureAt + signatureBytes);
  file.copy(signed, 0, 0, Math.min(file.length, signatureAt));
  const command = layout.signature ?? addSignatureCommand(signed, layout);
  signed.writeUInt32LE(signatureAt, command + 8);
  signed.writeUInt32LE(signatureBytes, command + 12);
  const linkEditBytes = signatureAt + signatureBytes - layout.linkEdit.offset;
  signed.writeBigUInt64LE(BigInt(roundUp(linkEditBytes, SEGMENT_PAGE_BYTES)), layout.linkEdit.at + 32);
  signed.writeBigUInt64LE(BigInt(linkEditBytes), layout.linkEdit.at + 48);

  writeSuperBlob(signed, signatureAt, directoryBytes);
  // The header is hashed with the first page, so everything in it is final here.
  writeDirectory(signed, {
    at: signatureAt + SUPER_BLOB_BYTES,
    directoryBytes,
    signatureAt,
    pageCount,
    name,
    text: layout.text,
    sha256,
  });
  return signed;
}

function readLayout(file: Buffer): SoundLayout {
  if (!isMachO(file)) throw new Error("not a thin 64-bit Mach-O file");
  const layout: Layout = { commandCount: file.readUInt32LE(16), end: HEADER_BYTES, roomEnd: Number.POSITIVE_INFINITY };
  for (let index = 0; index < layout.commandCount; index++) {
    const at = layout.end;
    const kind = file.readUInt32LE(at);
    if (kind === LC_SEGMENT_64) readSegment(file, at, layout);
    if (kind === LC_CODE_SIGNATURE) layout.signature = at;
    layout.end += file.readUInt32LE(at + 4);
  }
  const { text, linkEdit } = layout;
  if (!text || !linkEdit) throw new Error("a Mach-O file without __TEXT or __LINKEDIT");
  return { ...layout, text, linkEdit };
}

function readSegment(file: Buffer, at: number, layout: Layout): void {
  const name = file.toString("latin1", at + 8, at + 24).replace(/\0+$/, "");
  const offset = Number(file.readBigUInt64LE(at + 40));
  const fileBytes = Number(file.readBigUInt64LE(at + 48));
  if (name === "__TEXT") layout.text = { offset, fileBytes };
  if (name === "__LINKEDIT") layout.linkEdit = { at, offset, fileBytes };
  const sectionCount = file.readUInt32LE(at + 64);
  for (let index = 0; index < sectionCount; index++) {
    const sectionOffset = file.readUInt32LE(at + 72 + index * 80 + 48);
    if (sectionOffset > 0) layout.roomEnd = Math.min(layout.roomEnd, sectionOffset);
  }
}

function addSignatureCommand(signed: Buffer, layout: Layout): number {
  if (layout.end + SIGNATURE_COMMAND_BYTES > layout.roomEnd)
    throw new Error("the Mach-O header has no room for LC_CODE_SIGNATURE");
  signed.writeUInt32LE(layout.commandCount + 1, 16);
  signed.writeUInt32LE(signed.readUInt32LE(20) + SIGNATURE_COMMAND_BYTES, 20);
  signed.writeUInt32LE(LC_CODE_SIGNATURE, layout.end);
  signed.writeUInt32LE(SIGNATURE_COMMAND_BYTES, layout.end + 4);
  return layout.end;
}

function writeSuperBlob(signed: Buffer, at: number, directoryBytes: number): void {
  const words = [0xfade0cc0, SUPER_BLOB_BYTES + directoryBytes, 1, 0, SUPER_BLOB_BYTES];
  for (const [index, word] of words.entries()) signed.writeUInt32BE(word, at + index * 4);
}

interface Directory extends Pick<SoundLayout, "text">, Pick<SigningOptions, "sha256"> {
  readonly at: number;
  readonly directoryBytes: number;
  readonly signatureAt: number;
  readonly pageCount: number;
  readonly name: Buffer;
}

function writeDirectory(
  signed: Buffer,
  { at, directoryBytes, signatureAt, pageCount, name, text, sha256 }: Directory,
): void {
  const hashesInDirectory = DIRECTORY_HEADER_BYTES + name.length;
  // Magic, length, version 0x20400, flags adhoc|linker-signed, hash and identifier offsets, special slots, code slots,
  // code limit.
  const words = [
    0xfade0c02,
    directoryBytes,
    0x20400,
    0x20002,
    hashesInDirectory,
    DIRECTORY_HEADER_BYTES,
    0,
    pageCount,
    signatureAt,
  ];
  for (const [index, word] of words.entries()) signed.writeUInt32BE(word, at + index * 4);
  // Hash size, SHA-256, platform, log2 of the page size.
  Buffer.from([HASH_BYTES, 2, 0, 12]).copy(signed, at + 36);
  // The position of __TEXT, and the flag of a main executable.
  signed.writeBigUInt64BE(BigInt(text.offset), at + 64);
  signed.writeBigUInt64BE(BigInt(text.fileBytes), at + 72);
  signed.writeBigUInt64BE(1n, at + 80);
  name.copy(signed, at + DIRECTORY_HEADER_BYTES);
  for (let page = 0; page < pageCount; page++) {
    const bytes = signed.subarray(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, signatureAt));
    signed.write(sha256(bytes), at + hashesInDirectory + page * HASH_BYTES, "hex");
  }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
