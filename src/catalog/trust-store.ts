// What a person has trusted, in the user's state folder: one file for each tool folder, replaced whole. Nothing in it
// is changed in place, so there is nothing to lock: of two who trust at once, one comes last. How the files looked lies
// in the cache folder instead, because calls renew that, and a call must not bring back what somebody takes away
// meanwhile.
import { join } from "node:path";
import type { Host } from "../tool/host.ts";
import { isPrivate } from "./cache.ts";
import { type FileFormat, readCheckedFile, troubleOf, withChecksum } from "../tool/checked-file.ts";
import { checksumOf } from "../tool/checksum.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { ToolTree } from "./tool-tree.ts";

export interface TrustRecord {
  readonly version: 2;
  /** As `trustKeyOf` gives it. */
  readonly folder: string;
  /** Of the tree. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
}

/** What was there when it was trusted, to say later what has changed. */
export interface TrustedTexts {
  readonly sha256: string;
  /** Of every file. */
  readonly sums: Readonly<Record<string, string>>;
  /** Of those that are text and not too large. */
  readonly texts: Readonly<Record<string, string>>;
}

const RECORD_BYTES_MAX = 64 * 1024;
const TEXTS_BYTES_MAX = 64 * 1024 * 1024;
const TREE_CACHE_BYTES_MAX = 64 * 1024 * 1024;
const RECORD_FORMAT: FileFormat = { name: "trust", version: 2 };
const TEXTS_FORMAT: FileFormat = { name: "trusted-texts", version: 2 };
const TREE_FORMAT: FileFormat = { name: "tree", version: 2 };
const RECORD_ENDING = ".trust.json";
const TEXTS_ENDING = ".texts.json";
const RECORDS_MAX = 10_000;

export function recordFolderOf(host: Host): string {
  return join(host.folders.state, "trust");
}

function sumOf(key: string): string {
  return checksumOf(new TextEncoder().encode(key));
}

function recordPath(key: string, host: Host, ending = RECORD_ENDING): string {
  return join(recordFolderOf(host), sumOf(key) + ending);
}

function treePath(key: string, host: Host): string {
  return join(host.folders.cache, "trust", `${sumOf(key)}.json`);
}

interface Reading {
  readonly format: FileFormat;
  readonly bytesMax: number;
  readonly host: Host;
  /**
   * Where nobody can tell now what a person has decided, as on a broken disk, the error is thrown: rules that deny may
   * hang on it.
   */
  readonly isDecision?: true;
}

/** Undefined for whatever is odd about the file. `isOld`: from before files had a checksum. */
function readJson(
  path: string,
  { format, bytesMax, host, isDecision }: Reading,
): { readonly json: unknown; readonly isOld: boolean } | undefined {
  try {
    if (!isPrivate(host.instant.stat(path), host)) return undefined;
    const read = readCheckedFile(path, { host, format, bytesMax });
    if (read.kind === "unreadable") throw read.error;
    if (read.kind !== "content" && read.kind !== "other") return undefined;
    return { json: JSON.parse(new TextDecoder().decode(read.bytes)), isOld: read.kind === "other" };
  } catch (error) {
    if (isDecision && isUnanswered(error)) throw error;
    return undefined;
  }
}

export function readRecord(key: string, host: Host): TrustRecord | undefined {
  return recordAt(recordPath(key, host), host, (record) => record.folder === key);
}

function recordAt(path: string, host: Host, isWanted: (record: TrustRecord) => boolean): TrustRecord | undefined {
  const read = readJson(path, { format: RECORD_FORMAT, bytesMax: RECORD_BYTES_MAX, host, isDecision: true });
  const record = read?.json as
    | (Partial<Omit<TrustRecord, "version">> & { readonly version?: unknown })
    | null
    | undefined;
  // What has had a checksum does not count without.
  if (
    record?.version !== (read?.isOld ? 1 : 2) ||
    typeof record.folder !== "string" ||
    typeof record.sha256 !== "string"
  )
    return undefined;
  const found: TrustRecord = { ...(record as TrustRecord), version: 2 };
  return isWanted(found) ? found : undefined;
}

/**
 * The end of a sentence about the project: that something was trusted there, as far as can be told, and why it does not
 * count.
 */
export function recordTrouble(key: string, host: Host): string | undefined {
  const path = recordPath(key, host);
  if (readRecord(key, host)) return undefined;
  const read = readCheckedFile(path, { host, format: RECORD_FORMAT, bytesMax: RECORD_BYTES_MAX });
  if (read.kind === "absent" && !host.instant.isLink(path)) return undefined;
  return `what was trusted there before does not count: \`${path}\` ${troubleOf(read) ?? "is not what dottool writes, or can be read by others"}`;
}

export function readTexts(record: TrustRecord, host: Host): TrustedTexts | undefined {
  const read = readJson(recordPath(record.folder, host, TEXTS_ENDING), {
    format: TEXTS_FORMAT,
    bytesMax: TEXTS_BYTES_MAX,
    host,
  });
  const kept = read?.json as (TrustedTexts & { readonly version?: unknown }) | null | undefined;
  // What has had a checksum does not count without.
  if (!kept || kept.version !== (read?.isOld ? undefined : TEXTS_FORMAT.version) || kept.sha256 !== record.sha256)
    return undefined;
  const { version: _version, ...texts } = kept;
  return texts;
}

/** The record last: until it is there, nothing is trusted. Throws where the state folder cannot be written. */
export function writeRecord(key: string, texts: TrustedTexts, host: Host): void {
  const record: TrustRecord = { version: 2, folder: key, sha256: texts.sha256, trustedAt: host.timestamp() };
  const path = recordPath(key, host);
  if (recordTrouble(key, host) !== undefined) host.shared.rename(path, `${path}.broken-${host.randomId().slice(0, 8)}`);
  host.instant.replace(
    recordPath(key, host, TEXTS_ENDING),
    withChecksum(TEXTS_FORMAT, JSON.stringify({ version: TEXTS_FORMAT.version, ...texts })),
    { isSynced: true },
  );
  host.instant.replace(path, withChecksum(RECORD_FORMAT, `${JSON.stringify(record)}\n`), { isSynced: true });
}

/** Whether there was one. Throws what the system says. */
export function removeRecord(key: string, host: Host): boolean {
  const path = recordPath(key, host);
  if (!host.instant.stat(path)) return false;
  host.instant.remove(path);
  const texts = recordPath(key, host, TEXTS_ENDING);
  if (host.instant.stat(texts)) host.instant.remove(texts);
  return true;
}

export interface TrustRecords {
  /** Sorted by folder. */
  readonly records: readonly TrustRecord[];
  /** What may be a record, and cannot be read. */
  readonly unusable: readonly string[];
}

/** Throws what the system says where the folder cannot be read. */
export function listRecords(host: Host): TrustRecords {
  const folder = recordFolderOf(host);
  if (!host.instant.stat(folder)) return { records: [], unusable: [] };
  const names = host.instant
    .names(folder)
    .filter((name) => name.endsWith(RECORD_ENDING))
    .slice(0, RECORDS_MAX);
  const read = names.map((name) => {
    const path = join(folder, name);
    return { path, record: recordAt(path, host, (record) => name === sumOf(record.folder) + RECORD_ENDING) };
  });
  const records = read.flatMap(({ record }) => record ?? []);
  return {
    records: records.toSorted((a, b) => (a.folder < b.folder ? -1 : 1)),
    unusable: read.flatMap(({ path, record }) => (record ? [] : [path])),
  };
}

/**
 * How the files of the tree looked when its content was last read: worth as much as the definitions' cache, which lies
 * beside it.
 */
export function readKnownTree(key: string, host: Host): ToolTree | undefined {
  const read = readJson(treePath(key, host), { format: TREE_FORMAT, bytesMax: TREE_CACHE_BYTES_MAX, host });
  const stored =
    read?.isOld === false ? (read.json as { readonly folder: string; readonly tree: ToolTree }) : undefined;
  return stored?.folder === key ? stored.tree : undefined;
}

export function writeKnownTree(key: string, tree: ToolTree, host: Host): void {
  try {
    host.instant.replace(treePath(key, host), withChecksum(TREE_FORMAT, JSON.stringify({ folder: key, tree })));
  } catch {
    // A full disk, a read-only home: the next call reads the files again.
  }
}
