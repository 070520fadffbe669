// Parsed definitions of one tool folder in one file, so that a warm call parses nothing: a header; an index with one row a definition, which every call reads; the
// summaries, for lists; and each definition as JSON text of its own. Whatever is odd about the file means that there is none, and it is made anew.
import { join } from "node:path";
import type { FileStat, Host } from "../tool/host.ts";
import { checksumOf } from "./checksum.ts";
import type { DefinitionSummary } from "./entry.ts";

/** A row of the index, exactly as it is written. */
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
  /** As in the summary. */
  readonly name: string;
  /** Which row this is. */
  readonly row: number;
  /** Where the definition is, in bytes after the summaries; absent for one with errors. */
  readonly start?: number;
  readonly length?: number;
}

/** What there is to a row, read when asked for. */
export interface CachedParts {
  summaryOf(file: CachedFile): DefinitionSummary | undefined;
  /** From `storeDefinition`; none for a definition with errors. */
  definitionText(file: CachedFile): string | undefined;
}

export interface Cache extends CachedParts {
  /** By `relativePath`. */
  readonly files: ReadonlyMap<string, CachedFile>;
}

export interface CacheOptions {
  readonly host: Host;
  /** Absolute path of the tool folder. */
  readonly folder: string;
  /** Changes with everything that a parsed definition depends on. */
  readonly key: string;
}

interface Index {
  readonly folder: string;
  readonly key: string;
  readonly files: readonly CachedFile[];
}

const MAGIC = "dottool definitions";
// A multiple of four, so that the sum over what follows needs no copy.
const HEADER_BYTES = 128;
const CACHE_BYTES_MAX = 512 * 1024 * 1024;
const NOT_PRIVATE = 0o077;

export function cachePathOf({ host, folder }: Pick<CacheOptions, "host" | "folder">): string {
  return join(host.folders.cache, "definitions", `${checksumOf(new TextEncoder().encode(folder))}.cache`);
}

const nothing: Cache = { files: new Map(), summaryOf: () => undefined, definitionText: () => undefined };

/** Empty when there is no cache that can be trusted. */
export function readCache(options: CacheOptions): Cache {
  try {
    return readWhole(options) ?? nothing;
  } catch {
    return nothing;
  }
}

function readWhole({ host, folder, key }: CacheOptions): Cache | undefined {
  const path = cachePathOf({ host, folder });
  if (!isPrivate(host.instant.stat(path), host)) return undefined;
  const bytes = host.instant.readBytes(path, CACHE_BYTES_MAX);
  const [magic, indexBytes, summariesBytes, checksum] = textOf(bytes.subarray(0, HEADER_BYTES)).trimEnd().split("\t");
  const content = bytes.subarray(HEADER_BYTES);
  if (magic !== MAGIC || checksum !== checksumOf(content)) return undefined;
  const indexEnd = Number(indexBytes);
  const summariesEnd = indexEnd + Number(summariesBytes);
  const index = JSON.parse(textOf(content.subarray(0, indexEnd))) as Index;
  if (index.folder !== folder || index.key !== key) return undefined;
  // Rows stay as they were parsed: taking a thousand of them apart would take longer than parsing them.
  const files = new Map<string, CachedFile>();
  for (const file of index.files) files.set(file.relativePath, file);
  let summaries: readonly DefinitionSummary[] | undefined;
  return {
    files,
    summaryOf: ({ row }) => (summaries ??= JSON.parse(textOf(content.subarray(indexEnd, summariesEnd))) as readonly DefinitionSummary[])[row],
    definitionText: ({ start, length }) => (start === undefined || length === undefined ? undefined : textOf(content.subarray(summariesEnd + start, summariesEnd + start + length))),
  };
}

/** Nobody else can have written it. */
function isPrivate(found: FileStat | undefined, host: Host): boolean {
  if (found?.kind !== "file" || !found.isOwn) return false;
  return host.platform === "windows" || (found.mode & NOT_PRIVATE) === 0;
}

/** A cache that cannot be written costs time and nothing else. */
export function writeCache(files: readonly CachedFile[], parts: CachedParts, options: CacheOptions): void {
  try {
    options.host.instant.replace(cachePathOf(options), cacheContent(files, parts, options));
  } catch {
    // A full disk, a read-only home: the next call parses again.
  }
}

function cacheContent(cached: readonly CachedFile[], parts: CachedParts, { folder, key }: CacheOptions): Uint8Array {
  const encoder = new TextEncoder();
  const definitions: Uint8Array[] = [];
  let end = 0;
  const files = cached.map((file, row): CachedFile => {
    const text = parts.definitionText(file);
    if (text === undefined) return { ...file, row };
    const bytes = encoder.encode(text);
    definitions.push(bytes);
    end += bytes.length;
    return { ...file, row, start: end - bytes.length, length: bytes.length };
  });
  const index = encoder.encode(JSON.stringify({ folder, key, files } satisfies Index));
  const summaries = encoder.encode(JSON.stringify(cached.map(parts.summaryOf)));
  const content = concatenate([index, summaries, ...definitions], index.length + summaries.length + end);
  const header = encoder.encode([MAGIC, index.length, summaries.length, checksumOf(content)].join("\t").padEnd(HEADER_BYTES - 1) + "\n");
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
