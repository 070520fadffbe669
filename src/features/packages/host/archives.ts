// Archives of packages, as npm makes them: read, written and hashed. And the signatures of registries.
import { createHash, createPublicKey, verify } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import packlist from "npm-packlist";
import { Header, Parser, Pax, type ReadEntry } from "tar";
import { codeOf } from "../../../core/tool/error-code.ts";
import { isProgramText, PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX, type PackedFile } from "./packed-file.ts";

/** `problem` is the end of a sentence that begins with the archive. */
export type Unpacked = { readonly files: readonly PackedFile[] } | { readonly problem: string };

/** In hexadecimal. */
export function sha1Of(archive: Uint8Array): string {
  return createHash("sha1").update(archive).digest("hex");
}

/** Returns the hash of an archive, as npm writes it: `sha512-` and base 64. */
export function integrityOf(archive: Uint8Array): string {
  return `sha512-${createHash("sha512").update(archive).digest("base64")}`;
}

/** Whether the key has signed the message, by ECDSA over SHA-256. The key is a SPKI; both are in base 64. */
export function isSigned(
  message: string,
  { key, signature }: { readonly key: string; readonly signature: string },
): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return verify("sha256", Buffer.from(message), publicKey, Buffer.from(signature, "base64"));
  } catch {
    // It is not a key.
    return false;
  }
}

/** Returns the paths that npm would publish of a folder: `files`, `.npmignore` and `.gitignore` decide. */
export async function packedPaths(
  folder: string,
  manifest: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { files } = manifest;
  const known = { ...(Array.isArray(files) ? { files: files.filter((one) => typeof one === "string") } : {}) };
  return (await packlist({ path: folder, package: known, isProjectRoot: true, edgesOut: new Map() })).sort();
}

const BLOCK_BYTES = 512;
const [FILE_MODE, PROGRAM_MODE] = [0o644, 0o755];
/** npm's date of every file. */
const MODIFIED = new Date("1985-10-26T08:15:00.000Z");

/** Returns the gzipped archive that `npm pack` would make: the same bytes for the same files. */
export function pack(files: readonly PackedFile[]): Uint8Array {
  const parts = files.flatMap(({ path, bytes }) => {
    const isProgram = isProgramText(bytes);
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

/** Heads of files and folders count too, since the parser would read any number of them. */
const HEADS_BYTES_MAX = 16 * 1024 * 1024;
const GZIP = [0x1f, 0x8b];
const tooLarge = (bytesMax: number): string => `has more than ${bytesMax / 1024 / 1024} MiB`;
const FILE_TYPES: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile"]);

interface UnpackOptions {
  /** Whether the first folder of each path is removed. */
  readonly stripsTop: boolean;
  /** Of the content of all files; that of a package if absent. */
  readonly bytesMax?: number | undefined;
}

/**
 * Reads a tar archive, which may be gzipped, into memory, so that nothing of it reaches the disk before all of it is
 * checked. Refuses one with links, devices, or too much content.
 */
export async function unpack(archive: Uint8Array, options: UnpackOptions): Promise<Unpacked> {
  const { stripsTop, bytesMax = PACKAGE_BYTES_MAX } = options;
  const maxOutputLength = bytesMax + HEADS_BYTES_MAX;
  try {
    const tar = isZipped(archive) ? await promisify(gunzip)(archive, { maxOutputLength }) : archive;
    // The parser would unzip it again, without a limit.
    if (isZipped(tar)) return { problem: "is zipped twice" };
    return tar.length > maxOutputLength
      ? { problem: tooLarge(bytesMax) }
      : await unpackTar(tar, { stripsTop, bytesMax });
  } catch (error) {
    const isTooLarge = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
    return { problem: isTooLarge ? tooLarge(bytesMax) : unreadable(error) };
  }
}

function isZipped(archive: Uint8Array): boolean {
  return GZIP.every((byte, index) => archive[index] === byte);
}

async function unpackTar(
  archive: Uint8Array,
  { stripsTop, bytesMax }: { readonly stripsTop: boolean; readonly bytesMax: number },
): Promise<Unpacked> {
  const files: PackedFile[] = [];
  let problem: string | undefined;
  let bytes = 0;
  const refuse = (fact: string): void => {
    problem ??= fact;
    parser.abort(new Error(fact));
  };
  const take = (entry: ReadEntry): void => {
    const { path, type } = entry;
    if (type === "Directory" || problem !== undefined) return entry.resume();
    if (!FILE_TYPES.has(type)) return refuse(`has \`${path}\`, which is not a file but a ${kindOf(type)}`);
    if (files.length >= PACKAGE_FILES_MAX) return refuse(`has more than ${PACKAGE_FILES_MAX} files`);
    const chunks: Uint8Array[] = [];
    entry.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > bytesMax) return refuse(tooLarge(bytesMax));
      chunks.push(chunk);
    });
    entry.on("end", () => {
      files.push({ path: stripsTop ? path.replace(/^[^/]*\//, "") : path, bytes: Buffer.concat(chunks) });
    });
    entry.resume();
  };
  const parser = new Parser({ strict: true, brotli: false, zstd: false, onReadEntry: take });
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on("end", resolve);
      parser.on("abort", reject);
      parser.on("error", reject);
      parser.end(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
    });
  } catch (error) {
    problem ??= unreadable(error);
  }
  return problem === undefined ? { files } : { problem };
}

function unreadable(error: unknown): string {
  return `is not a tar archive that can be read: ${error instanceof Error ? error.message : String(error)}`;
}

function kindOf(type: string): string {
  return type === "SymbolicLink" || type === "Link" ? "link" : "device or another special file";
}
