// A forged tool as it is stored: its text, who made it, what was found out about it, and how it did since.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Host, ProcessIdentity } from "../../core/tool/host.ts";
import type { Verdict } from "./judge.ts";

/**
 * `session`: gone with the process that made it. `agent`: kept for every session. The third tier is a file, which only
 * a person makes of it: `dottool forge keep`.
 */
export type Tier = (typeof tiers)[number];
const tiers = ["session", "agent"] as const;

/** `quarantined`: it failed in use, or when it was tested again. */
type ForgedState = (typeof states)[number];
const states = ["active", "quarantined"] as const;

export interface ForgedRecord {
  readonly version: typeof RECORD_VERSION;
  /** The name and a hash of the text: another text is another tool. */
  readonly id: string;
  readonly name: string;
  /** The definition, as a `.tool` file has it. */
  readonly text: string;
  readonly tier: Tier;
  readonly state: ForgedState;
  /** Why it is in this state, if it is not active. */
  readonly why?: string;
  /** The process that made it. */
  readonly session: ProcessIdentity;
  readonly verdict: Verdict;
  /** The judges that approved it. */
  readonly judges: readonly string[];
  /** The effects that were approved. It may never have others. */
  readonly effects: readonly string[];
  readonly uses: Uses;
  /** ISO 8601. */
  readonly forgedAt: string;
  readonly usedAt: string;
}

export interface Uses {
  readonly succeeded: number;
  readonly failed: number;
  readonly failedInARow: number;
}

export const RECORD_VERSION = 1;
export const noUses: Uses = { succeeded: 0, failed: 0, failedInARow: 0 };

const HASH_CHARACTERS = 16;
const ID = /^([A-Za-z_][A-Za-z0-9_-]{0,63})@([0-9a-f]{16})$/;

export function idOf(name: string, text: string, host: Pick<Host, "sha256">): string {
  return `${name}@${host.sha256(text).slice(0, HASH_CHARACTERS)}`;
}

export function isId(text: string): boolean {
  return ID.test(text);
}

/** Returns the record in a text, or undefined if it is not one, or its text is not the one that was tested. */
export function recordIn(text: string, host: Pick<Host, "sha256">): ForgedRecord | undefined {
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(read) || !isRecord(read)) return undefined;
  return idOf(read.name, read.text, host) === read.id ? read : undefined;
}

function isRecord(read: JsonObject): read is JsonObject & ForgedRecord {
  const { verdict, uses, session } = read;
  return (
    read["version"] === RECORD_VERSION &&
    hasAll(read, ["id", "name", "text", "forgedAt", "usedAt"], "string") &&
    tiers.some((tier) => tier === read["tier"]) &&
    states.some((state) => state === read["state"]) &&
    ["undefined", "string"].includes(typeof read["why"]) &&
    areTexts(read["effects"]) &&
    areTexts(read["judges"]) &&
    hasAll(session, ["processId"], "number") &&
    hasAll(uses, ["succeeded", "failed", "failedInARow"], "number") &&
    hasAll(verdict, ["approved"], "boolean") &&
    hasAll(verdict, ["reasoning"], "string") &&
    hasAll(verdict, ["confidence", "safety", "correctness", "determinism", "bounded"], "number")
  );
}

function hasAll(value: Json | undefined, names: readonly string[], type: "string" | "number" | "boolean"): boolean {
  return isJsonObject(value) && names.every((name) => typeof value[name] === type);
}

function areTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
