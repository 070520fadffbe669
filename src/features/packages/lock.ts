// `dottool.lock`: exactly which packages a project uses, where each comes from, and what it may do. It is stored with
// the project, so every byte of it may be a stranger's.
import { join } from "node:path";
import { replacingCredentials, withoutCredentials } from "../../core/text/without-credentials.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { isPackageName } from "./manifest.ts";
import { powerKinds, type Powers } from "./powers.ts";
import { Refusal } from "./refusal.ts";
import type { SigningKey } from "./signatures.ts";

export const LOCK_NAME = "dottool.lock";
const LOCK_VERSION = 1;
const LOCK_BYTES_MAX = 4 * 1024 * 1024;

export interface LockedPackage {
  readonly version: string;
  /** Set if a person has added it; otherwise another package needs it. */
  readonly added?: boolean | undefined;
  /** As `originText` writes it. */
  readonly source: string;
  /** What updates keep to: a range of versions, or a branch or tag of git. */
  readonly follows?: string | undefined;
  /** The hash of its archive, as npm writes it; absent for a folder. */
  readonly integrity?: string | undefined;
  /** The key of the registry whose signature was verified when it was fetched. */
  readonly signedBy?: SigningKey | undefined;
  /** The address of the repository in its provenance, which was verified when it was fetched. */
  readonly builtFrom?: string | undefined;
  /** The hash of its tree. */
  readonly content: string;
  /** The packages that it needs: ranges of versions by name. */
  readonly needs: Readonly<Record<string, string>>;
  readonly may: Powers;
}

/** By name. */
export type Lock = ReadonlyMap<string, LockedPackage>;

/** `folder` is absolute. Returns an empty lock if there is no file. */
export function readLock(folder: string, host: Host): Lock {
  const path = join(folder, LOCK_NAME);
  let text: string;
  try {
    text = new TextDecoder().decode(host.instant.readBytes(path, LOCK_BYTES_MAX));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return new Map();
    if (code === undefined) throw error;
    throw new Refusal("failed", `\`${path}\` cannot be read (${code})`);
  }
  return parseLock(text, path);
}

export function parseLock(text: string, path: string): Lock {
  const refuse = (fact: string): never => {
    throw new Refusal("denied", `\`${path}\` ${fact}`, [
      "restore it from version control, or remove it and add the packages again",
    ]);
  };
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return refuse("is not JSON");
  }
  if (!isJsonObject(json) || !isJsonObject(json["packages"] ?? null)) return refuse("is not a lock of dottool");
  const { version } = json;
  if (version !== LOCK_VERSION)
    return refuse(`has the version ${JSON.stringify(version ?? null)}, and this dottool knows ${LOCK_VERSION}`);
  return new Map(
    Object.entries(json["packages"] as JsonObject).map(([name, entry]) => {
      const locked = isPackageName(name) ? lockedOf(entry) : undefined;
      return locked ? [name, locked] : refuse(`has an entry that is not one of dottool: \`${name}\``);
    }),
  );
}

const KEYID = /^[\x21-\x7e]{1,200}$/;
const CONTENT = /^[0-9a-f]{64}$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

const isText = (value: Json): boolean => typeof value === "string";

/** What the value of each key may be, in the order in which a lock has them. */
const keys: Readonly<Record<keyof LockedPackage, (value: Json) => boolean>> = {
  version: isText,
  added: (value) => typeof value === "boolean",
  source: isText,
  follows: isText,
  integrity: (value) => matches(value, INTEGRITY),
  signedBy: (value) =>
    isJsonObject(value) && matches(value["keyid"] ?? null, KEYID) && matches(value["sha256"] ?? null, CONTENT),
  builtFrom: isText,
  content: (value) => matches(value, CONTENT),
  needs: (value) => isRecord(value, (name, range) => isPackageName(name) && isText(range)),
  may: (value) =>
    isRecord(value, (kind, values) => powerKinds.some((one) => one === kind) && isList(values) && values.every(isText)),
};
const REQUIRED: readonly string[] = ["version", "source", "content"] satisfies readonly (keyof LockedPackage)[];

function matches(value: Json, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isRecord(value: Json, isRight: (key: string, one: Json) => boolean): boolean {
  return isJsonObject(value) && Object.entries(value).every(([key, one]) => isRight(key, one));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

type SoundEntry = Omit<LockedPackage, "needs" | "may"> & Partial<LockedPackage>;

function isSound(entry: unknown): entry is SoundEntry {
  return (
    isJsonObject(entry) &&
    Object.entries(keys).every(([key, isRight]) =>
      Object.hasOwn(entry, key) ? isRight(entry[key] ?? null) : !REQUIRED.includes(key),
    )
  );
}

function lockedOf(entry: unknown): LockedPackage | undefined {
  // A lock of an earlier version may have logins, or one that a person has edited.
  return isSound(entry) ? { needs: {}, may: {}, ...entry, source: withoutCredentials(entry.source) } : undefined;
}

/** Sorted by name, so that a change is a change of few lines. */
export function lockText(lock: Lock): string {
  const sorted = [...lock].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const packages = Object.fromEntries(sorted.map(([name, locked]) => [name, entryOf(locked)]));
  return `${JSON.stringify({ version: LOCK_VERSION, packages }, replacingCredentials, 2)}\n`;
}

function entryOf(locked: LockedPackage): Partial<LockedPackage> {
  const { needs, added } = locked;
  const written = { ...locked, added: added || undefined, needs: Object.keys(needs).length > 0 ? needs : undefined };
  return Object.fromEntries(Object.keys(keys).map((key) => [key, written[key as keyof LockedPackage]]));
}
