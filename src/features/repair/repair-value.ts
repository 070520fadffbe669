// One value that does not fit its schema, changed in shape until it does: `"5"` for 5, `["a"]` for "a". A value that is
// not known from what was sent is `<name>`, and is marked.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { ArraySchema, Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { fits, namesFor } from "./repair-names.ts";
import { repairedNumbers } from "./repair-number.ts";
import { repairedTexts } from "./repair-text.ts";
import { parseLoosely } from "./parse-loosely.ts";
import { keyOf, partsOf, type Path, pathText, type SuggestedArguments, type Trace, truths } from "./suggestion.ts";

const REPAIR_DEPTH_MAX = 20;
const REPAIRED_ITEMS_MAX = 1_000;
const FIELDS_WITHIN_MAX = 64;

/** One attempt at a whole call. */
export interface Attempt {
  readonly trace: Trace;
  /** The keys of sent values that are not used, since the tool refuses them. */
  readonly refused: ReadonlySet<string>;
  /** The parameters that the caller has to fill in. */
  readonly toFillIn: ReadonlySet<string>;
  /** Whether the tool only reads, so that a number may be cut to its range and a list become several calls. */
  readonly isHarmless: boolean;
  each?: SuggestedArguments["each"];
}

interface Sent {
  readonly value: unknown;
  readonly path: Path;
}

interface Place {
  readonly path: Path;
  readonly attempt: Attempt;
}

interface Repaired {
  /** Undefined if none is meant. */
  readonly value: Json | undefined;
  readonly placeholders: readonly string[];
}

/** `sent` is undefined if the caller sent nothing. */
function repairValue(parameter: Parameter, sent: Sent | undefined, place: Place): Repaired {
  const { attempt, path } = place;
  const isUsed = sent !== undefined && !attempt.refused.has(keyOf(sent.path));
  if (sent) note(attempt.trace, sent, { path, parameter });
  const isWhole = isUsed && !hasRefused(sent.path, attempt);
  if (isWhole && (parameter.transform !== undefined || fits(parameter.schema, sent.value)))
    return { value: sent.value as Json, placeholders: [] };
  const isNothing = sent !== undefined && (sent.value === null || !isUsed);
  if (isNothing && !parameter.required) return { value: undefined, placeholders: [] };
  if (sent && !isNothing && path.length < REPAIR_DEPTH_MAX) {
    const repaired = repairedShape(parameter, sent, place);
    if (repaired?.value !== undefined && fits(parameter.schema, repaired.value)) return repaired;
  }
  return { value: placeholderFor(parameter), placeholders: [pathText(path)] };
}

function note({ targets }: Trace, sent: Sent, target: { readonly path: Path; readonly parameter: Parameter }): void {
  const key = keyOf(sent.path);
  targets.set(key, [...(targets.get(key) ?? []), target]);
}

function hasRefused(path: Path, { refused }: Attempt): boolean {
  const start = `${keyOf(path).slice(0, -1)},`;
  return [...refused].some((key) => key.startsWith(start));
}

/** Returns `<name>`, within the lists and objects that are needed for it. */
function placeholderFor({ name, schema }: Pick<Parameter, "name" | "schema">, depth = 0): Json {
  if (depth >= REPAIR_DEPTH_MAX) return `<${name}>`;
  if (schema.type === "array") return [placeholderFor({ name, schema: schema.items }, depth + 1)];
  if (schema.type !== "object") return `<${name}>`;
  return Object.fromEntries(
    schema.properties
      .filter((property) => property.required)
      .map((property) => [property.name, placeholderFor(property, depth + 1)]),
  );
}

/** Returns a value that may not fit: the caller checks. */
function repairedShape(parameter: Parameter, sent: Sent, place: Place): Repaired | undefined {
  const { schema } = parameter;
  if (schema.type === "array") return repairedList({ ...parameter, schema }, sent, place);
  if (schema.type === "object") return repairedObject(parameter, sent, place);
  const items = Array.isArray(sent.value) ? itemsOf(sent.value, sent.path) : undefined;
  if (items?.length === 1 && items[0] && !Array.isArray(items[0].value)) return repairValue(parameter, items[0], place);
  if (items) return firstOfEach(parameter, items, place);
  const value = leavesFor(parameter, sent.value, place).find((candidate) => fits(schema, candidate));
  return value === undefined ? undefined : { value, placeholders: [] };
}

function leavesFor(parameter: Parameter, given: unknown, { attempt }: Place): readonly Json[] {
  const { schema } = parameter;
  if (schema.type === "string") return repairedTexts(schema, given);
  if (schema.type === "integer" || schema.type === "number")
    return repairedNumbers(given, { ...parameter, schema, isExact: !attempt.isHarmless });
  const flag = typeof given === "object" ? undefined : truths.get(String(given).trim().toLowerCase());
  return flag === undefined ? [] : [flag];
}

/**
 * Returns the first of several values for a parameter that takes one: a call is needed for each. Several words for a
 * text may be one text, so this is for what only reads, and for what can only be one thing.
 */
function firstOfEach(parameter: Parameter, items: readonly Sent[], place: Place): Repaired | undefined {
  const { schema, name } = parameter;
  const { attempt, path } = place;
  const isOneThing = schema.type === "string" && (schema.format !== undefined || schema.choices !== undefined);
  const [first, ...others] = items;
  if (!first || path.length > 1 || attempt.each || !(isOneThing || attempt.isHarmless)) return undefined;
  if (items.some(({ value }) => typeof value === "object" || !fits(schema, value))) return undefined;
  attempt.each = { name, count: items.length };
  for (const { path: other } of others) attempt.trace.repeated.add(keyOf(other));
  return repairValue(parameter, first, place);
}

function itemsOf(list: unknown, path: Path): readonly Sent[] {
  // The list of a program may have holes.
  const items = Array.from((list as readonly unknown[]).slice(0, REPAIRED_ITEMS_MAX));
  return items.map((value, index) => ({ value, path: [...path, index] }));
}

/** Returns the items in what was sent for a list: a list, its text, an object around it, or one item. */
function partsFor({ items }: ArraySchema, { value, path }: Sent, { parsed }: Trace): readonly Sent[] {
  const split = (sent: Sent): readonly Sent[] =>
    typeof sent.value === "string" && !fits(items, sent.value)
      ? wordsIn(items, sent.value).map((word) => ({ value: word, path: sent.path }))
      : [sent];
  if (Array.isArray(value)) return itemsOf(value, path).flatMap(split);
  if (typeof value === "string") {
    const data = /^\s*(?:\[|```|- .*\n)/.test(value) ? parseLoosely(value) : undefined;
    if (!Array.isArray(data)) return wordsIn(items, value).map((word) => ({ value: word, path }));
    parsed.set(keyOf(path), data);
    return itemsOf(data, path);
  }
  if (!isJsonObject(value)) return [{ value, path }];
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && Array.isArray(only[1])) return itemsOf(only[1], [...path, only[0]]);
  return entries.length > 0 && entries.every(([key], index) => key === String(index))
    ? entries.map(([key, item]) => ({ value: item, path: [...path, key] }))
    : [{ value, path }];
}

/** Splits a text at commas. Choices and numbers contain none, and names and patterns of files hardly ever. */
function wordsIn(items: ParameterSchema, text: string): readonly string[] {
  const isNumbers = (items.type === "integer" || items.type === "number") && /^[\d\s,.+-]+$/.test(text);
  const isChoices = items.type === "string" && items.choices !== undefined && /[,\s]/.test(text.trim());
  const isNames = items.type === "string" && /^[\w.*/@+-]+(?:, ?[\w.*/@+-]+)+$/.test(text);
  return isNumbers || isChoices || isNames ? partsOf(text) : [text];
}

function repairedList(parameter: Parameter & { schema: ArraySchema }, sent: Sent, place: Place): Repaired {
  const { schema } = parameter;
  const values: Json[] = [];
  const placeholders: string[] = [];
  const item: Parameter = { ...parameter, schema: schema.items, required: true };
  for (const part of partsFor(schema, sent, place.attempt.trace)) {
    if (place.attempt.refused.has(keyOf(part.path))) continue;
    const path = [...place.path, values.length];
    const repaired = repairValue(item, part, { ...place, path });
    // An unwanted item of a list is removed, not replaced by one that the caller did not ask for.
    const isWanted = repaired.value !== undefined && !repaired.placeholders.includes(pathText(path));
    const there = isWanted && schema.unique ? indexOf(values, repaired.value) : -1;
    if (!isWanted || there !== -1 || values.length === schema.maximumItems) forget(place.attempt.trace, part.path);
    if (there !== -1) note(place.attempt.trace, part, { path: [...place.path, there], parameter: item });
    if (repaired.value === undefined || !isWanted || there !== -1 || values.length === schema.maximumItems) continue;
    values.push(repaired.value);
    placeholders.push(...repaired.placeholders);
  }
  const wanted = Math.min(REPAIRED_ITEMS_MAX, Math.max(1, schema.minimumItems ?? 0));
  while (values.length < wanted) {
    placeholders.push(pathText([...place.path, values.length]));
    values.push(placeholderFor(item));
  }
  return { value: values, placeholders };
}

function indexOf(values: readonly Json[], wanted: Json | undefined): number {
  return values.findIndex((value) => JSON.stringify(value) === JSON.stringify(wanted));
}

/** Another item takes the place that was noted for this one, and for what is in it. */
function forget({ targets }: Trace, path: Path): void {
  const start = keyOf(path).slice(0, -1);
  for (const key of targets.keys()) if (key === `${start}]` || key.startsWith(`${start},`)) targets.delete(key);
}

function repairedObject(parameter: Parameter, sent: Sent, place: Place): Repaired | undefined {
  const { schema } = parameter;
  if (schema.type !== "object") return undefined;
  const data = typeof sent.value === "string" ? parseLoosely(sent.value) : sent.value;
  const isInText = data !== sent.value && isJsonObject(data);
  if (isInText) place.attempt.trace.parsed.set(keyOf(sent.path), data);
  const items = Array.isArray(data) && data === sent.value ? itemsOf(data, sent.path) : [];
  if (items.length === 1 && items[0] && isJsonObject(items[0].value)) return repairValue(parameter, items[0], place);
  if (isJsonObject(data)) return repairFields(schema.properties, data, { ...place, sentPath: sent.path, schema });
  // A text where an object with one required text is expected.
  const [only, ...more] = schema.properties.filter((property) => property.required);
  if (!only || more.length > 0 || !fits(only.schema, sent.value)) return undefined;
  note(place.attempt.trace, sent, { path: [...place.path, only.name], parameter: only });
  return { value: { [only.name]: sent.value as Json }, placeholders: [] };
}

interface FieldsPlace extends Place {
  readonly sentPath: Path;
  /** The schema of an object, which may keep undeclared properties. */
  readonly schema?: ParameterSchema;
}

/** Repairs the properties of an object, or the arguments of a whole call if `path` is empty. */
export function repairFields(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
  place: FieldsPlace,
): { readonly value: JsonObject; readonly placeholders: readonly string[] } {
  const { path, sentPath, attempt, schema } = place;
  const sentNames = namesFor(parameters, given);
  const entries: [string, Json][] = [];
  const placeholders: string[] = [];
  for (const parameter of parameters) {
    const sentName = sentNames.get(parameter.name);
    const isToFillIn = path.length === 0 && attempt.toFillIn.has(parameter.name);
    const isNeeded = parameter.required && parameter.default === undefined;
    if (sentName === undefined && !isNeeded && !isToFillIn) continue;
    const inner = { path: [...path, parameter.name], attempt };
    const sent = sentName === undefined ? undefined : { value: given[sentName], path: [...sentPath, sentName] };
    if (isToFillIn && sent) note(attempt.trace, sent, { path: inner.path, parameter });
    const repaired =
      (sent || isToFillIn ? undefined : repairedWithin(parameter, given, { ...place, taken: sentNames })) ??
      repairValue(parameter, isToFillIn ? undefined : sent, inner);
    if (repaired.value !== undefined) entries.push([parameter.name, repaired.value]);
    placeholders.push(...repaired.placeholders);
  }
  const used = new Set(sentNames.values());
  if (schema?.type === "object" && schema.open)
    for (const [name, value] of Object.entries(given)) {
      if (used.has(name) || value === undefined) continue;
      const extra: Sent = { value, path: [...sentPath, name] };
      note(attempt.trace, extra, { path: [...path, name], parameter: { ...anything, name } });
      const isRefused = attempt.refused.has(keyOf(extra.path));
      if (!isRefused) entries.push([name, value as Json]);
      // A tool that refuses a number here takes texts, as the environment does.
      else if (typeof value === "number" || typeof value === "boolean") entries.push([name, String(value)]);
    }
  return { value: Object.fromEntries(entries), placeholders };
}

const anything: Parameter = { name: "", description: "", required: false, schema: { type: "string", format: "any" } };

interface WithinPlace extends FieldsPlace {
  /** The sent name of each parameter that has one. */
  readonly taken: ReadonlyMap<string, string>;
}

/** Returns a required object, or the only one of a required list, whose fields were sent beside the other arguments. */
function repairedWithin(
  { name, schema, required }: Parameter,
  given: Readonly<Record<string, unknown>>,
  { taken, path, ...place }: WithinPlace,
): Repaired | undefined {
  const inner = schema.type === "array" ? schema.items : schema;
  if (!required || inner.type !== "object") return undefined;
  const used = new Set(taken.values());
  const rest = Object.entries(given).filter(([sentName]) => !used.has(sentName));
  const fields = Object.fromEntries(rest.slice(0, FIELDS_WITHIN_MAX));
  if (namesFor(inner.properties, fields).size === 0) return undefined;
  const own = schema.type === "array" ? [...path, name, 0] : [...path, name];
  const { value, placeholders } = repairFields(inner.properties, fields, {
    ...place,
    path: own,
    schema: anything.schema,
  });
  return { value: schema.type === "array" ? [value] : value, placeholders };
}
