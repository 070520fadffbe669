// What a person has trusted, in the user's state folder: one file for each tool folder, replaced whole. Nothing in it is changed in place, so there is
// nothing to lock: of two who trust at once, one comes last. How the files looked lies in the cache folder instead, because calls renew that,
// and a call must not bring back what somebody takes away meanwhile.
import { join } from "node:path";
import type { Host } from "../tool/host.ts";
import { isPrivate } from "./cache.ts";
import { checksumOf } from "../tool/checksum.ts";
import type { ToolTree } from "./tool-tree.ts";

export interface TrustRecord {
  readonly version: 1;
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

/** Undefined for whatever is odd about the file. */
function readJson(path: string, bytesMax: number, host: Host): unknown {
  try {
    if (!isPrivate(host.instant.stat(path), host)) return undefined;
    return JSON.parse(new TextDecoder().decode(host.instant.readBytes(path, bytesMax)));
  } catch {
    return undefined;
  }
}

export function readRecord(key: string, host: Host): TrustRecord | undefined {
  return recordAt(recordPath(key, host), host, (record) => record.folder === key);
}

function recordAt(path: string, host: Host, isWanted: (record: TrustRecord) => boolean): TrustRecord | undefined {
  const record = readJson(path, RECORD_BYTES_MAX, host) as Partial<TrustRecord> | null | undefined;
  return record?.version === 1 && typeof record.folder === "string" && typeof record.sha256 === "string" && isWanted(record as TrustRecord) ? (record as TrustRecord) : undefined;
}

export function readTexts(record: TrustRecord, host: Host): TrustedTexts | undefined {
  const texts = readJson(recordPath(record.folder, host, TEXTS_ENDING), TEXTS_BYTES_MAX, host) as TrustedTexts | undefined;
  return texts?.sha256 === record.sha256 ? texts : undefined;
}

/** The record last: until it is there, nothing is trusted. Throws where the state folder cannot be written. */
export function writeRecord(key: string, texts: TrustedTexts, host: Host): void {
  const record: TrustRecord = { version: 1, folder: key, sha256: texts.sha256, trustedAt: host.timestamp() };
  host.instant.replace(recordPath(key, host, TEXTS_ENDING), JSON.stringify(texts));
  host.instant.replace(recordPath(key, host), `${JSON.stringify(record)}\n`);
}

/** Whether there was one. */
export function removeRecord(key: string, host: Host): boolean {
  const path = recordPath(key, host);
  if (!host.instant.stat(path)) return false;
  host.instant.remove(path);
  const texts = recordPath(key, host, TEXTS_ENDING);
  if (host.instant.stat(texts)) host.instant.remove(texts);
  return true;
}

/** Sorted by folder. */
export function listRecords(host: Host): readonly TrustRecord[] {
  const folder = recordFolderOf(host);
  if (host.instant.stat(folder)?.kind !== "folder") return [];
  const names = host.instant.names(folder).filter((name) => name.endsWith(RECORD_ENDING)).slice(0, RECORDS_MAX);
  const records = names.flatMap((name) => recordAt(join(folder, name), host, (record) => name === sumOf(record.folder) + RECORD_ENDING) ?? []);
  return records.toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** How the files of the tree looked when its content was last read: worth as much as the definitions' cache, which lies beside it. */
export function readKnownTree(key: string, host: Host): ToolTree | undefined {
  const stored = readJson(treePath(key, host), TREE_CACHE_BYTES_MAX, host) as { readonly folder: string; readonly tree: ToolTree } | undefined;
  return stored?.folder === key ? stored.tree : undefined;
}

export function writeKnownTree(key: string, tree: ToolTree, host: Host): void {
  try {
    host.instant.replace(treePath(key, host), JSON.stringify({ folder: key, tree }));
  } catch {
    // A full disk, a read-only home: the next call reads the files again.
  }
}
