// What a suggested call has lost or changed of the one that was sent, so that the suggestion says so: names alone,
// because values may be secret.
import type { JsonObject } from "../schema/json.ts";
import { parseLoosely } from "./parse-loosely.ts";
import type { Losses } from "../tool/failure.ts";

export interface LossOptions {
  readonly suggested: JsonObject;
  /** The sent name of each parameter. */
  readonly sentNames: ReadonlyMap<string, string>;
  /** The paths of values that are marked already. */
  readonly placeholders: readonly string[];
}

const VALUE_CHARACTERS_MAX = 20_000;

export function lossesOf(given: Readonly<Record<string, unknown>>, options: LossOptions): Losses {
  const { suggested, sentNames, placeholders } = options;
  const parameterOf = new Map([...sentNames].map(([parameter, sent]) => [sent, parameter]));
  const kept = new Set(leavesOf(suggested));
  const leftOut: string[] = [];
  const changed: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === "" || value === "null") continue;
    const parameter = parameterOf.get(name);
    if (parameter === undefined || !Object.hasOwn(suggested, parameter)) {
      // It may have become a part of another value.
      if (!leavesOf(value).every((leaf) => kept.has(leaf)) || leavesOf(value).length === 0) leftOut.push(name);
    } else if (
      !placeholders.some(
        (path) => path === parameter || path.startsWith(`${parameter}[`) || path.startsWith(`${parameter}.`),
      ) &&
      !isSame(value, suggested[parameter])
    )
      changed.push(parameter);
  }
  return { leftOut, changed };
}

function isSame(sent: unknown, suggested: unknown): boolean {
  if (typeof suggested === "boolean") return truths.get(leavesOf(sent).join(" ")) === suggested;
  const [one, other] = [leavesOf(sent), leavesOf(suggested)];
  if (
    one.join("") === other.join("") ||
    (one.every((leaf) => other.includes(leaf)) && other.every((leaf) => one.includes(leaf)))
  )
    return true;
  // `"10s"`, `"2 KiB"` and `"2 lines"` say what their number means; a text may hold all of an object.
  if (typeof sent === "string" && typeof suggested === "number") return /^\s*[+-]?[\d.,_]+\s*[a-z]+\s*$/i.test(sent);
  const text = typeof suggested === "string" && typeof sent === "object" ? fold(suggested) : undefined;
  return text !== undefined && one.length > 0 && one.every((leaf) => text.includes(leaf));
}

const DEPTH_MAX = 20;

/** Returns the values in a value, without what has no meaning: their case, blanks, quotes and form. */
function leavesOf(value: unknown, depth = 0): readonly string[] {
  if (value === null || value === undefined || depth > DEPTH_MAX) return [];
  if (typeof value === "object" && !(value instanceof Date))
    return Object.values(value).flatMap((one) => leavesOf(one, depth + 1));
  if (typeof value === "boolean") return [String(value)];
  if (value instanceof Date && Number.isNaN(value.getTime())) return [];
  const text = value instanceof Date ? value.toISOString() : String(value as string);
  const data =
    /^\s*(?:[[{]|```|\w+: |- )/.test(text) && text.length <= VALUE_CHARACTERS_MAX ? parseLoosely(text) : undefined;
  return typeof data === "object" && data !== null ? leavesOf(data, depth + 1) : [fold(text)];
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0", "none"].map((word) => [word, false] as const),
]);

function fold(text: string): string {
  return text
    .slice(0, VALUE_CHARACTERS_MAX)
    .trim()
    .replace(/^(?:https?:)?\/\//i, "")
    .toWellFormed()
    .replaceAll(/(?<=\d)[./](?=\d)/g, "")
    .replaceAll(/[\s"'`_,\0\uFFFD-]/g, "")
    .replace(/^[v#@$](?=[\da-f])/i, "")
    .toLowerCase();
}
