// Parsed definitions of one tool folder in one file, so that a warm call parses nothing. The file holds a header;
// names; facts, which are numbers that tell whether a file is the same; the words of summaries, for lists; and each
// definition as JSON text of its own, after the hash of its file. Lists do not read the definitions. A cache with any
// irregularity is ignored and made again.
import { join } from "node:path";
import type { FileStat, Host } from "../tool/host.ts";
import {
  type CachedFile,
  columnsOf,
  FACTS,
  finderIn,
  type Names,
  type Rows,
  startOf,
  summaryIn,
  type Words,
} from "./cached-rows.ts";
import { checksumOf } from "../tool/checksum.ts";
import type { DefinitionSummary } from "./entry.ts";

/** The contents about a file, read when asked for. */
export interface CachedParts {
  sha256Of(file: CachedFile): string | undefined;
  summaryOf(file: CachedFile): DefinitionSummary | undefined;
  /** Returns the text from `storeDefinition`, or undefined for a definition with errors. */
  definitionText(file: CachedFile): string | undefined;
  /** The hash and the definition as they are stored, for the next cache. Undefined if they come from a text. */
  storedBytes(file: CachedFile): Uint8Array | undefined;
}

interface Cache extends CachedParts {
  readonly count: number;
  find(relativePath: string): CachedFile | undefined;
}

interface CacheOptions {
  readonly host: Host;
  /** Absolute path of the tool folder. */
  readonly folder: string;
  /** A key that changes with everything on which a parsed definition depends. */
  readonly key: string;
  /** Set if definitions are only read and checked when one is asked for. */
  readonly isForLists?: boolean | undefined;
}

const FACT_BYTES = 8;
const HASH_BYTES = 64;

const MAGIC = "dottool definitions";
// A multiple of `FACT_BYTES`, so that the facts need no copy.
const HEADER_BYTES = 128;
const CACHE_BYTES_MAX = 512 * 1024 * 1024;
const NOT_PRIVATE = 0o077;

/** A path has at most 4,096 bytes, each of them up to six characters in JSON. */
const START_BYTES_MAX = HEADER_BYTES + 32 * 1024;
const CACHE_ENDING = ".cache";

function cacheFolderOf(host: Host): string {
  return join(host.folders.cache, "definitions");
}

export function cachePathOf({ host, folder }: Pick<CacheOptions, "host" | "folder">): string {
  return join(cacheFolderOf(host), `${checksumOf(new TextEncoder().encode(folder))}${CACHE_ENDING}`);
}

/** Returns the folder of a cache from its first bytes alone, or undefined if it is not a cache. */
function folderInCache(path: string, host: Host): string | undefined {
  const text = textOf(host.instant.readStart(path, START_BYTES_MAX));
  const named = text.startsWith(`${MAGIC}\t`)
    ? /^\{"folder":("(?:[^"\\]|\\.)*")/.exec(text.slice(HEADER_BYTES))?.[1]
    : undefined;
  return named === undefined ? undefined : (JSON.parse(named) as string);
}

const nothing: Cache = {
  count: 0,
  find: () => undefined,
  sha256Of: () => undefined,
  summaryOf: () => undefined,
  definitionText: () => undefined,
  storedBytes: () => undefined,
};

/** Returns an empty cache if there is none that can be trusted. */
export function readCache(options: CacheOptions): Cache {
  try {
    return readTrusted(options) ?? nothing;
  } catch {
    return nothing;
  }
}

interface Header {
  readonly namesEnd: number;
  readonly factsEnd: number;
  readonly wordsEnd: number;
  readonly end: number;
  /** The checksum of the part between the header and the definitions. */
  readonly headSum: string | undefined;
  readonly definitionsSum: string | undefined;
}

function readTrusted(options: CacheOptions): Cache | undefined {
  const { host, folder, key, isForLists } = options;
  const path = cachePathOf(options);
  const stat = host.instant.stat(path);
  if (!isPrivate(stat, host)) return undefined;
  const whole = isForLists ? undefined : host.instant.readBytes(path, CACHE_BYTES_MAX);
  const header = readHeader(whole ?? host.instant.readStart(path, HEADER_BYTES));
  if (header?.end !== (whole?.length ?? stat.sizeBytes)) return undefined;
  const bytes = whole ?? host.instant.readStart(path, header.wordsEnd);
  if (header.headSum !== checksumOf(bytes.subarray(HEADER_BYTES, header.wordsEnd))) return undefined;
  if (whole && header.definitionsSum !== checksumOf(whole.subarray(header.wordsEnd))) return undefined;
  const names = JSON.parse(textOf(bytes.subarray(HEADER_BYTES, header.namesEnd))) as Names;
  if (names.folder !== folder || names.key !== key) return undefined;
  const rows: Rows = {
    ...names,
    facts: new Float64Array(bytes.buffer, bytes.byteOffset + header.namesEnd, names.names.length * FACTS),
  };
  let words: Words | undefined;
  const summaryOf: CachedParts["summaryOf"] = ({ row }) =>
    summaryIn(rows, (words ??= JSON.parse(textOf(bytes.subarray(header.factsEnd, header.wordsEnd))) as Words), row);
  const rest = whole ? partsIn(whole.subarray(header.wordsEnd), rows.facts) : laterParts(options);
  return { count: names.names.length, find: finderIn(rows), summaryOf, ...rest };
}

function readHeader(bytes: Uint8Array): Header | undefined {
  const header = textOf(bytes.subarray(0, HEADER_BYTES));
  const [magic, ...fields] = header.trimEnd().split("\t");
  if (magic !== MAGIC || header !== headerText(fields.slice(0, -1))) return undefined;
  const [namesEnd = 0, factsEnd = 0, wordsEnd = 0, end = 0] = fields.map(Number);
  return { namesEnd, factsEnd, wordsEnd, end, headSum: fields[4], definitionsSum: fields[5] };
}

type DefinitionParts = Pick<CachedParts, "sha256Of" | "definitionText" | "storedBytes">;

function partsIn(definitions: Uint8Array, facts: Float64Array): DefinitionParts {
  return {
    sha256Of: ({ row }) => textOf(definitions.subarray(startOf(row, facts), startOf(row, facts) + HASH_BYTES)),
    definitionText: ({ row }) =>
      textOf(definitions.subarray(startOf(row, facts) + HASH_BYTES, startOf(row + 1, facts))) || undefined,
    storedBytes: ({ row }) => definitions.subarray(startOf(row, facts), startOf(row + 1, facts)),
  };
}

/** Reads the parts of a list later. They must be from the listed files. */
function laterParts(options: CacheOptions): DefinitionParts {
  let whole: Cache | undefined;
  const found = ({ relativePath, ctimeMs }: CachedFile): CachedFile | undefined => {
    whole ??= readCache({ ...options, isForLists: false });
    const file = whole.find(relativePath);
    return file?.ctimeMs === ctimeMs ? file : undefined;
  };
  return {
    sha256Of: (listed) => {
      const file = found(listed);
      return file && whole?.sha256Of(file);
    },
    definitionText: (listed) => {
      const file = found(listed);
      if (!file) throw new Error(`\`${cachePathOf(options)}\` is damaged or has changed; run the command again`);
      return whole?.definitionText(file);
    },
    storedBytes: (listed) => {
      const file = found(listed);
      return file && whole?.storedBytes(file);
    },
  };
}

/** Whether no other user can have written it. */
export function isPrivate(found: FileStat | undefined, host: Host): found is FileStat {
  if (found?.kind !== "file" || !found.isOwn) return false;
  return host.platform === "windows" || (found.mode & NOT_PRIVATE) === 0;
}

interface FileWithParts {
  readonly cached: CachedFile;
  readonly parts: CachedParts;
}

/** Writes the cache. If that fails, only time is lost. */
export function writeCache(files: readonly FileWithParts[], options: CacheOptions): void {
  try {
    options.host.instant.replace(cachePathOf(options), cacheContent(files, options));
  } catch {
    // A full disk, a read-only home: the next call parses again.
  }
}

function cacheContent(files: readonly FileWithParts[], { folder, key }: CacheOptions): Uint8Array {
  const definitions = files.map(
    ({ cached, parts }) =>
      parts.storedBytes(cached) ??
      encoded((parts.sha256Of(cached) ?? "").padEnd(HASH_BYTES) + (parts.definitionText(cached) ?? "")),
  );
  const { facts, words } = columnsOf(
    files.map((file, row) => ({
      file: file.cached,
      summary: knownSummary(file),
      lengthBytes: definitions[row]?.length ?? 0,
    })),
  );
  const names: Names = {
    folder,
    key,
    relativePaths: files.map(({ cached }) => cached.relativePath),
    names: files.map(({ cached }) => cached.name),
  };
  const head = [padded(encoded(JSON.stringify(names))), new Uint8Array(facts.buffer), encoded(words)] as const;
  const namesEnd = HEADER_BYTES + head[0].length;
  const factsEnd = namesEnd + head[1].length;
  const wordsEnd = factsEnd + head[2].length;
  const end = definitions.reduce((sum, part) => sum + part.length, wordsEnd);
  const whole = concatenate([new Uint8Array(HEADER_BYTES), ...head, ...definitions], end);
  const sums = [checksumOf(whole.subarray(HEADER_BYTES, wordsEnd)), checksumOf(whole.subarray(wordsEnd))];
  whole.set(encoded(headerText([namesEnd, factsEnd, wordsEnd, whole.length, ...sums])));
  return whole;
}

/**
 * Returns the header with a checksum of its own, because the offsets of the parts can be damaged as easily as the
 * parts.
 */
function headerText(fields: readonly (number | string)[]): string {
  const line = [MAGIC, ...fields].join("\t");
  const summed = `${line}\t${checksumOf(encoded(line))}`;
  return `${summed.padEnd(HEADER_BYTES - 1)}\n`;
}

function knownSummary({ cached, parts }: FileWithParts): DefinitionSummary {
  const summary = parts.summaryOf(cached);
  if (!summary) throw new Error(`the cache has no entry for \`${cached.relativePath}\``);
  return summary;
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

/** Pads with blanks, so that numbers can follow. */
function padded(bytes: Uint8Array): Uint8Array {
  return concatenate(
    [bytes, encoded(" ".repeat(-bytes.length & (FACT_BYTES - 1)))],
    Math.ceil(bytes.length / FACT_BYTES) * FACT_BYTES,
  );
}

function encoded(text: string): Uint8Array {
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
