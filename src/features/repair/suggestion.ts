// What becomes of each value that a caller sent in the call that a failure suggests: it is kept, lost or changed. This
// is the one place that decides it, from the two calls alone, so no repair can lose a value in silence.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { quantityOf, sameQuantity } from "./repair-number.ts";

export type Path = readonly (string | number)[];

/** Where the values of a call come from. A repair may note more than it uses in the end. */
export interface Trace {
  /** The places in the call that a sent value went to, by the key of its own place. */
  readonly targets: Map<string, Target[]>;
  /** The data in a sent text, by the key of its place. */
  readonly parsed: Map<string, unknown>;
  /** The keys of the items that are for the other calls of `each`. */
  readonly repeated: Set<string>;
}

interface Target {
  readonly path: Path;
  readonly parameter: Parameter;
}

export interface SuggestedArguments {
  readonly arguments: JsonObject;
  /** The paths of values that only the caller can know. */
  readonly placeholders: readonly string[];
  /** Set if a list was sent for one value: the call has its first item, and `count` calls are needed. */
  readonly each?: { readonly name: string; readonly count: number };
}

/** Names of places: of those kept and lost as the caller named them, of those changed in the suggested call. */
export interface Account {
  readonly kept: readonly string[];
  readonly lost: readonly string[];
  readonly changed: readonly string[];
}

/** What becomes of a sent value: a place is that of another value that stands for it. */
type Fate = "kept" | "lost" | "to fill in" | Target;

interface SentCall {
  readonly given: Readonly<Record<string, unknown>>;
  /** The names that the caller used, where a value was put together from those. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  readonly trace: Trace;
}

const VALUES_MAX = 1_000;
const DEPTH_MAX = 20;
/** All are named in a message; nobody reads more. */
const NAMED_MAX = 10;

/** Returns undefined if the values are too many or too deep to name what becomes of each. */
export function accountFor({ given, origins, trace }: SentCall, call: SuggestedArguments): Account | undefined {
  const account = { kept: new Set<string>(), lost: new Set<string>(), changed: new Set<string>() };
  let values = 0;
  const targetsOf = (path: Path): readonly Target[] => {
    const there = (trace.targets.get(keyOf(path)) ?? []).filter(
      (target) => valueAt(call.arguments, target.path) !== undefined,
    );
    // A value that became the items of a list went to those, and not to the list.
    return there.filter((one) => !there.some((other) => other !== one && isAround(one.path, other.path)));
  };
  const isToFillIn = ({ path }: Target): boolean => call.placeholders.some((one) => isWithin(pathText(path), one));
  /** Returns what becomes of a value. `around` are the places of a value that it is within. */
  const fateOf = (value: unknown, path: Path, around: readonly Target[]): Fate => {
    if (call.each && trace.repeated.has(keyOf(path))) return "kept";
    const own = targetsOf(path);
    const targets = own.length > 0 ? own : around.filter(isToFillIn);
    const [first] = targets;
    if (!first) return "lost";
    // The message names what has to be filled in, by the name of the parameter, which the caller may not know.
    if (isToFillIn(first)) return path[0] === first.path[0] ? "to fill in" : "lost";
    const got = targets.map((target) => valueAt(call.arguments, target.path));
    return isSame(value, got, first.parameter) ? "kept" : first;
  };
  // The outermost name is enough for a value that is nowhere in the call.
  const namesOf = (path: Path): readonly string[] => {
    const root = path.slice(0, 1);
    return origins.get(String(path[0])) ?? [shortPath(targetsOf(root).length > 0 ? path : root)];
  };
  const judge = (value: unknown, path: Path, around: readonly Target[]): void => {
    const fate = fateOf(value, path, around);
    if (typeof fate === "object") account.changed.add(shortPath(fate.path));
    else if (fate !== "to fill in") for (const name of namesOf(path)) account[fate].add(name);
  };
  const visit = (value: unknown, path: Path, outer: readonly Target[]): boolean => {
    if (value === null || value === undefined) return true;
    if (++values > VALUES_MAX || path.length > DEPTH_MAX) return false;
    const targets = targetsOf(path);
    const isWhole = targets.some((target) => valueAt(call.arguments, target.path) === value);
    const inner = trace.parsed.get(keyOf(path)) ?? value;
    const around = targets.length > 0 ? targets : outer;
    if (isWhole || typeof inner !== "object" || inner === null || inner instanceof Date) judge(value, path, outer);
    else if (Array.isArray(inner)) return inner.every((item, index) => visit(item, [...path, index], around));
    else return Object.entries(inner).every(([name, item]) => visit(item, [...path, name], around));
    return true;
  };
  if (!Object.entries(given).every(([name, value]) => visit(value, [name], []))) return undefined;
  const [lost, changed] = [named(account.lost), named(account.changed)];
  return lost && changed && { kept: [...account.kept], lost, changed };
}

/** Many places are named by what contains them. Returns undefined if these are still too many to read. */
function named(places: ReadonlySet<string>): readonly string[] | undefined {
  const names =
    places.size <= NAMED_MAX ? places : new Set([...places].map((place) => place.split(/[.[]/, 1)[0] ?? ""));
  return names.size <= NAMED_MAX ? [...names] : undefined;
}

/** Whether the values of the call mean what was sent. Whatever is not known to mean the same is a change. */
function isSame(sent: unknown, got: readonly (Json | undefined)[], { name, description, schema }: Parameter): boolean {
  const [one] = got;
  if (got.length > 1) return typeof sent === "string" && partsOf(sent).join() === got.join();
  if (sent === one) return true;
  if (sent instanceof Date) return !Number.isNaN(sent.getTime()) && sent.toISOString() === one;
  if (typeof one === "boolean") return truths.get(String(sent).trim().toLowerCase()) === one;
  if (typeof one === "number")
    return typeof sent === "string"
      ? sameQuantity(quantityOf(sent), one, { name, description })
      : typeof sent === "bigint" && BigInt(Number.isInteger(one) ? one : 0) === sent;
  if (typeof one !== "string") return false;
  if (schema.type === "string" && schema.choices) return folded(String(sent)) === folded(one);
  if (schema.type === "string" && schema.format === "json" && JSON.stringify(sent) === one) return true;
  return typeof sent !== "object" && String(sent) === one;
}

/** The words for yes and no. */
export const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);

/** Returns the words of a list in a text. */
export function partsOf(text: string): readonly string[] {
  return text
    .trim()
    .split(/[,\s]+/, VALUES_MAX)
    .filter((part) => part !== "");
}

/** Returns a text or name without what has no meaning in names: case, hyphens, underscores and blanks. */
export function folded(text: string): string {
  return text.replaceAll(/[-_\s]/g, "").toLowerCase();
}

export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

export function pathText(path: Path): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}

/** The same place in each item of a list has one name. */
function shortPath(path: Path): string {
  return path.length > 2 ? pathText(path).replaceAll(/\[\d+\](?=\.)/g, "[]") : pathText(path);
}

function isAround(outer: Path, inner: Path): boolean {
  return outer.length < inner.length && outer.every((part, index) => part === inner[index]);
}

export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

function valueAt(args: JsonObject, path: Path): Json | undefined {
  let value: Json | undefined = args;
  for (const part of path)
    value = Array.isArray(value)
      ? (value as readonly Json[])[Number(part)]
      : isJsonObject(value) && Object.hasOwn(value, part)
        ? (value as JsonObject)[part]
        : undefined;
  return value;
}
