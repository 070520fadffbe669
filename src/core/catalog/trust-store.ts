// What a person has trusted, in the user's state folder: one file for each tool folder, always replaced as a whole. So
// nothing needs a lock, and of two writers the last one wins. The facts of the files are in the cache folder instead,
// because calls renew them, and a call must not bring back trust that is being revoked.
import { dirname, join } from "node:path";
import type { Host } from "../tool/host.ts";
import { isPrivate } from "./cache.ts";
import {
  checksumOf,
  type FileFormat,
  readCheckedFile,
  readCheckedJson,
  requireNotNewer,
  putAside,
  troubleOf,
  withChecksum,
} from "../store/checked-file.ts";
import { codeOf, isUnanswered } from "../tool/error-code.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import type { ToolTree } from "./tool-tree.ts";

export interface TrustRecord {
  /** The key from `trustKeyOf`. */
  readonly folder: string;
  /** The hash of the tree. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** Whether it had a `config.yaml`. */
  readonly hasConfig: boolean;
}

/** The texts at the time of trust, to show later what has changed. */
export interface TrustedTexts {
  readonly sha256: string;
  /** The hash of every file, by path. */
  readonly sums: Readonly<Record<string, string>>;
  /** The texts of the files that are text and not too large, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

const RECORD_BYTES_MAX = 64 * 1024;
const TEXTS_BYTES_MAX = 64 * 1024 * 1024;
const TREE_CACHE_BYTES_MAX = 64 * 1024 * 1024;
const RECORD_FORMAT: FileFormat = { name: "trust", version: 2 };
const TEXTS_FORMAT: FileFormat = { name: "trusted-texts", version: 2 };
const TREE_FORMAT: FileFormat = { name: "tree", version: 2 };
export const RECORD_ENDING = ".trust.json";
export const TEXTS_ENDING = ".texts.json";

export function recordFolderOf(host: Host): string {
  return join(host.folders.state, "trust");
}

export function sumOf(key: string): string {
  return checksumOf(new TextEncoder().encode(key));
}

export function recordPath(key: string, host: Host, ending = RECORD_ENDING): string {
  return join(recordFolderOf(host), sumOf(key) + ending);
}

/** Returns the path of the texts that were there when the folder was trusted. */
export function textsPath(key: string, host: Host): string {
  return recordPath(key, host, TEXTS_ENDING);
}

function treePath(key: string, host: Host): string {
  return join(host.folders.cache, "trust", `${sumOf(key)}.json`);
}

interface Reading {
  readonly format: FileFormat;
  readonly bytesMax: number;
  readonly host: Host;
  /**
   * Set for a decision: if it cannot be read now, as on a broken disk, the error is thrown, because rules that deny may
   * depend on it.
   */
  readonly isDecision?: true;
}

/** Reads JSON; undefined for a file that cannot be used. */
function readJson(path: string, { isDecision, ...reading }: Reading): unknown {
  try {
    if (!isPrivate(reading.host.instant.stat(path), reading.host)) return undefined;
    return readCheckedJson(path, reading);
  } catch (error) {
    if (isDecision && isUnanswered(error)) throw error;
    return undefined;
  }
}

export function readRecord(key: string, host: Host): TrustRecord | undefined {
  return recordAt(recordPath(key, host), host, (record) => record.folder === key);
}

/** Returns whether a folder may have a record. Reads the records' folder once for any number of folders. */
export function recordFinder(host: Host): (key: string) => boolean {
  const folder = recordFolderOf(host);
  // Every call asks, and most find no folder: an exception would cost more than all the rest.
  if (host.instant.isLink(folder) === undefined) return () => false;
  try {
    const names = new Set(host.instant.names(folder));
    return (key) => names.has(sumOf(key) + RECORD_ENDING);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return () => codeOf(error) !== "ENOENT";
  }
}

export function recordAt(
  path: string,
  host: Host,
  isWanted: (record: TrustRecord) => boolean,
): TrustRecord | undefined {
  const record = readJson(path, {
    format: RECORD_FORMAT,
    bytesMax: RECORD_BYTES_MAX,
    host,
    isDecision: true,
  }) as Partial<TrustRecord> | null | undefined;
  if (typeof record?.folder !== "string" || typeof record.sha256 !== "string") return undefined;
  return isWanted(record as TrustRecord) ? (record as TrustRecord) : undefined;
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
  return `the earlier trust is ignored: \`${path}\` ${troubleOf(read) ?? "is not a record of dottool, or can be read by others"}`;
}

export function readTrustedTexts(record: TrustRecord, host: Host): TrustedTexts | undefined {
  const reading = { format: TEXTS_FORMAT, bytesMax: TEXTS_BYTES_MAX, host };
  const texts = readJson(textsPath(record.folder, host), reading) as TrustedTexts | null | undefined;
  return texts?.sha256 === record.sha256 ? texts : undefined;
}

/** Writes the record last: until it exists, nothing is trusted. Throws if the state folder cannot be written. */
export function writeRecord(key: string, texts: TrustedTexts, host: Host): void {
  const record: TrustRecord = {
    folder: key,
    sha256: texts.sha256,
    trustedAt: host.timestamp(),
    hasConfig: Object.hasOwn(texts.sums, CONFIGURATION_NAME),
  };
  const path = recordPath(key, host);
  requireNotNewer(path, { host, format: RECORD_FORMAT, bytesMax: RECORD_BYTES_MAX });
  requireNotNewer(textsPath(key, host), { host, format: TEXTS_FORMAT, bytesMax: TEXTS_BYTES_MAX });
  if (recordTrouble(key, host) !== undefined) putAside(path, host);
  const whole = JSON.stringify(texts);
  // Escapes may make it longer than what is read again. Then only the sums and the settings are stored, and what has
  // changed is named without its text.
  const { [CONFIGURATION_NAME]: settings } = texts.texts;
  const text =
    whole.length < TEXTS_BYTES_MAX / 2
      ? whole
      : JSON.stringify({
          ...texts,
          texts: settings === undefined ? {} : { [CONFIGURATION_NAME]: settings },
        });
  host.instant.replace(textsPath(key, host), withChecksum(TEXTS_FORMAT, text), { isSynced: true });
  host.instant.replace(path, withChecksum(RECORD_FORMAT, `${JSON.stringify(record)}\n`), { isSynced: true });
}

/** Throws `error` unless it says that there are no records. */
export function requireAbsent(error: unknown, host: Host): void {
  const folder = recordFolderOf(host);
  const isAbove = codeOf(error) === "ENOTDIR" && !host.instant.stat(folder);
  // A dangling link, for example to a drive that is not mounted, may lead to records.
  const isBehindLink = host.instant.isLink(folder) || host.instant.isLink(dirname(folder));
  if ((codeOf(error) !== "ENOENT" && !isAbove) || isBehindLink) throw error;
}

export function recordNames(host: Host): readonly string[] {
  try {
    return host.instant.names(recordFolderOf(host));
  } catch (error) {
    requireAbsent(error, host);
    return [];
  }
}

/**
 * Reads the facts that the files had when their content was last read. They are as reliable as the definitions' cache
 * beside them.
 */
export function readKnownTree(key: string, host: Host): ToolTree | undefined {
  const reading = { format: TREE_FORMAT, bytesMax: TREE_CACHE_BYTES_MAX, host };
  const stored = readJson(treePath(key, host), reading) as
    | { readonly folder: string; readonly tree: ToolTree }
    | undefined;
  return stored?.folder === key ? stored.tree : undefined;
}

export function writeKnownTree(key: string, tree: ToolTree, host: Host): void {
  try {
    host.instant.replace(treePath(key, host), withChecksum(TREE_FORMAT, JSON.stringify({ folder: key, tree })));
  } catch {
    // A full disk, a read-only home: the next call reads the files again.
  }
}
