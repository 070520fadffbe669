// JSON Schema as parameters, without loss: what a parameter cannot say is refused by its name and place. Objects are
// closed unless they say otherwise, because models that list properties mean these.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema, Pattern } from "../../core/schema/parameter.ts";
import { isParameterName, RESERVED_NAMES } from "./infer-schema.ts";
import { Refused } from "./refusal.ts";

const DEPTH_MAX = 8;
const SCHEMAS_MAX = 500;

/** Texts about a schema, which accept and refuse nothing. `format` is one of them, as in the standard. */
const ANNOTATIONS = new Set(
  "title description examples example $schema $id $comment $defs definitions deprecated readOnly writeOnly format contentMediaType default".split(
    " ",
  ),
);

interface Place {
  readonly root: JsonObject;
  /** `inputSchema.properties.a`, for messages. */
  readonly path: string;
  readonly depth: number;
  /** Makes the name of a type from the names above it. */
  readonly typeName: string;
  readonly names: Set<string>;
  readonly budget: { left: number };
}

/** Returns the parameters of a tool. Throws `Refused`. */
export function readParameters(schema: JsonObject): readonly Parameter[] {
  const place = placeOf(schema, "inputSchema", "Input");
  const resolved = withoutReference(schema, place);
  const type = resolved["type"] ?? "object";
  if (type !== "object")
    throw new Refused("schema", `\`inputSchema\` is of type \`${shown(type)}\``, [
      'arguments have names: write {"type": "object", "properties": {…}}',
    ]);
  if (resolved["additionalProperties"] !== undefined && resolved["additionalProperties"] !== false)
    throw new Refused("schema", "`inputSchema` allows further properties", [
      "name every property, or take one property of type `object` for the rest",
    ]);
  requireKnown(resolved, place, ["type", "properties", "required", "additionalProperties"]);
  return propertiesOf(resolved, place);
}

/** Returns the schema of the result. Throws `Refused`. */
export function readReturns(schema: JsonObject): ParameterSchema {
  return schemaOf(schema, placeOf(schema, "outputSchema", "Result"));
}

function placeOf(root: JsonObject, path: string, typeName: string): Place {
  return { root, path, depth: 0, typeName, names: new Set(), budget: { left: SCHEMAS_MAX } };
}

function propertiesOf(schema: JsonObject, place: Place): readonly Parameter[] {
  const properties = schema["properties"] ?? {};
  if (!isJsonObject(properties)) throw new Refused("schema", `\`${place.path}.properties\` is not an object`);
  const required = schema["required"] ?? [];
  if (!Array.isArray(required)) throw new Refused("schema", `\`${place.path}.required\` is not a list of names`);
  const unknown = (required as readonly Json[]).find(
    (name) => typeof name !== "string" || !Object.hasOwn(properties, name),
  );
  if (unknown !== undefined)
    throw new Refused("schema", `\`${place.path}.required\` names \`${shown(unknown)}\`, which is not a property`, [
      "add it to `properties`",
    ]);
  return Object.entries(properties).map(([name, written]) => {
    const path = `${place.path}.properties.${name}`;
    if (!isParameterName(name))
      throw new Refused("schema", `\`${name}\` in \`${place.path}\` cannot be the name of a parameter`, [
        RESERVED_NAMES.has(name)
          ? "choose another name: every object of JavaScript has something of this name"
          : "use at most 64 letters, digits, `_` and `-`, starting with a letter or `_`",
      ]);
    const inner = { ...place, path, depth: place.depth + 1, typeName: typeNameOf(place.typeName, name) };
    return parameterOf(name, written, { place: inner, isRequired: required.includes(name) });
  });
}

function parameterOf(
  name: string,
  written: Json,
  { place, isRequired }: { readonly place: Place; readonly isRequired: boolean },
): Parameter {
  const schema = schemaOf(written, place);
  const texts = isJsonObject(written) ? withoutReference(written, place) : {};
  const fallback = texts["default"];
  const examples = texts["examples"] ?? (texts["example"] === undefined ? [] : [texts["example"]]);
  const [example, ...others] = Array.isArray(examples) ? (examples as readonly Json[]) : [];
  return {
    name,
    description: descriptionOf(texts),
    schema,
    // A value with a default is always there.
    required: isRequired && fallback === undefined,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(example === undefined ? {} : { example }),
    ...(others.length === 0 ? {} : { otherExamples: others }),
  };
}

function descriptionOf(texts: JsonObject): string {
  const text = texts["description"] ?? texts["title"];
  return typeof text === "string" ? text.trim().replaceAll(/\s+/g, " ") : "";
}

function schemaOf(written: Json, place: Place): ParameterSchema {
  if (place.budget.left-- <= 0 || place.depth > DEPTH_MAX)
    throw new Refused("schema", `\`${place.path}\` is nested deeper than ${DEPTH_MAX} levels, or too large`, [
      "make the values flatter, or take one of type `object` without `properties`",
    ]);
  if (written === true) return { type: "string", format: "any" };
  if (!isJsonObject(written)) throw new Refused("schema", `\`${place.path}\` is not a JSON Schema`);
  const schema = withoutReference(written, place);
  if (schema["const"] !== undefined) return choicesOf(schema, place, "const");
  if (schema["enum"] !== undefined) return choicesOf(schema, place, "enum");
  const type = schema["type"] ?? (isJsonObject(schema["properties"]) ? "object" : undefined);
  switch (type) {
    case undefined:
      requireKnown(schema, place, []);
      return { type: "string", format: "any" };
    case "string":
      requireKnown(schema, place, ["type", "minLength", "maxLength", "pattern"]);
      return {
        type,
        ...patternOf(schema["pattern"], place),
        ...limits(schema, place, { minimumLength: "minLength", maximumLength: "maxLength" }),
      };
    case "integer":
    case "number":
      requireKnown(schema, place, ["type", "minimum", "maximum"]);
      return { type, ...limits(schema, place, { minimum: "minimum", maximum: "maximum" }) };
    case "boolean":
      requireKnown(schema, place, ["type"]);
      return { type };
    case "array":
      requireKnown(schema, place, ["type", "items", "minItems", "maxItems", "uniqueItems"]);
      return {
        type,
        items: schemaOf(schema["items"] ?? {}, { ...place, path: `${place.path}.items`, depth: place.depth + 1 }),
        ...limits(schema, place, { minimumItems: "minItems", maximumItems: "maxItems" }),
        ...(schema["uniqueItems"] === true ? { unique: true } : {}),
      };
    case "object":
      return objectOf(schema, place);
    default:
      throw new Refused("schema", `\`${place.path}\` has the type \`${shown(type)}\``, [
        "a value has one type: `string`, `integer`, `number`, `boolean`, `array` or `object`; leave `type` out for any value",
      ]);
  }
}

function objectOf(schema: JsonObject, place: Place): ParameterSchema {
  requireKnown(schema, place, ["type", "properties", "required", "additionalProperties"]);
  const properties = propertiesOf(schema, place);
  const further = schema["additionalProperties"];
  if (properties.length === 0) {
    if (further !== undefined && further !== true && !isEmptySchema(further))
      throw new Refused("schema", `\`${place.path}\` restricts properties that it does not name`, [
        "name the properties, or allow any with `additionalProperties: true`",
      ]);
    return { type: "object", properties: [], open: true };
  }
  if (further !== undefined && further !== false)
    throw new Refused("schema", `\`${place.path}\` names properties and allows others`, [
      "name every property, or none",
    ]);
  let typeName = place.typeName;
  for (let number = 2; place.names.has(typeName); number++) typeName = `${place.typeName}${number}`;
  place.names.add(typeName);
  return { type: "object", typeName, properties, open: false };
}

function isEmptySchema(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function choicesOf(schema: JsonObject, place: Place, key: "enum" | "const"): ParameterSchema {
  requireKnown(schema, place, ["type", key]);
  const given = key === "enum" ? schema[key] : [schema[key] ?? null];
  const values = Array.isArray(given) ? (given as readonly Json[]) : [];
  if (values.length > 0 && values.every((value) => typeof value === "string"))
    return { type: "string", choices: values };
  if (values.length > 0 && values.every((value) => typeof value === "number"))
    return { type: values.every(Number.isSafeInteger) ? "integer" : "number", choices: values };
  throw new Refused("schema", `\`${place.path}.${key}\` is not a list of texts or of numbers`, [
    "write choices that are all texts or all numbers",
  ]);
}

/** A pattern of JSON Schema may match anywhere, and ours must match the whole. */
function patternOf(given: Json | undefined, place: Place): { readonly pattern?: Pattern } {
  if (given === undefined) return {};
  if (typeof given !== "string") throw new Refused("schema", `\`${place.path}.pattern\` is not a text`);
  try {
    new RegExp(given, "u");
  } catch {
    throw new Refused("schema", `\`${place.path}.pattern\` is not a regular expression`);
  }
  // With an alternative, the anchors would belong to its first and its last part.
  const whole = given.includes("|") ? undefined : /^\^([^]*[^\\])\$$/.exec(given)?.[1];
  const source = whole ?? `[^]*(?:${given})[^]*`;
  // A slash would end the pattern where it is written between slashes.
  return { pattern: { source: new RegExp(source).source, flags: "" } };
}

function limits<Key extends string>(
  schema: JsonObject,
  place: Place,
  names: Readonly<Record<Key, string>>,
): { readonly [K in Key]?: number } {
  const found: { [K in Key]?: number } = {};
  for (const [own, name] of Object.entries(names) as [Key, string][]) {
    const value = schema[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new Refused("schema", `\`${place.path}.${name}\` is not a number`);
    found[own] = value;
  }
  return found;
}

function requireKnown(schema: JsonObject, place: Place, known: readonly string[]): void {
  const key = Object.keys(schema).find((one) => !known.includes(one) && !ANNOTATIONS.has(one));
  if (key !== undefined)
    throw new Refused("schema", `\`${key}\` in \`${place.path}\` cannot be said of a parameter`, [
      known.length === 0
        ? "give it a `type`"
        : `here these can: ${known.map((one) => `\`${one}\``).join(", ")}; check the rest in the code`,
    ]);
}

const REFERENCES_MAX = 10;

/** Follows `$ref` within the schema. */
function withoutReference(written: JsonObject, place: Place): JsonObject {
  let schema = written;
  for (let count = 0; schema["$ref"] !== undefined; count++) {
    const reference = schema["$ref"];
    const target =
      typeof reference === "string" && reference.startsWith("#/") && count < REFERENCES_MAX
        ? reference
            .slice(2)
            .split("/")
            .reduce<Json | undefined>(
              (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
              place.root,
            )
        : undefined;
    if (!isJsonObject(target))
      throw new Refused("schema", `\`${place.path}\` refers to \`${shown(reference)}\`, which is not in the schema`, [
        "refer to `#/$defs/NAME`, or write the schema in its place",
      ]);
    const { $ref: _reference, ...rest } = schema;
    schema = { ...target, ...rest };
  }
  return schema;
}

function typeNameOf(above: string, name: string): string {
  return `${above}${name.replaceAll(/(?:^|[_-])([a-z0-9]?)/g, (_all, letter: string) => letter.toUpperCase())}`.slice(
    0,
    60,
  );
}

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
