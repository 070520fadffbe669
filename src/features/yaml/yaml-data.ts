// Parts of a YAML text before the layout: plain data with the reader's keys, in its order.
import type { Json } from "../../core/schema/json.ts";
import { CannotWrite } from "../../core/language/write/cannot-write.ts";

/** Data to be written as YAML. Undefined entries are left out. */
export type YamlData = Json | YamlRecord | readonly YamlData[];

export interface YamlRecord {
  readonly [key: string]: YamlData | undefined;
}

/** Returns one record of all, also of records within. */
export function merged(parts: readonly (YamlRecord | undefined)[]): YamlRecord {
  const all: Record<string, YamlData | undefined> = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part ?? {})) {
      const known = all[key];
      all[key] = isRecord(known) && isRecord(value) ? merged([known, value]) : value === undefined ? known : value;
    }
  }
  return all;
}

export function isRecord(data: YamlData | undefined): data is YamlRecord {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

/** Returns undefined if it is empty. */
export function listed(items: readonly YamlData[]): readonly YamlData[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Returns a record whose keys are an author's names. */
export function byName(entries: readonly (readonly [string, YamlData])[]): YamlRecord | undefined {
  const names = entries.map(([name]) => name);
  if (new Set(names).size < names.length)
    throw new CannotWrite(`\`${names.find((name, index) => names.indexOf(name) < index) ?? ""}\` twice`);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Returns a text without quotes, if its reader takes numbers and `true` as they are written. */
export function bareText(text: string): Json {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,9}[1-9])?$/.test(text) && String(Number(text)) === text) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}

/** Returns JSON as a text, if its reader makes the same text of it again. */
export function jsonOrText(text: string): Json {
  if (!/^[[{]/.test(text)) return bareText(text);
  try {
    const value = JSON.parse(text) as Json;
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** Returns a text that is written below `|`, since its reader drops the last line end. */
export function blockText(text: string): string {
  return text.includes("\n") ? `${text}\n` : text;
}
