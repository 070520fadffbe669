// The result of a tool, compared with what its definition promises.
import { asData, asPromised } from "../../src/core/run/check-result.ts";
import { failureExitCode } from "../../src/core/run/exit-code.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { consentOfPerson } from "../../src/core/run/judge.ts";
import type { Json } from "../../src/core/schema/json.ts";
import type { ParameterSchema } from "../../src/core/schema/parameter.ts";
import { baseTool } from "../../src/core/tool/base-tool.ts";
import type { Content, Outcome, ToolResult } from "../../src/core/tool/call.ts";
import type { Returns } from "../../src/core/tool/definition.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("check-result");

const size: ParameterSchema = {
  type: "object",
  open: false,
  properties: [{ name: "bytes", description: "", required: true, schema: { type: "integer" } }],
};

function returns(schema: ParameterSchema): Returns {
  return { schema, description: "It" };
}

function promised(schema: ParameterSchema, ...content: readonly Content[]): Outcome {
  return asPromised({ status: "ok", content }, returns(schema), { tool: "count", isFromFile: true });
}

function wordsOf(outcome: Outcome): string {
  return outcome.status === "ok" ? "ok" : failureText(outcome.failure, { audience: "model", tool: "count" });
}

function text(written: string): Content {
  return { type: "text", text: written };
}

test("asPromised makes a value of a text that says one, and leaves what follows it", () => {
  assert.equal(promised({ type: "integer" }, text(" 5\n"), text("a warning\n")), {
    status: "ok",
    content: [{ type: "json", value: 5 }, text("a warning\n")],
  });
  assert.equal(promised(size, text('{"bytes": 7}')), {
    status: "ok",
    content: [{ type: "json", value: { bytes: 7 } }],
  });
});

test("asPromised leaves text as it is where a string is promised", () => {
  assert.equal(promised({ type: "string" }, text("5\n")), { status: "ok", content: [text("5\n")] });
  assert.equal(promised({ type: "string", choices: ["on", "off"] }, text("on\n")), {
    status: "ok",
    content: [text("on\n")],
  });
});

test("asPromised refuses what does not fit, and names what was promised and what came", () => {
  const outcome = promised(size, text('{"bytes": "7"}'));
  assert.is(
    wordsOf(outcome),
    'failed[wrong-result]: the result of `count` does not match its declared type\n  result.bytes  expected integer, got the string "7"\n  = the call is fine; fix `@returns` in the definition, or what it runs',
  );
  assert.equal(outcome.content, [text('{"bytes": "7"}')]);
  assert.is(outcome.status === "failed" && failureExitCode(outcome.failure), 1);
  assert.is(
    wordsOf(promised({ type: "integer" }, text("five\n"))).split("\n")[1],
    '  result  expected integer, got text that is not JSON, "five\\n"',
  );
  assert.is(
    wordsOf(promised({ type: "integer" }, text("\n"))).split("\n")[1],
    "  result  expected integer, got no text",
  );
  assert.is(
    wordsOf(promised({ type: "string" }, { type: "file", mediaType: "application/octet-stream", sizeBytes: 3 })).split(
      "\n",
    )[1],
    "  result  expected string, got bytes that are not text",
  );
  assert.is(
    wordsOf(promised({ type: "string", choices: ["on", "off"] }, text("maybe\n"))).split("\n")[1],
    '  result  expected "on"|"off", got the string "maybe"',
  );
});

test("asPromised does not judge what failed anyway", () => {
  const failed: Outcome = { status: "failed", content: [], failure: { kind: "cancelled" } };
  assert.is(asPromised(failed, returns(size), { tool: "count", isFromFile: true }), failed);
});

test("asData keeps what JSON says of a value", () => {
  const value = { at: new Date(0), none: undefined, list: [1] } as unknown as Json;
  assert.equal(asData({ status: "ok", content: [{ type: "json", value }] }).content, [
    { type: "json", value: { at: "1970-01-01T00:00:00.000Z", list: [1] } },
  ]);
});

async function callWith(value: unknown): Promise<ToolResult> {
  const tool = baseTool({
    name: "odd",
    title: "Odd",
    description: "Odd.",
    effects: [],
    parameters: {},
    execute: async () => ({ status: "ok", content: [{ type: "json", value: value as Json }] }),
  });
  return callTool(
    { id: "1", tool: "odd", arguments: {} },
    {
      registry: createRegistry({ names: () => ["odd"], build: () => tool }),
      policy: [consentOfPerson],
      approver: { ask: async () => "denied" },
      host: memoryHost(),
      cwd: "/",
      audience: "model",
      setting: async () => undefined,
      memory: new Map(),
    },
    new AbortController().signal,
  );
}

test("A result that JSON cannot say is a crash of its tool", async () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const value of [10n, { deep: [10n] }, () => 1, { call: () => 1 }, Symbol("a"), undefined, circle]) {
    const result = await callWith(value);
    assert.is(result.status === "failed" && result.failure.kind, "crashed");
  }
});

test.run();
