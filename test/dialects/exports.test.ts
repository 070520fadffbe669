import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { toStrictJsonSchema } from "openai/lib/transform";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { API_NAME_CHARACTERS_MAX, apiName, toolOfApiName } from "../../src/core/tool/api-name.ts";
import { apiDialectNames } from "../../src/features/dialects/dialect.ts";
import { loadDialect } from "../../src/features/dialects/dialects.ts";
import { toJsonSchema } from "../../src/features/dialects/json-schema.ts";
import { toMcpTools } from "../../src/features/dialects/mcp.ts";
import { describedFunction } from "../../src/features/dialects/openai-chat.ts";
import { anthropicStrictSchemas, openaiStrictSchemas } from "../../src/features/dialects/strict-schema.ts";
import { textToolsPrompt } from "../../src/features/dialects/text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { withCheckFixture } from "../check/check-fixture.ts";
import { assertGolden, assertGoldenRecords } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { anyArguments, anyToolName } from "./arbitraries.ts";

const test = suite("dialects/exports");

let bundled: Promise<readonly Tool[]> | undefined;

async function withBundledTools(use: (tools: readonly Tool[]) => void | Promise<void>): Promise<void> {
  bundled ??= loadBundledTools();
  await use(await bundled);
}

async function loadBundledTools(): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  await withCheckFixture({}, async ({ session, names }) => {
    for (const name of names) {
      const tool = await session.registry.resolve(name);
      if (tool) tools.push(tool);
    }
  });
  return tools;
}

function toolWith(parameters: readonly Parameter[], name = "any"): Tool {
  return {
    ...baseTool({
      name,
      title: "Any",
      description: "Any.",
      parameters: {},
      effects: ["read"],
      execute: async () => okText(""),
    }),
    parameters,
  };
}

/** Returns a record for each tool, after one for what stands around them. */
function recordsIn(declared: Json): readonly Json[] {
  if (!Array.isArray(declared)) {
    const [around, [key, tools]] = [Object.entries(declared as JsonObject).slice(0, -1), last(declared as JsonObject)];
    const records = Array.isArray(tools) ? tools : Object.entries(tools as JsonObject);
    return [Object.fromEntries([...around, [key, records.length]]), ...(records as Json[])];
  }
  return declared.length === 1 ? recordsIn(declared[0] as Json) : (declared as Json[]);
}

function last(object: JsonObject): readonly [string, Json] {
  const entry = Object.entries(object).at(-1);
  if (!entry) throw new Error("there are no declarations");
  return entry as readonly [string, Json];
}

for (const name of apiDialectNames)
  test(`bundled tools for ${name}`, async () => {
    const dialect = await loadDialect[name]();
    await withBundledTools((tools) =>
      assertGoldenRecords(`dialects/golden/${name}.jsonl`, recordsIn(dialect.declarations(tools))),
    );
  });

for (const name of ["openai", "openai-responses", "anthropic"] as const)
  test(`bundled tools for ${name}, strict`, async () => {
    const dialect = await loadDialect[name]();
    await withBundledTools((tools) => {
      // One at a time, because a request accepts a limited number.
      const told = tools.map((tool) => dialect.strictDeclarations?.([tool]) ?? {});
      assertGoldenRecords(
        `dialects/golden/${name}-strict.jsonl`,
        told.flatMap((one) => ("declarations" in one ? (one.declarations as Json[]) : [one])),
      );
    });
  });

test("bundled tools as JSON Schema", async () => {
  await withBundledTools((tools) =>
    assertGoldenRecords("dialects/golden/json-schema.jsonl", recordsIn(toJsonSchema(tools))),
  );
});

test("bundled tools as MCP lists them", async () => {
  await withBundledTools((tools) => assertGoldenRecords("dialects/golden/mcp.jsonl", recordsIn(toMcpTools(tools))));
});

test("bundled tools for a prompt", async () => {
  await withBundledTools((tools) => assertGolden("dialects/golden/text.txt", textToolsPrompt(tools)));
});

test("OpenAI's own converter finds nothing to change in strict schemas, of bundled and of any tools", async () => {
  const check = (tool: Tool): void => {
    const { schemas, problems } = openaiStrictSchemas([tool]);
    if (problems.length === 0)
      assert.is(JSON.stringify(toStrictJsonSchema(schemas[0] as never)), JSON.stringify(schemas[0]));
    // It passes what accepts any value, which their API refuses.
    else if (!problems.some((problem) => problem.includes("any value")))
      assert.throws(() => toStrictJsonSchema(schemas[0] as never), /additionalProperties: false/);
  };
  await withBundledTools((tools) => tools.forEach(check));
  fc.assert(
    fc.property(anyArguments, ({ parameters }) => check(toolWith(parameters))),
    { numRuns: 50 },
  );
});

test("Anthropic's own converter finds nothing to change in strict schemas, of bundled and of any tools", async () => {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_key, one: unknown) =>
      isJsonObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
    );
  const check = (tool: Tool): void => {
    const { schemas, problems } = anthropicStrictSchemas([tool]);
    if (problems.some((problem) => problem.includes("any value"))) return;
    const converted = sorted(transformJSONSchema(schemas[0] as never));
    if (problems.length === 0) assert.is(converted, sorted(schemas[0]));
    // It closes open objects without notice.
    else assert.is.not(converted, sorted(schemas[0]));
  };
  await withBundledTools((tools) => tools.forEach(check));
  fc.assert(
    fc.property(anyArguments, ({ parameters }) => check(toolWith(parameters))),
    { numRuns: 50 },
  );
});

/** Returns the schema of the arguments in a declaration, wherever the API has it. */
function schemaIn(declaration: Json | undefined): JsonObject {
  if (!isJsonObject(declaration)) throw new Error("no declaration");
  const called = isJsonObject(declaration["function"])
    ? declaration["function"]
    : Array.isArray(declaration["functionDeclarations"])
      ? (declaration["functionDeclarations"][0] as JsonObject)
      : declaration;
  return (called["parameters"] ??
    called["input_schema"] ??
    called["parametersJsonSchema"] ?? { type: "object" }) as JsonObject;
}

test("every schema takes the arguments that the tool takes, and is valid", async () => {
  const dialects = await Promise.all(apiDialectNames.map((name) => loadDialect[name]()));
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: true,
    logger: false,
    ownProperties: true,
    addUsedSchema: false,
  });
  fc.assert(
    fc.property(anyArguments, ({ parameters, arguments: args }) => {
      // No JSON Schema names a property `__proto__`, which the gate takes as an argument: ajv has it as a key of its
      // own.
      fc.pre(!JSON.stringify([parameters, args]).includes("__proto__"));
      for (const dialect of dialects) {
        const isValid = ajv.validate(schemaIn((dialect.declarations([toolWith(parameters)]) as Json[])[0]), args);
        assert.ok(isValid, `${dialect.name}: ${ajv.errorsText()}`);
      }
      const { schemas, problems } = openaiStrictSchemas([toolWith(parameters)]);
      if (problems.length === 0)
        assert.ok(ajv.validate(schemas[0] ?? {}, withNulls(args, parameters)), ajv.errorsText());
    }),
    { numRuns: 40 },
  );
});

function withNulls(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  return Object.fromEntries(
    parameters.map(({ name, schema }) => [name, nulled(Object.hasOwn(args, name) ? args[name] : null, schema)]),
  );
}

function nulled(value: Json | undefined, schema: Parameter["schema"]): Json {
  if (schema.type === "array" && Array.isArray(value)) return value.map((item: Json) => nulled(item, schema.items));
  return schema.type === "object" && isJsonObject(value) ? withNulls(value, schema.properties) : (value ?? null);
}

const CONSTRAINED: readonly Parameter[] = [
  {
    name: "mode",
    description: "How",
    required: true,
    schema: { type: "string", choices: ["fast", "slow"] },
    default: "fast",
    example: "slow",
  },
  {
    name: "name",
    description: "",
    required: false,
    schema: {
      type: "string",
      pattern: { source: "a|b", flags: "" },
      reject: { source: "^-", flags: "" },
      minimumLength: 1,
      maximumLength: 9,
    },
  },
  { name: "page", description: "Where", required: false, schema: { type: "string", format: "url" } },
  { name: "depth", description: "", required: false, schema: { type: "integer", minimum: 0, maximum: 5 }, default: 2 },
  {
    name: "words",
    description: "",
    required: true,
    schema: { type: "array", items: { type: "number" }, minimumItems: 2, maximumItems: 3, unique: true },
  },
  {
    name: "edit",
    description: "",
    required: false,
    schema: {
      type: "object",
      typeName: "Edit",
      properties: [{ name: "key", description: "", required: false, schema: { type: "string" }, secret: true }],
      open: false,
    },
  },
];

test("what an API has no keyword for stands in the description, so that no limit is lost", async () => {
  const told: Record<string, Json> = {};
  for (const name of apiDialectNames)
    told[name] = schemaIn(((await loadDialect[name]()).declarations([toolWith(CONSTRAINED)]) as Json[])[0]);
  told["openai, strict"] = openaiStrictSchemas([toolWith(CONSTRAINED)]).schemas[0] ?? {};
  told["anthropic, strict"] = anthropicStrictSchemas([toolWith(CONSTRAINED)]).schemas[0] ?? {};
  assertGoldenRecords("dialects/golden/limits.jsonl", Object.entries(told));
});

test("a pattern that OpenAI's grammars do not know is told in the description", () => {
  const inSchema = (source: string): boolean => {
    const schema = { type: "string", pattern: { source, flags: "" } } as const;
    const [strict] = openaiStrictSchemas([toolWith([{ name: "p", description: "", required: true, schema }])]).schemas;
    return JSON.stringify(strict).includes('"pattern"');
  };
  assert.equal(
    ["a+", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(a)\\1"].map((source) => [source, inSchema(source)]),
    [
      ["a+", true],
      ["a(?=b)", false],
      ["a(?!b)", false],
      ["(?<=a)b", false],
      ["(?<!a)b", false],
      ["(a)\\1", false],
    ],
  );
});

test("a schema that cannot be strict is told with its tool and place", () => {
  const open: Parameter = {
    name: "env",
    description: "",
    required: true,
    schema: { type: "array", items: { type: "object", properties: [], open: true } },
  };
  const problem =
    "`run`: `env[]` accepts any properties, which a strict schema cannot express; declare them with a type, or export without `--strict`";
  assert.equal(openaiStrictSchemas([toolWith([open], "run")]).problems, [problem]);
  assert.equal(anthropicStrictSchemas([toolWith([open], "run")]).problems, [problem]);
  const nested = (levels: number): Parameter => ({
    name: "a",
    description: "",
    required: true,
    schema: levels === 0 ? { type: "string" } : { type: "object", properties: [nested(levels - 1)], open: false },
  });
  assert.equal(openaiStrictSchemas([toolWith([nested(10)], "deep")]).problems, [
    "`deep`: `a.a.a.a.a.a.a.a.a.a.a` is deeper than the 10 levels that a strict schema may have",
  ]);
  const many = Array.from(
    { length: 25 },
    (_, index): Parameter => ({ name: `p${index}`, description: "", required: false, schema: { type: "boolean" } }),
  );
  assert.equal(anthropicStrictSchemas([toolWith(many, "wide")]).problems, [
    "a request may have at most 24 optional parameters in strict tools, and these have 25 (`wide` 25); name fewer tools",
  ]);
  assert.equal(anthropicStrictSchemas(Array.from({ length: 21 }, () => toolWith([]))).problems, [
    "a request may have at most 20 strict tools, and there are 21; name the ones you need",
  ]);
  const choices: Parameter = {
    name: "c",
    description: "",
    required: true,
    schema: { type: "string", choices: Array.from({ length: 1_001 }, (_, index) => "x".repeat(120) + index) },
  };
  assert.equal(openaiStrictSchemas([toolWith([choices], "c")]).problems, [
    "`c`: a strict schema may have at most 1000 choices, and this has 1001",
    "`c`: a strict schema may have at most 120000 characters of names and choices, and this has 123015",
  ]);
  const names = Array.from(
    { length: 5_001 },
    (_, index): Parameter => ({ name: `p${index}`, description: "", required: true, schema: { type: "boolean" } }),
  );
  assert.equal(openaiStrictSchemas([toolWith(names, "n")]).problems, [
    "`n`: a strict schema may have at most 5000 properties, and this has 5001",
  ]);
});

test("describedFunction puts into the schema what OpenAI's description has no room for", () => {
  const tool = toolWith([]);
  const description = `${"word ".repeat(200)}end.\n\n${"more ".repeat(100)}last`;
  const told = describedFunction({ ...tool, definition: { ...tool.definition, description } }, { type: "object" });
  assert.equal(
    [told.description, told.parameters],
    [`${"word ".repeat(200)}end.`, { type: "object", description: `${"more ".repeat(100)}last` }],
  );
});

test("apiName is a name that every API takes, of one tool alone, whatever tools there are beside it", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.oneof(
          anyToolName,
          fc.stringMatching(/^[a_]{1,4}(\/[a_]{1,4})?$/),
          fc.stringMatching(/^[a-z]{60,64}(\/[a-z]{1,64})?$/),
        ),
        { maxLength: 20 },
      ),
      (names) => {
        for (const name of names) {
          assert.match(apiName(name), /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
          assert.is(toolOfApiName(apiName(name), names), name);
        }
      },
    ),
    { numRuns: 100 },
  );
  assert.equal(["glob", "ana/count", "my__tool", "a_/b", "__init__", "_"].map(apiName), [
    "glob",
    "ana__count",
    `my__tool_${apiName("my__tool").slice(-8)}`,
    `a___b_${apiName("a_/b").slice(-8)}`,
    "__init__",
    "_",
  ]);
  assert.equal(
    ["mcp:it/get_words", "mcp:it/get.words", "mcp:i__t/words", "mcp:it/words_", "mcp__it__words", "mcp/it__words"].map(
      apiName,
    ),
    [
      "mcp__it__get_words",
      `mcp__it__get_words_${apiName("mcp:it/get.words").slice(-8)}`,
      `mcp__i__t__words_${apiName("mcp:i__t/words").slice(-8)}`,
      `mcp__it__words__${apiName("mcp:it/words_").slice(-8)}`,
      `mcp__it__words_${apiName("mcp__it__words").slice(-8)}`,
      `mcp__it__words_${apiName("mcp/it__words").slice(-8)}`,
    ],
  );
  assert.is(apiName(`${"a".repeat(64)}/${"b".repeat(64)}`).length, API_NAME_CHARACTERS_MAX);
});

test.run();
