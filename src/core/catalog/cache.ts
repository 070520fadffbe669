// Parsed definitions of one tool folder in one file, so that a warm call parses nothing: a line of JSON with what is
// known of each file, and a line for each definition. A cache with any irregularity is ignored and made again.
import { join } from "node:path";
import { checksumOf, readCheckedFile, withChecksum } from "../store/checked-file.ts";
import type { FileStat, Host } from "../tool/host.ts";
import type { DefinitionSummary } from "./entry.ts";

/** What is known of a file since it was read. */
export interface CachedFile {
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** The wall clock before the file was read. */
  readonly checkedMs: number;
  readonly sha256: string;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly summary: DefinitionSummary;
  /** The text from `storeDefinition`. Absent for a definition with errors. */
  readonly definition?: string | undefined;
}

interface CacheOptions {
  readonly host: Host;
  /** Absolute path of the tool folder. */
  readonly folder: string;
  /** A key that changes with everything on which a parsed definition depends. */
  readonly key: string;
}

/** The first line. */
interface Index extends Pick<CacheOptions, "folder" | "key"> {
  readonly files: readonly Omit<CachedFile, "definition">[];
}

const FORMAT = { name: "definitions", version: 1 };
const CACHE_BYTES_MAX = 512 * 1024 * 1024;
const NOT_PRIVATE = 0o077;
const CACHE_ENDING = ".cache";

function cacheFolderOf(host: Host): string {
  return join(host.folders.cache, "definitions");
}

export function cachePathOf({ host, folder }: Pick<CacheOptions, "host" | "folder">): string {
  return join(cacheFolderOf(host), `${checksumOf(new TextEncoder().encode(folder))}${CACHE_ENDING}`);
}

/** Returns the files by their relative path; none if there is no cache that can be trusted. */
export function readCache(options: CacheOptions): ReadonlyMap<string, CachedFile> {
  const { host, folder, key } = options;
  const path = cachePathOf(options);
  try {
    if (!isPrivate(host.instant.stat(path), host)) return new Map();
    const read = readCheckedFile(path, { host, format: FORMAT, bytesMax: CACHE_BYTES_MAX });
    if (read.kind !== "content") return new Map();
    const [first = "", ...definitions] = new TextDecoder().decode(read.bytes).split("\n");
    const index = JSON.parse(first) as Index;
    if (index.folder !== folder || index.key !== key) return new Map();
    const cached = index.files.map((file, row): CachedFile => ({ ...file, definition: definitions[row] || undefined }));
    return new Map(cached.map((file) => [file.relativePath, file]));
  } catch {
    return new Map();
  }
}

/** Whether no other user can have written it. */
export function isPrivate(found: FileStat | undefined, host: Host): found is FileStat {
  if (found?.kind !== "file" || !found.isOwn) return false;
  return host.platform === "windows" || (found.mode & NOT_PRIVATE) === 0;
}

/** Writes the cache. If that fails, only time is lost. */
export function writeCache(files: readonly CachedFile[], options: CacheOptions): void {
  const { host, folder, key } = options;
  try {
    const known = files.map(({ definition: _own, ...file }) => file);
    const lines = [
      JSON.stringify({ folder, key, files: known } satisfies Index),
      ...files.map((one) => one.definition),
    ];
    host.instant.replace(cachePathOf(options), withChecksum(FORMAT, lines.join("\n")));
  } catch {
    // A full disk, a read-only home: the next call parses again.
  }
}

/** The folder of an older cache may be gone. One that is still used is made again. */
const AGE_DAYS_MAX = 30;
const DAY_MS = 86_400_000;

export function removeOldCaches(host: Host): void {
  const { instant } = host;
  const oldest = Date.parse(host.timestamp()) - AGE_DAYS_MAX * DAY_MS;
  try {
    for (const name of instant.names(cacheFolderOf(host))) {
      const path = join(cacheFolderOf(host), name);
      if (name.endsWith(CACHE_ENDING) && (instant.stat(path)?.mtimeMs ?? oldest) < oldest) instant.remove(path);
    }
  } catch {
    // A cache that cannot be listed or removed only costs space.
  }
}

/** File systems count time in ticks of up to 2 s (FAT): what is written twice within one looks the same afterwards. */
const TICK_MS = 2_000;

/** `seenMs` is the wall clock before the content was read. From then on the same facts mean the same content. */
export function hasStableFacts({ ctimeMs }: { readonly ctimeMs: number }, seenMs: number): boolean {
  return ctimeMs + TICK_MS < seenMs;
}
