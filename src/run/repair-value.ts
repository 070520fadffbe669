// One value that does not fit its schema, changed in shape until it does: `"5"` for 5, `["a"]` for "a", the nearest
// choice. A value that is not known from what was sent is the author's example or `<name>`, and is marked.
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { ArraySchema, ObjectSchema, Parameter, ParameterSchema } from "../schema/parameter.ts";
import { nearestNames } from "../text/suggest.ts";
import { repairedNumbers } from "./repair-number.ts";
import { repairedTexts } from "./repair-text.ts";
import { fits, namesFor } from "./repair-names.ts";
import { parseLoosely } from "./parse-loosely.ts";

const REPAIR_DEPTH_MAX = 20;
const REPAIRED_ITEMS_MAX = 1_000;
const FIELDS_WITHIN_MAX = 64;

interface Repaired {
  /** The repaired value. Undefined if none fits, or if none was meant. */
  readonly value: Json | undefined;
  /** The paths of values that do not come from the caller. */
  readonly placeholders: readonly string[];
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** The definition's own example, if there is one. */
  readonly example?: Json | undefined;
}

/** `given` is undefined if the caller sent nothing. */
function repairValue(parameter: Parameter, given: unknown, place: Place): Repaired {
  if (given !== undefined && fits(parameter.schema, given)) return { value: given as Json, placeholders: [] };
  if (given === null && !parameter.required) return { value: undefined, placeholders: [] };
  const isEmptyList = Array.isArray(given) && given.length === 0;
  if (given !== undefined && given !== null && !isEmptyList && place.depth < REPAIR_DEPTH_MAX) {
    const repaired = repairedShape(parameter, given, place);
    if (repaired?.value !== undefined && fits(parameter.schema, repaired.value)) return repaired;
  }
  return { value: valueToFillIn(parameter, place.example), placeholders: [place.path] };
}

/** Returns the author's own value, or `<name>` where a value belongs that only the caller knows. */
function valueToFillIn({ name, schema, example, default: usual }: Parameter, ofCall?: Json, depth = 0): Json {
  const own = [ofCall, example, usual].find((value) => value !== undefined && fits(schema, value));
  if (own !== undefined) return own;
  if (depth >= REPAIR_DEPTH_MAX) return `<${name}>`;
  if (schema.type === "array") return [valueToFillIn(itemOf(schema, name), undefined, depth + 1)];
  if (schema.type !== "object") return `<${name}>`;
  return Object.fromEntries(
    schema.properties
      .filter((property) => property.required)
      .map((property) => [property.name, valueToFillIn(property, undefined, depth + 1)]),
  );
}

/** Returns a value that may not fit: the caller checks. */
function repairedShape(parameter: Parameter, given: unknown, place: Place): Repaired | undefined {
  const { schema } = parameter;
  switch (schema.type) {
    case "string":
      return first(schema, repairedTexts(schema, given), place);
    case "integer":
    case "number":
      return first(
        schema,
        repairedNumbers(parameter, given).map((value) => ({ value })),
        place,
      );
    case "boolean":
      return first(
        schema,
        [repairedFlag(given)].map((value) => ({ value })),
        place,
      );
    case "array":
      return repairedList(schema, listOf(schema, given), place);
    case "object":
      return repairedObject(schema, given, place);
  }
}

function first(
  schema: ParameterSchema,
  candidates: readonly { readonly value: Json | undefined; readonly isPart?: true }[],
  { path }: Place,
): Repaired | undefined {
  const found = candidates.find(({ value }) => value !== undefined && fits(schema, value));
  return found && { value: found.value, placeholders: found.isPart ? [path] : [] };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["y", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["n", false],
  ["off", false],
  ["0", false],
  ["none", false],
]);

function repairedFlag(given: unknown): boolean | undefined {
  const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof one === "boolean") return one;
  if (typeof one !== "string" && typeof one !== "number") return undefined;
  const word = String(one).trim().toLowerCase();
  return flags.get(word) ?? flags.get(nearestNames(word, ["true", "false"], { editsMax: 1 })[0] ?? "");
}

function listOf(schema: ArraySchema, given: unknown): readonly unknown[] {
  if (Array.isArray(given))
    return (given as readonly unknown[])
      .slice(0, REPAIRED_ITEMS_MAX)
      .flatMap((item): readonly unknown[] =>
        typeof item === "string" && !fits(schema.items, item) ? partsOf(schema, item) : [item],
      );
  if (typeof given === "string") {
    const parsed = /^\s*(?:\[|```|- .*\n)/.test(given) ? parseLoosely(given) : undefined;
    return Array.isArray(parsed) ? (parsed as readonly unknown[]) : partsOf(schema, given);
  }
  if (!isFields(given)) return [given];
  const values = Object.values(given);
  const [only] = values;
  if (Array.isArray(only) && values.length === 1) return only as readonly unknown[];
  return values.length > 0 && Object.keys(given).every((key, index) => key === String(index)) ? values : [given];
}

/** Splits a text at commas. Choices and numbers contain none, and names and patterns of files hardly ever. */
function partsOf({ items }: ArraySchema, text: string): readonly string[] {
  if (items.type === "string" && items.choices === undefined && /^[\w.*/@+-]+(?:, ?[\w.*/@+-]+)+$/.test(text))
    return text.split(/, ?/, REPAIRED_ITEMS_MAX);
  const isPlain =
    items.type === "integer" || items.type === "number" || (items.type === "string" && items.choices !== undefined);
  return isPlain && /[,\s]/.test(text.trim())
    ? text.split(/[,\s]+/, REPAIRED_ITEMS_MAX).filter((part) => part !== "")
    : [text];
}

function repairedList(schema: ArraySchema, list: readonly unknown[], { path, depth }: Place): Repaired {
  const items: Json[] = [];
  const placeholders: string[] = [];
  const seen = new Set<string>();
  const add = (value: Json): void => {
    const text = JSON.stringify(value);
    if (schema.unique && seen.has(text)) return;
    seen.add(text);
    items.push(value);
  };
  const item = itemOf(schema, path);
  for (const given of list.slice(0, REPAIRED_ITEMS_MAX)) {
    const repaired = repairValue(item, given, { path: `${path}[${items.length}]`, depth: depth + 1 });
    // An unwanted item of a list is removed, not replaced by one that the caller did not ask for.
    if (repaired.value === undefined || repaired.placeholders.includes(`${path}[${items.length}]`)) continue;
    placeholders.push(...repaired.placeholders);
    add(repaired.value);
  }
  if (schema.maximumItems !== undefined) items.splice(schema.maximumItems);
  const wanted = Math.min(REPAIRED_ITEMS_MAX, schema.minimumItems ?? (list.length > 0 ? 1 : 0));
  while (items.length < wanted) {
    placeholders.push(`${path}[${items.length}]`);
    items.push(valueToFillIn(item, undefined, depth));
  }
  return { value: items, placeholders };
}

function itemOf({ items }: ArraySchema, name: string): Parameter {
  return { name, description: "", schema: items, required: true };
}

function repairedObject(schema: ObjectSchema, given: unknown, place: Place): Repaired | undefined {
  const parsed =
    typeof given === "string"
      ? parseLoosely(given)
      : Array.isArray(given) && given.length === 1
        ? (given as readonly unknown[])[0]
        : given;
  if (!isFields(parsed)) {
    // A text where an object with one required text is expected.
    const needed = schema.properties.filter((property) => property.required);
    const [only] = needed;
    return only && needed.length === 1 && fits(only.schema, given)
      ? { value: { [only.name]: given as Json }, placeholders: [] }
      : undefined;
  }
  return repairFields(schema.properties, parsed, { path: place.path, depth: place.depth, isOpen: schema.open });
}

interface FieldsPlace extends Omit<Place, "example"> {
  /** Set if undeclared properties are kept. */
  readonly isOpen?: boolean;
  readonly example?: JsonObject | undefined;
  /** The names that have issues: a missing value with such a name is required. */
  readonly faulty?: ReadonlySet<string>;
}

/** Repairs the properties of an object, or the arguments of a whole call if `path` is empty. */
export function repairFields(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
  place: FieldsPlace,
): { readonly value: JsonObject; readonly placeholders: readonly string[] } {
  const sentNames = namesFor(parameters, given);
  const entries: [string, Json][] = [];
  const placeholders: string[] = [];
  for (const parameter of parameters) {
    const sentName = sentNames.get(parameter.name);
    if (sentName === undefined && !parameter.required && !place.faulty?.has(parameter.name)) continue;
    if (sentName === undefined && parameter.default !== undefined) continue;
    const path = place.path === "" ? parameter.name : `${place.path}.${parameter.name}`;
    const sent = sentName === undefined ? fieldsWithin(parameter, given, sentNames) : given[sentName];
    const repaired: Repaired =
      parameter.transform !== undefined && sent !== undefined
        ? { value: sent as Json, placeholders: [] }
        : repairValue(parameter, sent, {
            path,
            depth: place.depth + 1,
            example:
              place.example && Object.hasOwn(place.example, parameter.name) ? place.example[parameter.name] : undefined,
          });
    // A name that was guessed for a value that does not fit was guessed wrong.
    if (
      sentName !== undefined &&
      sentName !== parameter.name &&
      !parameter.required &&
      repaired.placeholders.includes(path)
    )
      continue;
    if (repaired.value !== undefined) entries.push([parameter.name, repaired.value]);
    placeholders.push(...repaired.placeholders);
  }
  if (place.isOpen)
    for (const [name, value] of Object.entries(given))
      if (![...sentNames.values()].includes(name) && value !== undefined) entries.push([name, value as Json]);
  return { value: Object.fromEntries(entries), placeholders };
}

/**
 * Returns the fields of a required object, or of the single object of a required list, that were sent beside the
 * others.
 */
function fieldsWithin(
  { schema, required }: Parameter,
  given: Readonly<Record<string, unknown>>,
  taken: ReadonlyMap<string, string>,
): unknown {
  const inner = schema.type === "array" ? schema.items : schema;
  if (!required || inner.type !== "object") return undefined;
  const used = new Set(taken.values());
  const rest = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => !used.has(name))
      .slice(0, FIELDS_WITHIN_MAX),
  );
  const found = namesFor(inner.properties, rest);
  const isWhole =
    found.size > 0 && inner.properties.every((property) => !property.required || found.has(property.name));
  return isWhole ? Object.fromEntries([...found].map(([name, sentName]) => [name, rest[sentName]])) : undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}
