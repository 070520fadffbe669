import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { assert, suite } from "../harness.ts";
import { runScript } from "./agent-fixture.ts";
import { call, done } from "./scripted-turn.ts";

const test = suite("agent/loop");

const read = baseTool({
  name: "read",
  title: "Read",
  description: "Reads.",
  effects: ["read"],
  parameters: { name: string("What", { required: true }) },
  execute: async ({ name }) =>
    name === "none"
      ? { status: "failed", content: [], failure: { kind: "file", path: "none", action: "read", code: "ENOENT" } }
      : okText(`${name} is here`),
});
const tools = [read];
const user = { kind: "user", text: "Do the task." };

for (const kind of ["openai", "anthropic"] as const) {
  test(`runLoop calls tools over several turns until task_completion, with ${kind}`, async () => {
    const { end, entries, spending, said, server, messages } = await runScript(
      [
        { text: ["I will ", "look."], calls: [call("read", { name: "a" }), call("read", { name: "b" })] },
        { calls: [call("read", { name: "none" })] },
        done("Both are here."),
      ],
      { kind, tools },
    );
    assert.equal(end, { how: "completed", text: "Both are here.\n" });
    assert.equal(server.refused, []);
    const model = "api/big-1";
    const cached = kind === "openai" ? { cacheRead: 0, cacheWrite: 0 } : { cacheRead: 40, cacheWrite: 20 };
    const tokens = { input: 100, output: 10, ...cached };
    assert.equal(entries, [
      user,
      {
        kind: "reply",
        model,
        stop: "done",
        tokens,
        parts: [
          { type: "text", text: "I will look." },
          { type: "call", id: "call_1_1", name: "read", arguments: '{"name":"a"}' },
          { type: "call", id: "call_1_2", name: "read", arguments: '{"name":"b"}' },
        ],
      },
      { kind: "result", id: "call_1_1", name: "read", text: "a is here\n" },
      { kind: "result", id: "call_1_2", name: "read", text: "b is here\n" },
      {
        kind: "reply",
        model,
        stop: "done",
        tokens,
        parts: [{ type: "call", id: "call_2_1", name: "read", arguments: '{"name":"none"}' }],
      },
      {
        kind: "result",
        id: "call_2_1",
        name: "read",
        isFailed: true,
        text: "failed[file]: cannot read `none`: no such file or directory\n",
      },
      {
        kind: "reply",
        model,
        stop: "done",
        tokens,
        parts: [{ type: "call", id: "call_3_1", name: "task_completion", arguments: '{"result":"Both are here."}' }],
      },
      { kind: "result", id: "call_3_1", name: "task_completion", text: "Both are here.\n" },
      { kind: "end", how: "completed" },
    ]);
    assert.equal(
      [spending.turns, spending.tokens, said],
      [
        3,
        { input: 300, output: 30, cacheRead: 3 * cached.cacheRead, cacheWrite: 3 * cached.cacheWrite },
        "I will look.",
      ],
    );
    if (kind === "anthropic")
      assert.equal(server.bodies[0]?.["system"], [
        { type: "text", text: "Do it.", cache_control: { type: "ephemeral" } },
      ]);
    assert.equal(messages[2], kind === "openai" ? openAiMessages : anthropicMessages);
  });
}

const openAiMessages = [
  { role: "user", content: "Do the task." },
  {
    role: "assistant",
    content: "I will look.",
    tool_calls: [
      ["call_1_1", '{"name":"a"}'],
      ["call_1_2", '{"name":"b"}'],
    ].map(([id, args]) => ({ id, type: "function", function: { name: "read", arguments: args } })),
  },
  { role: "tool", tool_call_id: "call_1_1", content: "a is here\n" },
  { role: "tool", tool_call_id: "call_1_2", content: "b is here\n" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_2_1", type: "function", function: { name: "read", arguments: '{"name":"none"}' } }],
  },
  {
    role: "tool",
    tool_call_id: "call_2_1",
    content: "failed[file]: cannot read `none`: no such file or directory\n",
  },
];

const anthropicMessages = [
  { role: "user", content: [{ type: "text", text: "Do the task." }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I will look." },
      { type: "tool_use", id: "call_1_1", name: "read", input: { name: "a" } },
      { type: "tool_use", id: "call_1_2", name: "read", input: { name: "b" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "call_1_1", content: "a is here\n" },
      { type: "tool_result", tool_use_id: "call_1_2", content: "b is here\n" },
    ],
  },
  { role: "assistant", content: [{ type: "tool_use", id: "call_2_1", name: "read", input: { name: "none" } }] },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "call_2_1",
        content: "failed[file]: cannot read `none`: no such file or directory\n",
        is_error: true,
        cache_control: { type: "ephemeral" },
      },
    ],
  },
];

test.run();
