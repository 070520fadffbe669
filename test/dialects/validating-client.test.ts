// A client that validates calls by itself, with the schema that MCP lists, agrees with the gate.
import { Ajv2020 } from "ajv/dist/2020.js";
import { assemble } from "../../src/core/session/assemble.ts";
import { toMcpTool } from "../../src/features/dialects/mcp.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { wrongCalls } from "../run/wrong-calls.ts";
import { assert, suite } from "../harness.ts";

const test = suite("dialects/validating-client");

// Addresses are checked by the gate, and JSON Schema takes `uri` for a hint.
const ajv = new Ajv2020({ strict: true, validateFormats: false, strictRequired: true });

function gateAccepts({ parameters, definition }: Tool, args: unknown): boolean {
  const { issues } = validateArguments(parameters, args, {
    owner: definition.name.value,
    environment: () => undefined,
  });
  return issues.length === 0;
}

async function allTools(): Promise<readonly Tool[]> {
  const { session } = await assemble({ cwd: import.meta.dirname, audience: "model" });
  await session.registry.complete();
  return session.registry.names().flatMap((name) => session.registry.find(name) ?? []);
}

test("the schema of each tool accepts and refuses what the gate does", async () => {
  const tools = await allTools();
  assert.ok(tools.length >= 45);
  for (const tool of tools) {
    const accepts = ajv.compile(toMcpTool(tool)["inputSchema"] as object);
    const name = tool.definition.name.value;
    const known = wrongCalls
      .flatMap(({ sent, meant }) => [sent, ...(meant ? [meant] : [])])
      .flatMap((call) => (call.tool === name ? [call.arguments] : []));
    const examples = tool.definition.examples.flatMap((example) => [
      example,
      { ...example, surprise: 1 },
      ...Object.keys(example).map((left) =>
        Object.fromEntries(Object.entries(example).filter(([one]) => one !== left)),
      ),
      ...Object.keys(example).map((other) => ({ ...example, [other]: { odd: [] } })),
    ]);
    for (const args of [{}, ...known, ...examples])
      assert.equal([name, args, accepts(args)], [name, args, gateAccepts(tool, args)]);
  }
});

test("no schema has a choice at its top, which the APIs of models refuse", async () => {
  for (const tool of await allTools()) {
    const { inputSchema } = toMcpTool(tool);
    assert.equal(
      Object.keys(inputSchema as object).filter((key) => ["oneOf", "anyOf", "allOf", "not", "if"].includes(key)),
      [],
    );
  }
});

test.run();
