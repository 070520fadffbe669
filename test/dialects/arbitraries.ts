// Random tools, and calls that fit them, for tests that encoding and reading agree.
import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";

const TRICKY = [
  "<tool>",
  "</tool>",
  "<![CDATA[",
  "]]>",
  "&",
  "&lt;",
  '"',
  "\\",
  "\n",
  "\t",
  " ",
  "```",
  "<think>",
  "data: ",
  "\u2028",
  "\0",
  "é",
  "🙂",
  "__proto__",
];
const anyText = fc.oneof(
  unicodeText(8),
  fc
    .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ maxLength: 3 })), { maxLength: 6 })
    .map((pieces) => pieces.join("")),
);

export const anyName = fc.oneof(
  fc.constantFrom("path", "__proto__", "constructor", "toString", "a-b", "_"),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,20}$/),
);
export const anyToolName = fc.oneof(
  anyName,
  fc.tuple(anyName, anyName).map(([owner, name]) => `${owner}/${name}`),
);

// JSON has no -0.
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const anyInteger = fc.oneof(fc.integer(), fc.maxSafeInteger());
const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    anyNumber,
    anyText,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.array(fc.tuple(anyText, tie("json")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).json;

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Typed {
  readonly schema: ParameterSchema;
  readonly value: Json;
}

function constant(schema: ParameterSchema, value: fc.Arbitrary<Json>): fc.Arbitrary<Typed> {
  return value.map((one) => ({ schema, value: one }));
}

const anyTyped: fc.Arbitrary<Typed> = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { depthSize: "small" },
    constant({ type: "string" }, anyText),
    constant({ type: "integer" }, anyInteger),
    constant({ type: "number" }, anyNumber),
    constant({ type: "boolean" }, fc.boolean()),
    // Text that is JSON is read from XML as what it says.
    constant(
      { type: "string", format: "any" },
      anyJson.filter((value) => typeof value !== "string" || !isJsonText(value)),
    ),
    constant(
      { type: "object", properties: [], open: true },
      fc.array(fc.tuple(anyText, anyJson), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
    fc.tuple(tie("typed"), fc.nat(3)).map(
      ([{ schema, value }, count]): Typed => ({
        schema: { type: "array", items: schema },
        value: Array.from({ length: count }, () => value),
      }),
    ),
    anyProperties(tie("typed")).map(
      ({ parameters, arguments: value }): Typed => ({
        schema: { type: "object", properties: parameters, open: false },
        value,
      }),
    ),
  ),
})).typed;

export interface AnyArguments {
  readonly parameters: readonly Parameter[];
  readonly arguments: JsonObject;
}

function anyProperties(typed: fc.Arbitrary<Typed>): fc.Arbitrary<AnyArguments> {
  return fc
    .uniqueArray(fc.tuple(anyName, typed, fc.constantFrom("required", "given", "left out")), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((properties) => ({
      parameters: properties.map(([name, { schema }, use]) => ({
        name,
        description: "",
        schema,
        required: use === "required",
      })),
      arguments: Object.fromEntries(
        properties.flatMap(([name, { value }, use]) => (use === "left out" ? [] : [[name, value]])),
      ),
    }));
}

/** Parameters, and arguments that fit them. */
export const anyArguments = anyProperties(anyTyped);
