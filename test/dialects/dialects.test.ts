import { toJsonSchema } from "../../src/features/dialects/json-schema.ts";
import { toMcpTool, toMcpTools } from "../../src/features/dialects/mcp.ts";
import { apiName, toolOfApiName } from "../../src/core/tool/api-name.ts";
import { array, integer, string } from "../../src/core/schema/declare.ts";
import type { ParameterSchema } from "../../src/core/schema/parameter.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Effect } from "../../src/core/tool/definition.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("dialects");

function tool(name: string, effects: readonly Effect[] = ["read"]): Tool {
  return baseTool({
    name,
    title: "Count Words",
    description: "Count words.",
    parameters: {
      words: array(string("A word"), "The words", { required: true }),
      least: integer("At least", { default: 1 }),
    },
    effects,
    examples: [{ words: ["a"] }],
    execute: async () => okText(""),
  });
}

const schema = {
  type: "object",
  properties: {
    words: { description: "The words", type: "array", items: { type: "string" } },
    least: { description: "At least", type: "integer", default: 1 },
  },
  required: ["words"],
  additionalProperties: false,
  examples: [{ words: ["a"] }],
};

// A list of texts needs no example.
const { examples: _examples, ...declared } = schema;

test("toMcpTools is what tools/list answers", () => {
  assert.equal(toMcpTools([tool("ana/count")]), {
    tools: [
      {
        name: "ana__count",
        title: "Count Words",
        description: "Count words.",
        inputSchema: declared,
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
    ],
  });
});

test("toMcpTools tells what comes back in words, and of objects as a schema, the only kind that MCP takes", () => {
  const size: ParameterSchema = {
    type: "object",
    open: false,
    typeName: "Size",
    properties: [{ name: "bytes", description: "", required: true, schema: { type: "integer" } }],
  };
  const told = ([size, { type: "array", items: { type: "string" } }] satisfies readonly ParameterSchema[]).map(
    (schema) => {
      const counted = tool("count");
      const { description, outputSchema } = toMcpTool({
        ...counted,
        definition: { ...counted.definition, returns: { schema, description: "what is there" } },
      });
      return { description, outputSchema };
    },
  );
  assert.equal(told, [
    {
      description: "Count words.\n\nReturns Size: what is there",
      outputSchema: {
        title: "Size",
        type: "object",
        properties: { bytes: { type: "integer" } },
        required: ["bytes"],
        additionalProperties: false,
      },
    },
    { description: "Count words.\n\nReturns array<string>: what is there", outputSchema: undefined },
  ]);
});

test("toMcpTools gives hints by effect, and none where effects are unknown", () => {
  const hints = (effects: readonly Effect[]): unknown => {
    const { tools } = toMcpTools([tool("count", effects)]);
    return Array.isArray(tools) ? tools[0].annotations : undefined;
  };
  assert.equal(hints([]), undefined);
  assert.equal(hints(["read", "network"]), { readOnlyHint: true, openWorldHint: true });
  assert.equal(hints(["write"]), {
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: false,
  });
  assert.equal(hints(["run"]), {
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: true,
  });
});

test("toJsonSchema is one document, of one tool or of several", () => {
  const one = { title: "count", description: "Count words.", ...schema };
  assert.equal(toJsonSchema([tool("count")]), { $schema: "https://json-schema.org/draft/2020-12/schema", ...one });
  assert.equal(toJsonSchema([tool("count"), tool("ana/count")]), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { count: one, ana__count: { ...one, title: "ana__count" } },
  });
});

test("toolOfApiName finds the tool again", () => {
  assert.is(toolOfApiName(apiName("ana/count"), ["count", "ana/count"]), "ana/count");
  assert.is(toolOfApiName("nothing", ["count"]), undefined);
});

test.run();
