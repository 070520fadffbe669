import { serverParameters } from "../../src/features/mcp-client/server-schema.ts";
import { argumentsSchema } from "../../src/core/schema/json-schema.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import { assert, suite } from "../harness.ts";

const test = suite("mcp/client: server-schema");

function schemaOf(property: Json, more: JsonObject = {}): unknown {
  return serverParameters({ type: "object", properties: { p: property }, ...more }).parameters[0]?.schema;
}

const rows: readonly (readonly [written: Json, schema: unknown])[] = [
  [
    { type: "string", minLength: 1, maxLength: 3 },
    { type: "string", minimumLength: 1, maximumLength: 3 },
  ],
  [
    { type: "integer", minimum: 0, maximum: 9 },
    { type: "integer", minimum: 0, maximum: 9 },
  ],
  [{ type: "number" }, { type: "number" }],
  [{ type: "boolean" }, { type: "boolean" }],
  [{ enum: ["a", "b"] }, { type: "string", choices: ["a", "b"] }],
  [{ type: ["string", "null"] }, { type: "string" }],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, { type: "integer" }],
  [{ oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, { type: "string", choices: ["a", "b"] }],
  [
    { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
    { type: "array", items: { type: "string" }, minimumItems: 1, unique: true },
  ],
  [{ $ref: "#/$defs/Size" }, { type: "string", choices: ["S", "L"] }],
  [
    { type: "object", properties: { x: { type: "number" } }, required: ["x"], additionalProperties: false },
    {
      type: "object",
      open: false,
      properties: [{ name: "x", description: "", schema: { type: "number" }, required: true }],
    },
  ],
  [
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", open: true, properties: [] },
  ],
  [
    { type: "object", properties: { any: {}, x: { type: "boolean" } }, additionalProperties: false },
    {
      type: "object",
      open: true,
      properties: [{ name: "x", description: "", schema: { type: "boolean" }, required: false }],
    },
  ],
  [{}, { type: "string", format: "json" }],
  [true, { type: "string", format: "json" }],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "string", format: "json" }],
  [{ type: "array" }, { type: "string", format: "json" }],
  [{ $ref: "https://example.com/schema.json" }, { type: "string", format: "json" }],
  [{ $ref: "#/$defs/Nowhere" }, { type: "string", format: "json" }],
  [{ enum: [1, 2] }, { type: "integer", choices: [1, 2] }],
  [
    { type: "number", enum: [0.5, 1, null] },
    { type: "number", choices: [0.5, 1] },
  ],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, { type: "integer", choices: [1, 2] }],
  [{ enum: [1, "a"] }, { type: "string", format: "json" }],
];

for (const [written, schema] of rows) {
  test(`serverParameters reads ${JSON.stringify(written)}`, () =>
    assert.equal(schemaOf(written, { $defs: { Size: { enum: ["S", "L"] } } }), schema));
}

test("serverParameters stops at schemas that refer to themselves", () => {
  const loop: JsonObject = { $ref: "#/$defs/Loop" };
  assert.equal(schemaOf(loop, { $defs: { Loop: loop } }), { type: "string", format: "json" });
  const tree = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 20 }, (_item, index) => [`p${index}`, { $ref: "#/$defs/Tree" }]),
    ),
  };
  assert.is(
    serverParameters({ type: "object", properties: { p: { $ref: "#/$defs/Tree" } }, $defs: { Tree: tree } }).parameters
      .length,
    1,
  );
});

test("serverParameters gives odd names plain ones, and the server its own again", () => {
  const { parameters, sent } = serverParameters({
    type: "object",
    properties: {
      "issue.title": { type: "string" },
      issue_title: { type: "string" },
      "2nd": {},
      constructor: { type: "string" },
    },
    required: ["issue.title"],
  });
  assert.equal(
    parameters.map(({ name, required }) => [name, required]),
    [
      ["issue_title_2", true],
      ["issue_title", false],
      ["_2nd", false],
      ["constructor_", false],
    ].sort(() => 0),
  );
  assert.equal(sent({ issue_title_2: "a", issue_title: "b", _2nd: '{"x":[1]}', constructor_: "c" }), {
    "issue.title": "a",
    issue_title: "b",
    "2nd": { x: [1] },
    constructor: "c",
  });
});

test("a value that no schema of ours describes is given as JSON text, which is checked", () => {
  const { parameters } = serverParameters({
    type: "object",
    properties: { any: { description: "Whatever" } },
    required: ["any"],
  });
  const check = (any: Json): readonly string[] =>
    (validateArguments(parameters, { any }, { owner: "t", environment: () => undefined }).issues ?? []).map(
      ({ message }) => message,
    );
  assert.equal(
    [check('"text"'), check("[1]"), check("text")],
    [[], [], ['expected JSON, such as "text" in quotes or {"name": 1}, got the string "text"']],
  );
  assert.equal(argumentsSchema(parameters), {
    type: "object",
    properties: {
      any: {
        description: 'Whatever (as JSON: {"description":"Whatever"})',
        type: "string",
        contentMediaType: "application/json",
      },
    },
    required: ["any"],
    additionalProperties: false,
  });
});

test("a server's default is told and not sent", () => {
  const { parameters } = serverParameters({
    type: "object",
    properties: { n: { type: "integer", description: "How many", default: 10 } },
  });
  assert.equal(parameters, [
    { name: "n", description: "How many (default: 10)", schema: { type: "integer" }, required: false },
  ]);
});

test.run();
