// The JSON Schema of a server's tool, as parameters. Where our types can express less, the parameter is narrower or the
// server does the check; a value that the server would refuse is never replaced by an invented one. A value that none
// of our types describes is given as JSON text and sent as the value.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { numberChoices } from "../../core/schema/number-choices.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { printable } from "../../core/text/display.ts";

interface ServerParameters {
  readonly parameters: readonly Parameter[];
  /** Returns what the server is sent for arguments that fit. */
  sent(args: JsonObject): JsonObject;
}

const DEPTH_MAX = 8;
const REFERENCES_MAX = 20;
const SCHEMAS_MAX = 20_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const NAME_CHARACTERS_MAX = 64;
const DEFAULT_CHARACTERS_MAX = 200;
/** Names with a special meaning in JavaScript objects. */
const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

export function serverParameters(inputSchema: JsonObject): ServerParameters {
  const properties = isJsonObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const required = namesIn(inputSchema["required"]);
  const names = ownNames(Object.keys(properties));
  const budget = { left: SCHEMAS_MAX };
  const parameters = Object.entries(properties).map(
    ([name, written]): Parameter =>
      parameterOf(names.get(name) ?? name, written, { root: inputSchema, budget, isRequired: required.has(name) }),
  );
  const byOwnName = new Map(Object.keys(properties).map((name) => [names.get(name) ?? name, name]));
  const asText = new Set(
    parameters.flatMap(({ name, schema }) => (schema.type === "string" && schema.format === "json" ? [name] : [])),
  );
  return {
    parameters,
    sent: (args) =>
      Object.fromEntries(
        Object.entries(args).map(([name, value]) => [
          byOwnName.get(name) ?? name,
          asText.has(name) && typeof value === "string" ? (JSON.parse(value) as Json) : value,
        ]),
      ),
  };
}

/** Returns the schema of the promised value, or undefined if ours cannot express it. */
export function serverReturns(outputSchema: JsonObject): ParameterSchema | undefined {
  return schemaOf(outputSchema, { root: outputSchema, depth: 0, references: 0, budget: { left: SCHEMAS_MAX } });
}

/**
 * Returns our names for the server's names that no parameter may have: with `_` for odd characters, and a number if
 * that name is taken.
 */
function ownNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => NAME.test(name) && !RESERVED.has(name)));
  const own = new Map([...taken].map((name) => [name, name]));
  for (const name of names) {
    if (own.has(name)) continue;
    const plain = name
      .replaceAll(/[^A-Za-z0-9_-]/g, "_")
      .replace(/^(?![A-Za-z_])/, "_")
      .slice(0, NAME_CHARACTERS_MAX - 4);
    let free = RESERVED.has(plain) ? `${plain}_` : plain;
    for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
    taken.add(free);
    own.set(name, free);
  }
  return own;
}

function parameterOf(
  name: string,
  written: Json | undefined,
  { root, budget, isRequired }: Pick<Place, "root" | "budget"> & { readonly isRequired: boolean },
): Parameter {
  const schema = schemaOf(written, { root, depth: 0, references: 0, budget });
  const said = describedBy(written, root);
  const words = [
    said,
    ...(schema ? [] : [`(as JSON: ${printable(shortened(JSON.stringify(written ?? {})))})`]),
    defaultText(written),
  ].filter((text) => text !== "");
  return {
    name,
    description: words.join(" "),
    schema: schema ?? { type: "string", format: "json" },
    required: isRequired,
  };
}

function describedBy(written: Json | undefined, root: JsonObject): string {
  if (!isJsonObject(written)) return "";
  const description =
    written["description"] ??
    (isJsonObject(referred(written, root)) ? (referred(written, root) as JsonObject)["description"] : undefined);
  return typeof description === "string" ? printable(description.trim().replaceAll(/\s+/g, " ")) : "";
}

/** Returns a default as text for the description. The server fills it in, so it is not sent. */
function defaultText(written: Json | undefined): string {
  const value = isJsonObject(written) ? written["default"] : undefined;
  return value === undefined || value === null || value === ""
    ? ""
    : `(default: ${printable(shortened(typeof value === "string" ? value : JSON.stringify(value)))})`;
}

function shortened(text: string): string {
  return text.length > DEFAULT_CHARACTERS_MAX ? `${text.slice(0, DEFAULT_CHARACTERS_MAX)}…` : text;
}

interface Place {
  readonly root: JsonObject;
  readonly depth: number;
  /** The number of references that were followed to get here. */
  readonly references: number;
  /** The number of schemas that may still be looked at, because a few lines with references can stand for very many. */
  readonly budget: { left: number };
}

function schemaOf(written: Json | undefined, place: Place): ParameterSchema | undefined {
  if (
    !isJsonObject(written) ||
    place.depth > DEPTH_MAX ||
    place.references > REFERENCES_MAX ||
    place.budget.left-- <= 0
  )
    return undefined;
  if (typeof written["$ref"] === "string")
    return schemaOf(referred(written, place.root), { ...place, references: place.references + 1 });
  const choices = choicesOf(written);
  if (choices) return choices;
  const only = alternativesOf(written);
  if (only)
    return only.length === 1 ? schemaOf(only[0], { ...place, references: place.references + 1 }) : joined(only, place);
  switch (typeOf(written)) {
    case "string":
      return { type: "string", ...limits(written, { minimumLength: "minLength", maximumLength: "maxLength" }) };
    case "integer":
    case "number":
      return {
        type: typeOf(written) as "integer" | "number",
        ...limits(written, { minimum: "minimum", maximum: "maximum" }),
      };
    case "boolean":
      return { type: "boolean" };
    case "array": {
      const items = isJsonObject(written["items"])
        ? schemaOf(written["items"], { ...place, depth: place.depth + 1 })
        : undefined;
      return (
        items && {
          type: "array",
          items,
          ...limits(written, { minimumItems: "minItems", maximumItems: "maxItems" }),
          ...(written["uniqueItems"] === true ? { unique: true as const } : {}),
        }
      );
    }
    case "object":
      return objectOf(written, place);
    default:
      return undefined;
  }
}

/** Converts an object. Rules for a property that we cannot express are left to the server. */
function objectOf(written: JsonObject, place: Place): ParameterSchema {
  const properties = isJsonObject(written["properties"]) ? written["properties"] : {};
  const required = namesIn(written["required"]);
  const said = Object.entries(properties).map(([name, property]) => ({
    name,
    property,
    schema: schemaOf(property, { ...place, depth: place.depth + 1 }),
  }));
  const isOpen = written["additionalProperties"] !== false || said.some(({ schema }) => schema === undefined);
  return {
    type: "object",
    open: isOpen,
    properties: said.flatMap(({ name, property, schema }): Parameter[] =>
      schema ? [{ name, description: describedBy(property, place.root), schema, required: required.has(name) }] : [],
    ),
  };
}

/** Returns the type. For `["string", "null"]` it is the one besides null, because a missing value says the same. */
function typeOf(written: JsonObject): Json | undefined {
  const { type } = written as { readonly type?: Json };
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const others = type.filter((one: Json) => one !== "null");
    return others.length === 1
      ? others[0]
      : others.includes("number") && others.every((one: Json) => one === "number" || one === "integer")
        ? "number"
        : undefined;
  }
  return isJsonObject(written["properties"]) ? "object" : isJsonObject(written["items"]) ? "array" : undefined;
}

/** Returns the schema of a choice among strings or numbers, or undefined if this is none. */
function choicesOf(written: JsonObject): ParameterSchema | undefined {
  const { enum: listed, const: only } = written as { readonly enum?: Json; readonly const?: Json };
  const values = Array.isArray(listed)
    ? listed.filter((value: Json) => value !== null)
    : only === undefined
      ? []
      : [only];
  return choicesAmong(values);
}

function choicesAmong(values: readonly Json[]): ParameterSchema | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value): value is string => typeof value === "string")) return { type: "string", choices: values };
  return values.every((value): value is number => typeof value === "number") &&
    values.every((value) => Number.isSafeInteger(value) || !Number.isInteger(value))
    ? numberChoices(values)
    : undefined;
}

function alternativesOf(written: JsonObject): readonly Json[] | undefined {
  const { anyOf, oneOf, allOf } = written as { readonly anyOf?: Json; readonly oneOf?: Json; readonly allOf?: Json };
  const listed = Array.isArray(anyOf)
    ? anyOf
    : Array.isArray(oneOf)
      ? oneOf
      : Array.isArray(allOf) && allOf.length === 1 && typeOf(written) === undefined
        ? allOf
        : undefined;
  return (listed as readonly Json[] | undefined)?.filter((one) => !(isJsonObject(one) && one["type"] === "null"));
}

/** Joins alternatives: separate choices among texts become one choice, and any other mixture is JSON. */
function joined(alternatives: readonly Json[], place: Place): ParameterSchema | undefined {
  const schemas = alternatives.map((one) => schemaOf(one, { ...place, references: place.references + 1 }));
  const choices = schemas.map((schema) => (schema && "choices" in schema ? schema.choices : undefined));
  const among = choices.every((own) => own !== undefined) ? choicesAmong([...new Set(choices.flat())]) : undefined;
  const types = new Set(schemas.map((schema) => schema?.type));
  if (among) return among;
  return types.size > 0 && [...types].every((type) => type === "integer" || type === "number")
    ? { type: "number" }
    : undefined;
}

/** Follows a reference within the schema, such as `#/$defs/Name`. No other schema is fetched. */
function referred(written: JsonObject, root: JsonObject): Json | undefined {
  const path = /^#\/(.+)$/.exec(typeof written["$ref"] === "string" ? written["$ref"] : "")?.[1];
  let found: Json | undefined = path === undefined ? undefined : root;
  for (const part of path?.split("/") ?? []) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function namesIn(value: Json | undefined): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : []);
}

function limits<Key extends string>(
  written: JsonObject,
  keys: Readonly<Record<Key, string>>,
): { readonly [K in Key]?: number } {
  return Object.fromEntries(
    Object.entries<string>(keys).flatMap(([own, theirs]) =>
      typeof written[theirs] === "number" ? [[own, written[theirs]]] : [],
    ),
  ) as { readonly [K in Key]?: number };
}
