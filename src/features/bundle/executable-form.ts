// The forms of executables that tools can be put into: ELF, PE and Mach-O, each with a marker (core/tool/bundle-marker.ts).
import { Buffer } from "node:buffer";
import type { Bundle } from "../../core/tool/host-bundle.ts";
import { BUNDLE_MARK, MARKER_LENGTH, readMarker, writeMarker } from "../../core/tool/bundle-marker.ts";
import { isMachO, type SigningOptions, signaturePlace, withAdHocSignature, withPayload } from "./macho-signature.ts";

export interface Executable {
  /** As in the names of releases: `linux-x64`. */
  readonly platform: string;
  readonly bytes: Buffer;
  /** Where the marker is. */
  readonly markerAt: number;
  /** Where it ends without a payload, and on macOS without a signature. */
  readonly endBytes: number;
  /** What is inside. */
  readonly bundle: Bundle | undefined;
}

/** Returns the executable, or why it is not one of dottool. The end of a sentence that begins with the file. */
export function readExecutable(bytes: Buffer): Executable | { readonly problem: string } {
  const platform = platformOf(bytes);
  if (platform === undefined) return { problem: "is not an executable for Linux, macOS or Windows" };
  const markerAt = bytes.indexOf(BUNDLE_MARK);
  if (markerAt === -1) return { problem: "is not an executable of dottool, or is of a version that cannot be bundled" };
  const bundle = readMarker(bytes.toString("latin1", markerAt, markerAt + MARKER_LENGTH));
  const end = isMachO(bytes) ? signaturePlace(bytes) : bytes.length;
  const endBytes = bundle?.offsetBytes ?? end;
  if (!(endBytes <= end)) return { problem: "is cut off: the tools inside it are missing" };
  return { platform, bytes, markerAt, endBytes, bundle };
}

export type Contents = Pick<Bundle, "name" | "version" | "sha256" | "treeSha256">;

export interface WriteOptions extends Pick<SigningOptions, "sha256"> {
  readonly payload: Uint8Array;
  readonly contents: Contents;
}

/** Returns the executable with the payload, in place of the one that it may have. */
export function withTools(executable: Executable, { payload, contents, sha256 }: WriteOptions): Buffer {
  const { bytes, markerAt, endBytes } = executable;
  const marker = writeMarker({ ...contents, offsetBytes: endBytes, payloadBytes: payload.length });
  if (!isMachO(bytes)) {
    const bundled = Buffer.concat([bytes.subarray(0, endBytes), payload]);
    bundled.write(marker, markerAt, "latin1");
    return bundled;
  }
  const bundled = withPayload(bytes, payload, endBytes);
  bundled.write(marker, markerAt, "latin1");
  return withAdHocSignature(bundled, { identifier: contents.name, sha256 });
}

const ELF_MACHINES: Readonly<Record<number, string>> = { 62: "linux-x64", 183: "linux-arm64" };
const ELF_MACHINE_AT = 18;
const PE_HEADER_AT = 0x3c;
const PE_X64 = 0x8664;
const MACH_O_ARM64 = 0x0100000c;
const HEAD_BYTES_MIN = 64;

/** Needs only the first 4 KiB. Returns undefined for what is not an executable of a platform of dottool. */
export function platformOf(bytes: Buffer): string | undefined {
  if (bytes.length < HEAD_BYTES_MIN) return undefined;
  if (bytes.toString("latin1", 0, 4) === "\x7fELF") return ELF_MACHINES[bytes.readUInt16LE(ELF_MACHINE_AT)];
  if (isMachO(bytes)) return bytes.readUInt32LE(4) === MACH_O_ARM64 ? "darwin-arm64" : undefined;
  const header = bytes.toString("latin1", 0, 2) === "MZ" ? bytes.readUInt32LE(PE_HEADER_AT) : bytes.length;
  if (header + 6 > bytes.length || bytes.toString("latin1", header, header + 4) !== "PE\0\0") return undefined;
  return bytes.readUInt16LE(header + 4) === PE_X64 ? "win-x64" : undefined;
}
