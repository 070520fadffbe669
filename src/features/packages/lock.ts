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
  readonly isAdded: boolean;
  /** As `originText` writes it. */
  readonly source: string;
  /** What updates keep to: a range of versions, or a branch or tag of git. */
  readonly follows?: string;
  /** The hash of its archive, as npm writes it; absent for a folder. */
  readonly integrity?: string;
  /** The key of the registry whose signature was verified when it was fetched. */
  readonly signedBy?: SigningKey;
  /** The address of the repository in its provenance, which was verified when it was fetched. */
  readonly builtFrom?: string;
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

function lockedOf(entry: Json): LockedPackage | undefined {
  if (!isJsonObject(entry)) return undefined;
  const {
    version,
    source,
    follows,
    integrity,
    signedBy,
    builtFrom,
    content,
    added = false,
    needs = {},
    may = {},
  } = entry;
  if (typeof version !== "string" || typeof source !== "string" || typeof content !== "string") return undefined;
  if (typeof added !== "boolean" || !CONTENT.test(content) || !isNeeds(needs) || !isPowers(may)) return undefined;
  if (follows !== undefined && typeof follows !== "string") return undefined;
  if (signedBy !== undefined && !isKey(signedBy)) return undefined;
  if (builtFrom !== undefined && typeof builtFrom !== "string") return undefined;
  const rest = {
    version,
    // A lock of an earlier version may have logins, or one that a person has edited.
    source: withoutCredentials(source),
    ...(follows === undefined ? {} : { follows }),
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(builtFrom === undefined ? {} : { builtFrom }),
    content,
    isAdded: added,
    needs,
    may,
  };
  if (integrity === undefined) return rest;
  return typeof integrity === "string" && INTEGRITY.test(integrity) ? { ...rest, integrity } : undefined;
}

function isKey(json: Json): json is Json & SigningKey {
  if (!isJsonObject(json)) return false;
  const { keyid, sha256 } = json;
  return typeof keyid === "string" && KEYID.test(keyid) && typeof sha256 === "string" && CONTENT.test(sha256);
}

function isNeeds(json: Json): json is Json & Readonly<Record<string, string>> {
  return (
    isJsonObject(json) &&
    Object.entries(json).every(([name, range]) => isPackageName(name) && typeof range === "string")
  );
}

function isPowers(json: Json): json is Json & Powers {
  return (
    isJsonObject(json) &&
    Object.entries(json).every(
      ([kind, values]) =>
        powerKinds.some((one) => one === kind) &&
        Array.isArray(values) &&
        (values as readonly Json[]).every((value) => typeof value === "string"),
    )
  );
}

/** Sorted by name, so that a change is a change of few lines. */
export function lockText(lock: Lock): string {
  const packages = Object.fromEntries(
    [...lock]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { version, isAdded, source, follows, integrity, signedBy, builtFrom, content, needs, may }]) => [
        name,
        {
          version,
          ...(isAdded ? { added: true } : {}),
          source,
          ...(follows === undefined ? {} : { follows }),
          ...(integrity === undefined ? {} : { integrity }),
          ...(signedBy === undefined ? {} : { signedBy: { keyid: signedBy.keyid, sha256: signedBy.sha256 } }),
          ...(builtFrom === undefined ? {} : { builtFrom }),
          content,
          ...(Object.keys(needs).length === 0 ? {} : { needs }),
          may,
        },
      ]),
  );
  return `${JSON.stringify({ version: LOCK_VERSION, packages }, replacingCredentials, 2)}\n`;
}
