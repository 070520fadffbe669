// What a change of parameters means for those who call: which calls that were accepted are not any more.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";

export interface SchemaChange {
  /** Each is the end of a sentence that begins with the tool. */
  readonly breaking: readonly string[];
  readonly other: readonly string[];
}

/** Compares two JSON Schemas of arguments. */
export function schemaChange(before: Json | undefined, now: Json | undefined): SchemaChange {
  const [breaking, other]: [string[], string[]] = [[], []];
  const [old, present] = [propertiesOf(before), propertiesOf(now)];
  const [oldRequired, required] = [requiredOf(before), requiredOf(now)];
  for (const [name, schema] of Object.entries(old)) {
    const shown = `parameter \`${name}\``;
    const next = Object.hasOwn(present, name) ? present[name] : undefined;
    if (next === undefined) breaking.push(`${shown} is gone`);
    else {
      if (required.has(name) && !oldRequired.has(name)) breaking.push(`${shown} is required now`);
      if (!required.has(name) && oldRequired.has(name)) other.push(`${shown} is optional now`);
      const reasons = narrowings(schema, next);
      breaking.push(...reasons.map((reason) => (reason.startsWith(":") ? shown + reason : `${shown} ${reason}`)));
      if (reasons.length === 0 && JSON.stringify(schema) !== JSON.stringify(next)) other.push(`${shown} has changed`);
    }
  }
  for (const name of Object.keys(present).filter((one) => !Object.hasOwn(old, one)))
    if (required.has(name)) breaking.push(`parameter \`${name}\` is new and required`);
    else other.push(`parameter \`${name}\` is new`);
  // Words without names are given to them in this order.
  const orders = [old, present].map((all) =>
    Object.keys(all).filter((name) => required.has(name) && Object.hasOwn(old, name)),
  );
  if (orders[0]?.some((name, index) => Object.hasOwn(present, name) && name !== orders[1]?.[index]))
    breaking.push("required parameters have another order");
  return { breaking, other };
}

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Keys that do not decide which values are accepted. */
const apart = ["description", "title", "default", "examples", "deprecated", "properties", "required", "items"];

/** Returns why a value may be refused that was accepted. What is not understood may be. */
function narrowings(before: Json | undefined, now: Json | undefined): readonly string[] {
  if (!isJsonObject(before ?? null) || !isJsonObject(now ?? null)) return [];
  const [old, present] = [before as JsonObject, now as JsonObject];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(present)])];
  const own = keys.flatMap((key) => {
    const [was, is] = [old[key], present[key]];
    if (apart.includes(key) || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
    if (key === "type") {
      const types = [is].flat();
      const isTaken = [was ?? "any"]
        .flat()
        .every((one) => types.includes(one) || (one === "integer" && types.includes("number")));
      return isTaken ? [] : [`is ${text(is)} now, not ${text(was)}`];
    }
    if (key === "enum" && Array.isArray(was) && Array.isArray(is)) {
      const lost = was.map(text).filter((value) => !is.map(text).includes(value));
      return lost.length === 0 ? [] : [`no longer takes ${lost.join(", ")}`];
    }
    const isNumber = typeof was === "number" && typeof is === "number";
    if (isNumber && (lowest.includes(key) ? is < was : highest.includes(key) && is > was)) return [];
    if (key === "additionalProperties" && is !== false) return [];
    return [`now has \`${key}\` ${text(is)}`];
  });
  const inner = schemaChange(old, present).breaking;
  return [
    ...own,
    ...inner.map((reason) => `: ${reason}`),
    ...narrowings(old["items"], present["items"]).map((reason) => `: each item ${reason}`),
  ];
}

function text(value: Json | undefined): string {
  return value === undefined ? "any" : typeof value === "string" ? value : JSON.stringify(value).slice(0, 100);
}

function propertiesOf(schema: Json | undefined): JsonObject {
  const properties = isJsonObject(schema ?? null) ? (schema as JsonObject)["properties"] : undefined;
  return isJsonObject(properties ?? null) ? (properties as JsonObject) : {};
}

function requiredOf(schema: Json | undefined): ReadonlySet<string> {
  const required = isJsonObject(schema ?? null) ? (schema as JsonObject)["required"] : undefined;
  return new Set(Array.isArray(required) ? required.map(String) : []);
}
