// Parsed definitions of one tool folder in one file, so that a warm call parses nothing: a header, an index with one row a definition, and after it each definition as
// JSON text of its own, of which only those that are used get parsed. Whatever is odd about the file means that there is none, and it is made anew.
import { join } from "node:path";
import type { FileStat, Host } from "../tool/host.ts";
import { checksumOf } from "./checksum.ts";
import type { DefinitionSummary } from "./entry.ts";

export interface CachedFile {
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** By the wall clock, before the file was read. */
  readonly checkedMs: number;
  readonly sha256: string;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly summary: DefinitionSummary;
  /** From `storeDefinition`; absent for a definition with errors. */
  readonly definition?: () => string;
}

export interface CacheOptions {
  readonly host: Host;
  /** Absolute path of the tool folder. */
  readonly folder: string;
  /** Changes with everything that a parsed definition depends on. */
  readonly key: string;
}

interface Row extends Omit<CachedFile, "definition"> {
  /** Of the definition, in bytes after the index. */
  readonly start?: number;
  readonly length?: number;
}

interface Index {
  readonly folder: string;
  readonly key: string;
  readonly rows: readonly Row[];
}

const MAGIC = "dottool definitions";
// A multiple of four, so that the sum over what follows needs no copy.
const HEADER_BYTES = 128;
const CACHE_BYTES_MAX = 512 * 1024 * 1024;
const NOT_PRIVATE = 0o077;

export function cachePathOf({ host, folder }: Pick<CacheOptions, "host" | "folder">): string {
  return join(host.folders.cache, "definitions", `${checksumOf(new TextEncoder().encode(folder))}.cache`);
}

/** By `relativePath`. Empty when there is no cache that can be trusted. */
export function readCache(options: CacheOptions): ReadonlyMap<string, CachedFile> {
  try {
    return readRows(options) ?? new Map();
  } catch {
    return new Map();
  }
}

function readRows({ host, folder, key }: CacheOptions): ReadonlyMap<string, CachedFile> | undefined {
  const path = cachePathOf({ host, folder });
  if (!isPrivate(host.instant.stat(path), host)) return undefined;
  const bytes = host.instant.readBytes(path, CACHE_BYTES_MAX);
  const [magic, indexBytes, checksum] = textOf(bytes.subarray(0, HEADER_BYTES)).trimEnd().split("\t");
  const content = bytes.subarray(HEADER_BYTES);
  if (magic !== MAGIC || checksum !== checksumOf(content)) return undefined;
  const indexLength = Number(indexBytes);
  const index = JSON.parse(textOf(content.subarray(0, indexLength))) as Index;
  if (index.folder !== folder || index.key !== key) return undefined;
  return new Map(index.rows.map((row) => [row.relativePath, fileOf(row, content.subarray(indexLength))]));
}

function fileOf(row: Row, definitions: Uint8Array): CachedFile {
  const { start, length, ...file } = row;
  if (start === undefined || length === undefined) return file;
  return { ...file, definition: () => textOf(definitions.subarray(start, start + length)) };
}

/** Nobody else can have written it. */
function isPrivate(found: FileStat | undefined, host: Host): boolean {
  if (found?.kind !== "file" || !found.isOwn) return false;
  return host.platform === "windows" || (found.mode & NOT_PRIVATE) === 0;
}

/** A cache that cannot be written costs time and nothing else. */
export function writeCache(files: readonly CachedFile[], options: CacheOptions): void {
  try {
    options.host.instant.replace(cachePathOf(options), cacheContent(files, options));
  } catch {
    // A full disk, a read-only home: the next call parses again.
  }
}

function cacheContent(files: readonly CachedFile[], { folder, key }: CacheOptions): Uint8Array {
  const encoder = new TextEncoder();
  const definitions: Uint8Array[] = [];
  let start = 0;
  const rows = files.map(({ definition, ...row }): Row => {
    if (!definition) return row;
    const bytes = encoder.encode(definition());
    definitions.push(bytes);
    start += bytes.length;
    return { ...row, start: start - bytes.length, length: bytes.length };
  });
  const index = encoder.encode(JSON.stringify({ folder, key, rows } satisfies Index));
  const content = concatenate([index, ...definitions], index.length + start);
  const header = encoder.encode([MAGIC, index.length, checksumOf(content)].join("\t").padEnd(HEADER_BYTES - 1) + "\n");
  return concatenate([header, content], header.length + content.length);
}

function concatenate(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
