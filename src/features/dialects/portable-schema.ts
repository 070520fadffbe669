// Reduces a JSON Schema to the keywords that an API accepts. The other constraints move into the description for the
// model; the gate checks them in any case.
import { countText } from "../../core/schema/describe.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";

/**
 * `tell` means that the API does not accept this keyword with this value, and `drop` that it adds nothing to the
 * description either.
 */
export type SchemaRules = (keyword: string, value: Json, schema: JsonObject) => "keep" | "tell" | "drop";

export function keepsOnly(keywords: readonly string[]): SchemaRules {
  return (keyword) => (keywords.includes(keyword) ? "keep" : "tell");
}

/** Applies the rules, also in `properties` and `items`. */
export function portableSchema(schema: JsonObject, rules: SchemaRules): JsonObject {
  const kept: [string, Json][] = [];
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "description") continue;
    const use = rules(keyword, value, schema);
    if (use === "tell") told.push(keywordText(keyword, value));
    else if (use === "drop") continue;
    else if (keyword === "properties" && isJsonObject(value))
      kept.push([
        keyword,
        Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            isJsonObject(inner) ? portableSchema(inner, rules) : inner,
          ]),
        ),
      ]);
    else if (keyword === "items" && isJsonObject(value)) kept.push([keyword, portableSchema(value, rules)]);
    else kept.push([keyword, value]);
  }
  const description = [
    typeof schema["description"] === "string" ? schema["description"] : "",
    ...(told.length > 0 ? [`(${told.join("; ")})`] : []),
  ]
    .filter((text) => text !== "")
    .join(" ");
  return { ...(description === "" ? {} : { description }), ...Object.fromEntries(kept) };
}

function keywordText(keyword: string, value: Json): string {
  const shown = JSON.stringify(value);
  switch (keyword) {
    case "minLength":
      return `at least ${countText(Number(value), "character")}`;
    case "maxLength":
      return `at most ${countText(Number(value), "character")}`;
    case "minimum":
      return `at least ${shown}`;
    case "maximum":
      return `at most ${shown}`;
    case "minItems":
      return `at least ${countText(Number(value), "item")}`;
    case "maxItems":
      return `at most ${countText(Number(value), "item")}`;
    case "uniqueItems":
      return "no duplicate items";
    case "pattern":
      return `matches the regular expression ${shown}`;
    case "not":
      return `does not match the regular expression ${JSON.stringify(isJsonObject(value) ? (value["pattern"] ?? value) : value)}`;
    case "format":
      return value === "uri" ? "an http or https address" : `format ${shown}`;
    case "default":
      return `default: ${shown}`;
    case "examples":
      return `for example ${Array.isArray(value) ? value.map((example: Json) => JSON.stringify(example)).join(", ") : shown}`;
    case "required":
      return `required: ${Array.isArray(value) ? value.join(", ") : shown}`;
    case "additionalProperties":
      return value === false ? "no other properties" : "any further properties";
    case "writeOnly":
      return "a secret";
    case "title":
      return String(value);
    default:
      return `${keyword}: ${shown}`;
  }
}
