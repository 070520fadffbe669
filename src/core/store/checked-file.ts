// The format of the files that dottool stores for itself: a line with the name of the format, its version, and the
// length and checksum of the content, followed by the content. So damaged files, and files of later versions, are
// recognized. The checksum is neither secret nor safe against forgery; a library for it would take longer to load than a
// small file takes to sum.
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";

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

const LINE = /^dottool-file [a-z-]+ (\d{1,9}) \d{1,15} [0-9a-f]{16}\n$/;
/** The limit of the first line, with its end. */
const LINE_BYTES_MAX = 128;
const LINE_END = 10;

export function withChecksum(format: FileFormat, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return joined(new TextEncoder().encode(lineOf(format, bytes)), bytes);
}

/** Returns the first line, whose checksum is of the content and of the line before it. */
function lineOf({ name, version }: FileFormat, bytes: Uint8Array): string {
  const start = `dottool-file ${name} ${version} ${bytes.length} `;
  return `${start}${checksumOf(joined(bytes, new TextEncoder().encode(start)))}\n`;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export function checkedContent({ name, version }: FileFormat, whole: Uint8Array): CheckedContent {
  const lineEnd = whole.subarray(0, LINE_BYTES_MAX).indexOf(LINE_END) + 1;
  const line = new TextDecoder().decode(whole.subarray(0, lineEnd));
  const bytes = whole.subarray(lineEnd);
  const found = Number(LINE.exec(line)?.[1]);
  if (lineOf({ name, version: found }, bytes) !== line)
    return { kind: "damaged", reason: "is damaged: its content does not match its checksum" };
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

/** Moves a file away, because a file that is not understood is never deleted. Returns its new path. */
export function putAside(path: string, host: Host): string {
  const aside = `${path}.broken-${host.timestamp().replaceAll(/[^0-9]/g, "")}-${host.randomId().slice(0, 4)}`;
  host.shared.rename(path, aside);
  return aside;
}

// V8 compiles a function that is called often sooner than one long loop.
const BLOCK_WORDS = 1024;

/**
 * Returns 16 hexadecimal digits: a sum like FNV over 32-bit words, which any single changed word changes, and the
 * length.
 */
export function checksumOf(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  let sum = 0x811c9dc5 | 0;
  for (let first = 0; first < words.length; first += BLOCK_WORDS)
    sum = sumOf(words.subarray(first, first + BLOCK_WORDS), sum);
  sum = sumOf(aligned.subarray(words.length * 4), sum);
  return [sum, bytes.length].map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The shift brings high bits down, which a product only carries up. */
function sumOf(words: Int32Array | Uint8Array, before: number): number {
  let sum = before;
  for (let index = 0; index < words.length; index++) {
    const product = Math.imul(sum ^ (words[index] ?? 0), 0x85ebca6b);
    sum = product ^ (product >>> 15);
  }
  return sum;
}
