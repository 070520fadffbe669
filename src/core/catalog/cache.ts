// Parsed definitions of one tool folder in one file, so that a warm call parses nothing: a line with the checksum of the
// next one, a line of JSON with what is known of each file, and then the definitions, each of which is only checked and
// parsed when it is asked for. A cache with any irregularity is ignored and made again.
import { join } from "node:path";
import { checksumOf } from "../store/checked-file.ts";
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
  /** Returns the text from `storeDefinition`, or undefined for a definition with errors. Throws if it is damaged. */
  readonly definitionText: () => string | undefined;
}

interface CacheOptions {
  readonly host: Host;
  /** Absolute path of the tool folder. */
  readonly folder: string;
  /** A key that changes with everything on which a parsed definition depends. */
  readonly key: string;
}

/** The second line. */
interface Index {
  readonly folder: string;
  readonly key: string;
  readonly files: readonly IndexedFile[];
}

interface IndexedFile extends Omit<CachedFile, "definitionText"> {
  readonly definitionSum: string;
  readonly definitionBytes: number;
}

const CACHE_BYTES_MAX = 512 * 1024 * 1024;
const NOT_PRIVATE = 0o077;
const CHECKSUM_BYTES = 16;
const NEW_LINE = 10;
/** A path has at most 4,096 bytes, each of them up to six characters in JSON. */
const START_BYTES_MAX = 32 * 1024;
const CACHE_ENDING = ".cache";

function cacheFolderOf(host: Host): string {
  return join(host.folders.cache, "definitions");
}

export function cachePathOf({ host, folder }: Pick<CacheOptions, "host" | "folder">): string {
  return join(cacheFolderOf(host), `${checksumOf(bytesOf(folder))}${CACHE_ENDING}`);
}

/** Returns the files by their relative path; none if there is no cache that can be trusted. */
export function readCache(options: CacheOptions): ReadonlyMap<string, CachedFile> {
  const { host, folder, key } = options;
  const path = cachePathOf(options);
  try {
    if (!isPrivate(host.instant.stat(path), host)) return new Map();
    const bytes = host.instant.readBytes(path, CACHE_BYTES_MAX);
    const indexEnd = bytes.indexOf(NEW_LINE, CHECKSUM_BYTES + 1);
    const indexBytes = bytes.subarray(CHECKSUM_BYTES + 1, indexEnd);
    if (textOf(bytes.subarray(0, CHECKSUM_BYTES + 1)) !== `${checksumOf(indexBytes)}\n`) return new Map();
    const index = JSON.parse(textOf(indexBytes)) as Index;
    if (index.folder !== folder || index.key !== key) return new Map();
    const found = new Map<string, CachedFile>();
    let end = indexEnd + 1;
    for (const file of index.files) {
      const definition = bytes.subarray(end, (end += file.definitionBytes));
      const definitionText = (): string | undefined => {
        if (checksumOf(definition) === file.definitionSum) return textOf(definition) || undefined;
        host.instant.remove(path);
        throw new Error(`the cache \`${path}\` was damaged and is removed; run the command again`);
      };
      found.set(file.relativePath, { ...file, definitionText });
    }
    return end === bytes.length ? found : new Map();
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
export function writeCache(cached: readonly CachedFile[], options: CacheOptions): void {
  const { host, folder, key } = options;
  try {
    const definitions = cached.map(({ definitionText }) => definitionText() ?? "");
    const files = cached.map((file, row): IndexedFile => {
      const definition = bytesOf(definitions[row] ?? "");
      return { ...file, definitionSum: checksumOf(definition), definitionBytes: definition.length };
    });
    const index = JSON.stringify({ folder, key, files } satisfies Index);
    host.instant.replace(cachePathOf(options), `${checksumOf(bytesOf(index))}\n${index}\n${definitions.join("")}`);
  } catch {
    // A full disk, a read-only home: the next call parses again.
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The limit of caches that are checked each time. */
const CACHES_MAX = 50;

export function removeCachesOfGoneFolders(host: Host): void {
  const { instant } = host;
  const cacheFolder = cacheFolderOf(host);
  try {
    const names = instant
      .list(cacheFolder)
      .filter(({ name, kind }) => kind === "file" && name.endsWith(CACHE_ENDING))
      .map(({ name }) => name);
    // If there are more, another part of them is checked each time.
    const start = names.length <= CACHES_MAX ? 0 : Number.parseInt(host.randomId().slice(0, 8), 16) % names.length;
    for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, CACHES_MAX)) {
      const path = join(cacheFolder, name);
      const folder = folderInCache(path, host);
      if (folder !== undefined && !instant.stat(folder)) instant.remove(path);
    }
  } catch {
    // A cache that cannot be listed or removed only costs space.
  }
}

/** Returns the folder of a cache from its first bytes alone, or undefined if it is not a cache. */
function folderInCache(path: string, host: Host): string | undefined {
  const text = textOf(host.instant.readStart(path, START_BYTES_MAX));
  const [, named] = /^[0-9a-f]{16}\n\{"folder":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return named === undefined ? undefined : (JSON.parse(named) as string);
}
