// Streams as the APIs send them, read by us and by the official SDKs, with the same calls as result.
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import OpenAI from "openai";
import { apiName } from "../../src/core/tool/api-name.ts";
import type { ModelCall } from "../../src/features/dialects/model-call.ts";
import { readReply } from "../../src/features/dialects/read-reply.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { anyArguments, anyToolName } from "./arbitraries.ts";

const test = suite("dialects/streams");

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

const anyCalls: fc.Arbitrary<readonly Call[]> = fc
  .array(fc.tuple(anyToolName, anyArguments), { minLength: 1, maxLength: 3 })
  .map((calls) =>
    calls.map(([name, { arguments: args }], index) => ({ id: `call_${index}`, name: apiName(name), arguments: args })),
  );
/** The lengths of the pieces of arguments. */
const anySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

function piecesOf(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  const characters = [...text];
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(characters.slice(at, at + size).join(""));
    at += size;
  }
  return pieces;
}

function sse(events: readonly JsonObject[], isNamed: boolean): string {
  return events
    .map((event) => `${isNamed ? `event: ${String(event["type"])}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

function chatStream(calls: readonly Call[], sizes: readonly number[]): string {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const begun = calls.map(({ id, name }, index) =>
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
  );
  // The pieces of several calls alternate.
  const pieces = calls.map((call, index) =>
    piecesOf(JSON.stringify(call.arguments), sizes).map((piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  );
  const woven = Array.from({ length: Math.max(...pieces.map(({ length }) => length)) }, (_, turn) =>
    pieces.flatMap((of) => of.slice(turn, turn + 1)),
  ).flat();
  return `${sse([chunk({ role: "assistant", content: "Well" }), ...begun, ...woven, chunk({}, "tool_calls"), { id: "c", object: "chat.completion.chunk", created: 1, model: "gpt", choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }], false)}data: [DONE]\n\n`;
}

function anthropicStream(calls: readonly Call[], sizes: readonly number[]): string {
  const blocks = calls.flatMap(({ id, name, arguments: args }, at) => {
    const index = at + 1;
    const deltas = piecesOf(JSON.stringify(args), sizes).map(
      (piece): JsonObject => ({
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: piece },
      }),
    );
    return [
      { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
      ...deltas,
      { type: "content_block_stop", index },
    ];
  });
  return sse(
    [
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: '<tool>{"tool_name":"no"}</tool>' } },
      { type: "content_block_stop", index: 0 },
      ...blocks,
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ],
    true,
  );
}

function responsesStream(calls: readonly Call[], sizes: readonly number[]): string {
  const item = ({ id, name }: Call, more: JsonObject): JsonObject => ({
    id: `fc_${id}`,
    type: "function_call",
    call_id: id,
    name,
    ...more,
  });
  const done = calls.map((call) => item(call, { arguments: JSON.stringify(call.arguments), status: "completed" }));
  const response = (status: string, output: readonly JsonObject[]): JsonObject => ({
    id: "r",
    object: "response",
    created_at: 1,
    status,
    output,
    parallel_tool_calls: true,
    tools: [],
    model: "gpt",
  });
  const events: readonly JsonObject[] = [
    { type: "response.created", response: response("in_progress", []) },
    ...calls.flatMap((call, index): readonly JsonObject[] => [
      {
        type: "response.output_item.added",
        output_index: index,
        item: item(call, { arguments: "", status: "in_progress" }),
      },
      ...piecesOf(JSON.stringify(call.arguments), sizes).map(
        (delta): JsonObject => ({
          type: "response.function_call_arguments.delta",
          item_id: `fc_${call.id}`,
          output_index: index,
          delta,
        }),
      ),
      {
        type: "response.function_call_arguments.done",
        item_id: `fc_${call.id}`,
        output_index: index,
        arguments: JSON.stringify(call.arguments),
      },
      { type: "response.output_item.done", output_index: index, item: done[index] ?? {} },
    ]),
    { type: "response.completed", response: response("completed", done) },
  ];
  return sse(
    events.map((event, index) => ({ ...event, sequence_number: index })),
    true,
  );
}

function geminiStream(calls: readonly Call[]): string {
  const body = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
    modelVersion: "gemini",
  });
  return sse(
    [
      body([{ text: "Well" }]),
      ...calls.map(({ id, name, arguments: args }) => body([{ functionCall: { id, name, args } }])),
      body([{ text: "" }], { finishReason: "STOP" }),
    ],
    false,
  ).replaceAll("\n\n", "\r\n\r\n");
}

function ollamaStream(calls: readonly Call[]): string {
  const line = (message: JsonObject, isDone = false): string =>
    `${JSON.stringify({ model: "qwen3", created_at: "2026-01-01T00:00:00Z", message: { role: "assistant", content: "", ...message }, done: isDone, ...(isDone ? { done_reason: "stop" } : {}) })}\n`;
  return [
    line({ thinking: "Well" }),
    ...calls.map(({ id, name, arguments: args }) =>
      line({ tool_calls: [{ id, function: { name, arguments: args } }] }),
    ),
    line({}, true),
  ].join("");
}

const streams = {
  openai: chatStream,
  anthropic: anthropicStream,
  "openai-responses": responsesStream,
  gemini: geminiStream,
  ollama: ollamaStream,
};

async function callsIn(text: string): Promise<readonly ModelCall[]> {
  const read = await readReply(text, "auto");
  return "problem" in read ? [] : read.calls;
}

// Compared as JSON, because uvu's assertions take a key `constructor` for the constructor.
const shown = (calls: readonly Call[]): string =>
  JSON.stringify(calls.map(({ id, name, arguments: args }) => ({ kind: "sound", id, name, arguments: args })));

for (const [name, stream] of Object.entries(streams))
  test(`a stream of ${name} is read in that dialect, and its calls are what was sent`, async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anySizes, async (calls, sizes) => {
        const read = await readReply(stream(calls, sizes), "auto");
        assert.is("dialect" in read && read.dialect, name);
        assert.is("calls" in read && JSON.stringify(read.calls), shown(calls));
      }),
      { numRuns: 50 },
    );
  });

for (const [name, stream] of Object.entries(streams))
  test(`no call of a stream of ${name} that was cut runs in half`, async () => {
    const calls: readonly Call[] = [
      { id: "call_0", name: "a", arguments: {} },
      { id: "call_1", name: "b", arguments: { path: "x", n: [1, { deep: "}" }] } },
    ];
    const whole = stream(calls, [3]);
    const sent = new Set(calls.map((call) => shown([call])));
    const seen = new Set<string>();
    for (let end = 0; end < whole.length; end += 7) {
      for (const call of await callsIn(whole.slice(0, end))) {
        if (call.kind === "sound")
          assert.ok(sent.has(JSON.stringify([call])), `cut at ${end}: ${JSON.stringify(call)}`);
        seen.add(call.kind);
      }
    }
    // These APIs send calls as a whole.
    assert.equal([...seen].sort(), name === "gemini" || name === "ollama" ? ["sound"] : ["faulty", "sound"]);
  });

function answering(text: string): {
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxRetries: 0;
} {
  return {
    apiKey: "none",
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
  };
}

test("OpenAI's SDK puts the same calls together from a stream of Chat Completions", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalls, anySizes, async (calls, sizes) => {
      const text = chatStream(calls, sizes);
      const final = await new OpenAI(answering(text)).chat.completions
        .stream({ model: "gpt", messages: [] })
        .finalChatCompletion();
      const theirs = (final.choices[0]?.message.tool_calls ?? []).map((call) =>
        call.type === "function"
          ? {
              kind: "sound",
              id: call.id,
              name: call.function.name,
              arguments: JSON.parse(call.function.arguments) as unknown,
            }
          : {},
      );
      assert.is(JSON.stringify(await callsIn(text)), JSON.stringify(theirs));
      assert.is(JSON.stringify(await callsIn(JSON.stringify(final))), JSON.stringify(theirs));
    }),
    { numRuns: 30 },
  );
});

test("OpenAI's SDK puts the same calls together from a stream of Responses", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalls, anySizes, async (calls, sizes) => {
      const text = responsesStream(calls, sizes);
      const final = await new OpenAI(answering(text)).responses.stream({ model: "gpt", input: "" }).finalResponse();
      const theirs = final.output.map((item) =>
        item.type === "function_call"
          ? { kind: "sound", id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }
          : {},
      );
      assert.is(JSON.stringify(await callsIn(text)), JSON.stringify(theirs));
      assert.is(JSON.stringify(await callsIn(JSON.stringify(final))), JSON.stringify(theirs));
    }),
    { numRuns: 30 },
  );
});

test("Anthropic's SDK puts the same calls together from a stream of Messages", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalls, anySizes, async (calls, sizes) => {
      // The SDK's reader of partial JSON sets a key `__proto__` as the prototype.
      fc.pre(!JSON.stringify(calls).includes("__proto__"));
      const text = anthropicStream(calls, sizes);
      const final = await new Anthropic(answering(text)).messages
        .stream({ model: "claude", max_tokens: 1, messages: [] })
        .finalMessage();
      const theirs = final.content.flatMap((block) =>
        block.type === "tool_use" ? [{ kind: "sound", id: block.id, name: block.name, arguments: block.input }] : [],
      );
      assert.is(JSON.stringify(await callsIn(text)), JSON.stringify(theirs));
      assert.is(JSON.stringify(await callsIn(JSON.stringify(final))), JSON.stringify(theirs));
    }),
    { numRuns: 30 },
  );
});

test("a stream of many calls without numbers is read once, however many there are", async () => {
  const event = (delta: JsonObject, finish: string | null): JsonObject => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = Array.from({ length: 50_000 }, (_, index) =>
    event({ tool_calls: [{ id: `c${index}`, function: { name: "x", arguments: "{}" } }] }, null),
  );
  assert.is((await callsIn(sse([...calls, event({}, "tool_calls")], false))).length, 50_000);
});

test.run();
