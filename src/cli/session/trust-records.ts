// All that a person has trusted: the records in a list, and their end. Calls read only their own record.
import { join } from "node:path";
import type { Host } from "../../core/tool/host.ts";
import {
  RECORD_ENDING,
  recordAt,
  recordFolderOf,
  recordNames,
  recordPath,
  requireAbsent,
  sumOf,
  TEXTS_ENDING,
  textsPath,
  type TrustRecord,
} from "../../core/catalog/trust-store.ts";

const RECORDS_MAX = 10_000;

/** Returns whether there was one. Throws the system's errors. */
export function removeRecord(key: string, host: Host): boolean {
  const wasThere = removeIfThere(recordPath(key, host), host);
  removeIfThere(textsPath(key, host), host);
  return wasThere;
}

/** Removes without a look first: an unreadable file or a dangling link counts as existing. */
function removeIfThere(path: string, host: Host): boolean {
  try {
    host.instant.remove(path);
    return true;
  } catch (error) {
    requireAbsent(error, host);
    return false;
  }
}

/** Removes what may be a record at `path`, as `listRecords` gives it, and what belongs to it. */
export function removeUnusable(path: string, host: Host): void {
  removeIfThere(path, host);
  removeIfThere(path.slice(0, -RECORD_ENDING.length) + TEXTS_ENDING, host);
}

interface TrustRecords {
  /** The records, sorted by folder. */
  readonly records: readonly TrustRecord[];
  /** Files that may be records, and cannot be read. */
  readonly unusable: readonly string[];
}

/** Throws the system's error if the folder cannot be read. */
export function listRecords(host: Host): TrustRecords {
  const folder = recordFolderOf(host);
  const names = recordNames(host)
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
