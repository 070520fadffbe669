// Reads tar archives into memory, so that nothing of them reaches the disk before all of it is checked.
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { codeOf } from "../../tool/error-code.ts";
import { Parser, type ReadEntry } from "tar";
import { PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX, type PackedFile, type Unpacked } from "../../tool/host-packages.ts";

/** With the heads of files, of which the parser would read any number, and of folders. */
const TAR_BYTES_MAX = PACKAGE_BYTES_MAX + 16 * 1024 * 1024;
const GZIP = [0x1f, 0x8b];
const TOO_LARGE = `has more than ${PACKAGE_BYTES_MAX / 1024 / 1024} MiB`;
const FILE_TYPES: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile"]);

export async function unpack(archive: Uint8Array, options: { readonly stripsTop: boolean }): Promise<Unpacked> {
  try {
    const tar = isZipped(archive) ? await promisify(gunzip)(archive, { maxOutputLength: TAR_BYTES_MAX }) : archive;
    // The parser would unzip it again, without a limit.
    if (isZipped(tar)) return { problem: "is zipped twice" };
    return tar.length > TAR_BYTES_MAX ? { problem: TOO_LARGE } : await unpackTar(tar, options);
  } catch (error) {
    const isTooLarge = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
    return { problem: isTooLarge ? TOO_LARGE : unreadable(error) };
  }
}

function isZipped(archive: Uint8Array): boolean {
  return GZIP.every((byte, index) => archive[index] === byte);
}

async function unpackTar(archive: Uint8Array, { stripsTop }: { readonly stripsTop: boolean }): Promise<Unpacked> {
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
      if (bytes > PACKAGE_BYTES_MAX) return refuse(TOO_LARGE);
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
