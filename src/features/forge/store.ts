import { readState, type StateFile, statePath, withState, writeState } from "../../core/store/state-file.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host, WriteLock } from "../../core/tool/host.ts";
import { type ForgedRecord, isId, RECORD_VERSION, recordIn } from "./record.ts";

const FOLDER = "forge";
const FORMAT = { name: "forged-tool", version: RECORD_VERSION };
const REGISTRY: StateFile = { name: `${FOLDER}/registry`, format: FORMAT };
const LOG = `${FOLDER}/audit.jsonl`;
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LISTED_MAX = 10_000;
const FILE = /^([A-Za-z_][A-Za-z0-9_-]{0,63})@([0-9a-f]{16})\.json$/;

interface UnusableFile {
  readonly path: string;
  /** The end of a sentence that begins with the path. */
  readonly trouble: string;
}

interface StoredTools {
  /** The latest first. */
  readonly records: readonly ForgedRecord[];
  readonly unusable: readonly UnusableFile[];
}

export type ForgeEvent = "register" | "promote" | "demote" | "quarantine" | "revoke" | "expire" | "test" | "keep";

function fileOf(id: string): StateFile {
  if (!isId(id)) throw new TypeError(`\`${id}\` is not the id of a forged tool`);
  return { name: `${FOLDER}/${id}.json`, format: FORMAT };
}

/** Reads the tools of this name, or all. */
export function storedTools(host: Host, name?: string): StoredTools {
  const records: ForgedRecord[] = [];
  const unusable: UnusableFile[] = [];
  for (const id of idsIn(host, name)) {
    const read = readRecord(host, id);
    if ("record" in read) records.push(read.record);
    else if (read.trouble !== undefined)
      unusable.push({ path: statePath(host, fileOf(id).name), trouble: read.trouble });
  }
  records.sort((one, other) => (one.forgedAt < other.forgedAt ? 1 : one.forgedAt > other.forgedAt ? -1 : 0));
  return { records, unusable };
}

function idsIn(host: Host, name: string | undefined): readonly string[] {
  try {
    return host.instant
      .names(statePath(host, FOLDER))
      .filter((file) => {
        const [, own] = FILE.exec(file) ?? [];
        return own !== undefined && (name === undefined || own === name);
      })
      .slice(0, LISTED_MAX)
      .map((file) => file.slice(0, -".json".length));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** No trouble means that there is no such file. */
function readRecord(host: Host, id: string): { readonly record: ForgedRecord } | { readonly trouble?: string } {
  const read = readState(host, fileOf(id));
  switch (read.kind) {
    case "absent":
      return {};
    case "text": {
      const record = recordIn(read.text, host);
      return record?.id === id ? { record } : { trouble: "is damaged: it is not a forged tool" };
    }
    case "unusable":
    case "newer":
    case "damaged":
      return { trouble: read.trouble };
  }
}

/** Runs `change` while no other process changes forged tools. */
export async function changingTools<T>(host: Host, change: (store: LockedStore) => Promise<T>): Promise<T> {
  return withState(host, REGISTRY, async (lock) => change(new LockedStore(host, lock)));
}

export class LockedStore {
  readonly #host: Host;
  readonly #lock: WriteLock;

  constructor(host: Host, lock: WriteLock) {
    this.#host = host;
    this.#lock = lock;
  }

  all(): readonly ForgedRecord[] {
    return storedTools(this.#host).records;
  }

  find(id: string): ForgedRecord | undefined {
    const read = readRecord(this.#host, id);
    return "record" in read ? read.record : undefined;
  }

  async write(record: ForgedRecord): Promise<void> {
    await writeState(this.#host, fileOf(record.id), { text: `${JSON.stringify(record)}\n`, lock: this.#lock });
  }

  async remove(id: string): Promise<void> {
    await this.#host.files.remove(statePath(this.#host, fileOf(id).name));
  }
}

/**
 * Logs what became of a tool. A log that cannot be written to stops nothing; returns why, as a sentence that begins
 * with the path.
 */
export function logEvent(host: Host, event: ForgeEvent, facts: JsonObject): string | undefined {
  const path = statePath(host, LOG);
  try {
    const line = JSON.stringify({ at: host.timestamp(), event, ...facts });
    if (host.shared.append(path, `${line}\n`) > LOG_BYTES_MAX)
      host.shared.rename(path, statePath(host, `${FOLDER}/audit.1.jsonl`));
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return `\`${path}\` cannot be written to (${code}), so this is not in the log`;
  }
}
