// The format of the files that dottool stores for itself: a line with the name of the format, its version, and the
// length and checksum of the content, followed by the content. So damaged files, and files of later versions, are
// recognized.
import { Checksum } from "./checksum.ts";
import { codeOf } from "./error-code.ts";
import type { Host } from "./host.ts";

export interface FileFormat {
  /** One word. */
  readonly name: string;
  readonly version: number;
}

type CheckedContent =
  | { readonly kind: "content"; readonly bytes: Uint8Array }
  /** A newer dottool wrote it. */
  | { readonly kind: "newer"; readonly version: number }
  /** `reason` is the end of a sentence that begins with the path. */
  | { readonly kind: "damaged"; readonly reason: string };

export type CheckedFile =
  | CheckedContent
  | { readonly kind: "absent" }
  /** `code` is the system's, such as `EACCES`, or `EINVAL` if it is not a regular file. */
  | { readonly kind: "unreadable"; readonly reason: string; readonly code: string; readonly error: unknown };

const MAGIC = "dottool-file";
const LINE = /^dottool-file ([a-z-]+) (\d{1,9}) (\d{1,15}) ([0-9a-f]{16})\n$/;
/** The limit of the first line, with its end. */
const LINE_BYTES_MAX = 128;
const LINE_END = 10;

export function withChecksum(format: FileFormat, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const checksum = new Checksum();
  checksum.add(bytes);
  const line = checksumLine(format, checksum);
  const whole = new Uint8Array(line.length + bytes.length);
  whole.set(new TextEncoder().encode(line));
  whole.set(bytes, line.length);
  return whole;
}

/**
 * Returns the first line for the content that was added to `checksum`, with its line end; also used at the end of a
 * file that is written in parts. The line is added to `checksum`, which cannot be used afterwards.
 */
export function checksumLine({ name, version }: FileFormat, checksum: Checksum): string {
  const start = `${MAGIC} ${name} ${version} ${checksum.lengthBytes} `;
  checksum.add(new TextEncoder().encode(start));
  return `${start}${checksum.text}\n`;
}

/** Returns the version, or undefined if the line does not belong to this content. */
export function versionInLine(line: string, name: string, checksum: Checksum): number | undefined {
  const [, written = "", version = ""] = LINE.exec(line) ?? [];
  return written === name && checksumLine({ name, version: Number(version) }, checksum) === line
    ? Number(version)
    : undefined;
}

export function checkedContent({ name, version }: FileFormat, whole: Uint8Array): CheckedContent {
  const lineEnd = whole.subarray(0, LINE_BYTES_MAX).indexOf(LINE_END) + 1;
  const line = new TextDecoder().decode(whole.subarray(0, lineEnd));
  const bytes = whole.subarray(lineEnd);
  const checksum = new Checksum();
  checksum.add(bytes);
  const found = versionInLine(line, name, checksum);
  if (found === undefined) return { kind: "damaged", reason: "is damaged: its content does not match its checksum" };
  if (found > version) return { kind: "newer", version: found };
  return found === version ? { kind: "content", bytes } : { kind: "damaged", reason: "is of an earlier dottool" };
}

interface ReadCheckedOptions {
  readonly host: Pick<Host, "instant">;
  readonly format: FileFormat;
  /** The limit of the content. */
  readonly bytesMax: number;
}

/** Reads a file without blocking: only regular files are read. */
export function readCheckedFile(path: string, { host, format, bytesMax }: ReadCheckedOptions): CheckedFile {
  try {
    return checkedContent(format, host.instant.readBytes(path, bytesMax + LINE_BYTES_MAX));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return { kind: "unreadable", code, error, reason: UNREADABLE.get(code) ?? `cannot be read (${code})` };
  }
}

/** Reads JSON; undefined for every file that cannot be used. Throws errors of the system if it is there. */
export function readCheckedJson(path: string, options: ReadCheckedOptions): unknown {
  const read = readCheckedFile(path, options);
  if (read.kind === "unreadable") throw read.error;
  return read.kind === "content" ? JSON.parse(new TextDecoder().decode(read.bytes)) : undefined;
}

const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ["EISDIR", "is a folder, not a file"],
  ["EINVAL", "is not a regular file"],
  ["EFBIG", "is too large to be a file of dottool"],
]);

/**
 * Returns why a file cannot be used, as the end of a sentence that begins with its path. Returns undefined if the
 * content decides that.
 */
export function troubleOf(read: CheckedFile): string | undefined {
  if (read.kind === "newer") return "was written by a newer dottool";
  return read.kind === "damaged" || read.kind === "unreadable" ? read.reason : undefined;
}

/** Throws `{code: "ENEWER", path}` for a file of a newer dottool, which is neither overwritten nor moved away. */
export function requireNotNewer(path: string, options: ReadCheckedOptions): CheckedFile {
  const read = readCheckedFile(path, options);
  if (read.kind === "newer")
    throw Object.assign(new Error(`\`${path}\` ${troubleOf(read) ?? ""}; use that version, or remove the file`), {
      code: "ENEWER",
      path,
    });
  return read;
}
