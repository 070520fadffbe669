import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { argumentsSchema, valueSchema } from "../../src/core/schema/json-schema.ts";
import type { Json } from "../../src/core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";
import { validateValue } from "../../src/core/schema/validate.ts";
import { assert, suite } from "../harness.ts";

const test = suite("json-schema");

// `uri` is a hint for models; the gate has its own rules for a web address.
const ajv = new Ajv2020({ strict: true, validateFormats: false });

function parameter(name: string, schema: ParameterSchema, more: Partial<Parameter> = {}): Parameter {
  return { name, description: "", schema, required: false, ...more };
}

test("argumentsSchema says everything that the gate holds callers to", () => {
  const parameters: readonly Parameter[] = [
    parameter(
      "mode",
      { type: "string", choices: ["fast", "slow"] },
      { description: "How", required: true, default: "fast", example: "slow" },
    ),
    parameter("name", {
      type: "string",
      pattern: { source: "a|b", flags: "" },
      reject: { source: "^-", flags: "" },
      minimumLength: 1,
      maximumLength: 9,
    }),
    parameter("page", { type: "string", format: "url" }),
    parameter("file", { type: "string", format: "path" }),
    parameter("depth", { type: "integer", minimum: 0, maximum: 5 }),
    parameter("level", { type: "integer", choices: [1, 2, 3] }),
    parameter("any", { type: "string", format: "any" }, { description: "Whatever" }),
    parameter("words", { type: "array", items: { type: "number" }, minimumItems: 1, maximumItems: 3, unique: true }),
    parameter("edit", {
      type: "object",
      typeName: "Edit",
      properties: [parameter("search", { type: "string" }, { required: true })],
      open: false,
    }),
    parameter("more", { type: "object", properties: [], open: true }),
    parameter(
      "changed",
      { type: "array", items: { type: "integer", minimum: 3 }, minimumItems: 2 },
      { transform: "value.map((n) => n + 3)", example: [1], otherExamples: [[2]] },
    ),
    parameter("key", { type: "string" }, { secret: true, default: "hidden", example: "hidden" }),
    parameter("inner", { type: "boolean" }, { hidden: true }),
  ];
  assert.equal(argumentsSchema(parameters), {
    type: "object",
    properties: {
      mode: { description: "How", type: "string", enum: ["fast", "slow"], default: "fast", examples: ["slow"] },
      name: { type: "string", pattern: "^(?:a|b)$", not: { pattern: "^-" }, minLength: 1, maxLength: 9 },
      page: { type: "string", format: "uri" },
      file: { type: "string" },
      depth: { type: "integer", minimum: 0, maximum: 5 },
      level: { type: "integer", enum: [1, 2, 3] },
      any: { description: "Whatever" },
      words: { type: "array", items: { type: "number" }, minItems: 1, maxItems: 3, uniqueItems: true },
      edit: {
        title: "Edit",
        type: "object",
        properties: { search: { type: "string" } },
        required: ["search"],
        additionalProperties: false,
      },
      more: { type: "object", properties: {}, additionalProperties: true },
      changed: { type: "array", items: { type: "number" }, examples: [[1], [2]] },
      key: { type: "string", writeOnly: true },
    },
    required: ["mode"],
    additionalProperties: false,
  });
});

test("valueSchema leaves out patterns that JSON Schema cannot say", () => {
  assert.equal(valueSchema({ type: "string", pattern: { source: "a", flags: "i" } }), { type: "string" });
  assert.equal(valueSchema({ type: "string", reject: { source: "\\-[", flags: "" } }), { type: "string" });
});

const letters = fc.stringMatching(/^[a-cA-C-]{0,4}$/);
const schemas: fc.Arbitrary<ParameterSchema> = fc.letrec<{ schema: ParameterSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      type: fc.constant("string" as const),
      minimumLength: fc.constantFrom(0, 1),
      maximumLength: fc.constantFrom(2, 4),
    }),
    fc.record({
      type: fc.constant("string" as const),
      pattern: fc.constantFrom({ source: "a|b", flags: "" }, { source: "[a-c]+", flags: "u" }),
      reject: fc.constant({ source: "^-", flags: "" }),
    }),
    fc.record({
      type: fc.constant("string" as const),
      choices: fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => [...new Set(all)]),
    }),
    fc.record({
      type: fc.constantFrom("integer" as const, "number" as const),
      minimum: fc.integer({ min: -3, max: 0 }),
      maximum: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      type: fc.constantFrom("integer" as const, "number" as const),
      choices: fc.uniqueArray(fc.integer({ min: -2, max: 3 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.constant({ type: "boolean" as const }),
    fc.constant({ type: "string" as const, format: "any" as const }),
    fc.record({
      type: fc.constant("array" as const),
      items: tie("schema"),
      minimumItems: fc.constantFrom(0, 1),
      maximumItems: fc.constantFrom(1, 3),
    }),
    fc.record({
      type: fc.constant("object" as const),
      properties: fc.uniqueArray(
        fc.record({
          name: fc.constantFrom("a", "b"),
          description: fc.constant(""),
          schema: tie("schema"),
          required: fc.boolean(),
        }),
        { selector: (one) => one.name },
      ),
      open: fc.boolean(),
    }),
  ),
})).schema;

const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    letters,
    fc.integer({ min: -4, max: 4 }),
    fc.constantFrom(0.5, 1.5),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
  ),
})).value;

test("valueSchema accepts a value where the gate does, and no other", () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 5 }), (schema, candidates) => {
      const accepts = ajv.compile(valueSchema(schema));
      for (const value of candidates) {
        const ofGate = validateValue(schema, value, "value").issues.length === 0;
        assert.is(accepts(value), ofGate, `${JSON.stringify(valueSchema(schema))} and ${JSON.stringify(value)}`);
      }
      ajv.removeSchema();
    }),
    { numRuns: 300 },
  );
});

test.run();
