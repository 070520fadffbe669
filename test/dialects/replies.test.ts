// Replies that did not stream: every shape in which they are passed on, and faulty ones.
import fc from "fast-check";
import { apiName } from "../../src/core/tool/api-name.ts";
import { apiDialectNames, type DialectName } from "../../src/features/dialects/dialect.ts";
import { loadDialect } from "../../src/features/dialects/dialects.ts";
import type { ModelAnswer, ModelCall, SoundCall } from "../../src/features/dialects/model-call.ts";
import { readReply } from "../../src/features/dialects/read-reply.ts";
import type { Json } from "../../src/core/schema/json.ts";
import type { Content } from "../../src/core/tool/call.ts";
import { assertGoldenRecords } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { anyArguments, anyToolName } from "./arbitraries.ts";

const test = suite("dialects/replies");

async function read(reply: Json | string, wanted: DialectName | "auto" = "auto"): Promise<unknown> {
  const found = await readReply(typeof reply === "string" ? reply : JSON.stringify(reply), wanted);
  return "problem" in found ? found.problem : [found.dialect, ...found.calls];
}

const glob: SoundCall = { kind: "sound", name: "glob", arguments: { path: "." } };
const ARGUMENTS = '{"path":"."}';

const chatCall = { id: "call_1", type: "function", function: { name: "glob", arguments: ARGUMENTS } };
const ollamaCall = { function: { name: "glob", arguments: { path: "." } } };
const responseCall = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "glob",
  arguments: ARGUMENTS,
  status: "completed",
};
const toolUse = { type: "tool_use", id: "toolu_1", name: "glob", input: { path: "." } };
const geminiPart = { functionCall: { name: "glob", args: { path: "." } } };
const mistralCall = { id: "D681PevKs", function: { name: "glob", arguments: ARGUMENTS } };

const shapes: readonly (readonly [DialectName, string | undefined, Json])[] = [
  [
    "openai",
    "call_1",
    {
      id: "c",
      object: "chat.completion",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: { role: "assistant", content: null, tool_calls: [chatCall] },
        },
      ],
    },
  ],
  ["openai", "call_1", { role: "assistant", content: "Well", tool_calls: [chatCall] }],
  ["openai", "call_1", [chatCall]],
  ["openai", "call_1", chatCall],
  ["openai", "call_1", { tool_calls: [chatCall] }],
  ["openai", undefined, { name: "glob", parameters: JSON.parse(ARGUMENTS) }],
  ["openai", undefined, [{ name: "glob", arguments: JSON.parse(ARGUMENTS) }]],
  ["openai", undefined, { tool_calls: [{ name: "glob", arguments: JSON.parse(ARGUMENTS) }] }],
  [
    "openai-responses",
    "call_1",
    {
      object: "response",
      status: "completed",
      output: [{ type: "reasoning", summary: [] }, responseCall, { type: "message", content: [] }],
    },
  ],
  ["openai-responses", "call_1", [{ type: "reasoning", summary: [] }, responseCall]],
  ["openai-responses", "call_1", responseCall],
  [
    "anthropic",
    "toolu_1",
    {
      type: "message",
      role: "assistant",
      stop_reason: "tool_use",
      content: [{ type: "thinking", thinking: "", signature: "" }, { type: "text", text: "Well" }, toolUse],
    },
  ],
  ["anthropic", "toolu_1", { role: "assistant", content: [toolUse] }],
  ["anthropic", "toolu_1", [{ type: "text", text: "Well" }, toolUse]],
  ["anthropic", "toolu_1", toolUse],
  [
    "gemini",
    undefined,
    {
      candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "Well" }, geminiPart] } }],
      usageMetadata: {},
    },
  ],
  [
    "gemini",
    undefined,
    [
      { candidates: [{ content: { role: "model", parts: [geminiPart] } }] },
      { candidates: [{ finishReason: "STOP", content: { parts: [] } }] },
    ],
  ],
  ["gemini", undefined, { role: "model", parts: [geminiPart] }],
  ["gemini", undefined, [{ function_call: geminiPart.functionCall }]],
  ["gemini", undefined, geminiPart],
  [
    "ollama",
    undefined,
    {
      model: "qwen3",
      created_at: "2026-01-01T00:00:00Z",
      message: { role: "assistant", content: "", tool_calls: [ollamaCall] },
      done: true,
      done_reason: "stop",
    },
  ],
  ["ollama", undefined, { role: "assistant", content: "", tool_calls: [ollamaCall] }],
  ["ollama", undefined, [ollamaCall]],
  [
    "mistral",
    "D681PevKs",
    {
      object: "chat.completion",
      model: "mistral-large-latest",
      choices: [
        { finish_reason: "tool_calls", message: { role: "assistant", content: "", tool_calls: [mistralCall] } },
      ],
    },
  ],
  ["mistral", "D681PevKs", { role: "assistant", content: "", tool_calls: [mistralCall] }],
];

test("a reply is known by its shape: a body, a message, an array of calls, a call", async () => {
  for (const [dialect, id, reply] of shapes) {
    const expected = [dialect, id === undefined ? glob : { ...glob, id }].map((one) =>
      JSON.stringify(one, ["kind", "id", "name", "arguments", "path"]),
    );
    const found = (await read(reply)) as readonly Json[];
    assert.equal(
      [JSON.stringify(reply), found[0], JSON.stringify(found[1], ["kind", "id", "name", "arguments", "path"])],
      [JSON.stringify(reply), dialect, expected[1]],
    );
    assert.equal(await read(reply, dialect), found);
    assert.equal(await read(JSON.stringify(reply, null, 2).replaceAll("\n", "\r\n")), found);
  }
});

test("a reply without calls has none, in every dialect", async () => {
  const bodies: readonly (readonly [DialectName, Json | string])[] = [
    ["openai", { choices: [{ finish_reason: "stop", message: { role: "assistant", content: "Done." } }] }],
    ["openai", { role: "assistant", content: "Done." }],
    ["openai-responses", { object: "response", status: "completed", output: [{ type: "message", content: [] }] }],
    [
      "anthropic",
      { type: "message", role: "assistant", content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" },
    ],
    ["gemini", { candidates: [{ finishReason: "STOP", content: { parts: [{ text: "Done." }] } }] }],
    ["ollama", { model: "m", created_at: "", message: { role: "assistant", content: "Done." }, done: true }],
    ["text", "Done."],
    ["text", "data is nice"],
    ["text", "[Note] {x} is `[1`"],
    ["text", "{name}"],
  ];
  for (const [dialect, body] of bodies) assert.equal([body, await read(body)], [body, [dialect]]);
});

test("a call that stands in the text of an API's message is pointed out, and not run", async () => {
  const found = await readReply(
    JSON.stringify({ role: "assistant", content: 'So:\n<tool>{"tool_name":"a"}</tool>' }),
    "auto",
  );
  assert.equal(found, {
    dialect: "openai",
    calls: [],
    note: "the reply has `<tool>` in it, but no call of its API; if the model writes calls in its text, pass only that text",
  });
});

test("what is no reply is told with what was seen", async () => {
  const problems: readonly (readonly [Json | string, string])[] = [
    ["", "the reply is empty"],
    [" \n", "the reply is empty"],
    ["{}", "the reply is JSON, but not of a known API: an empty object"],
    ["[]", "the reply is JSON, but not of a known API: an empty array"],
    [[1, 2], "the reply is JSON, but not of a known API: an array of 2, the first the value 1"],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
      "the reply is JSON, but not of a known API: an object with `a`, `b`, `c`, `d`, `e` …",
    ],
    ['{"choices":[', "the reply is not JSON: the JSON ends here, before it is complete (line 1, column 13)"],
    ['{"role":"assistant","tool_calls":[]} extra', "unexpected text after the JSON of the reply: `extra`"],
    [
      '{"role":"assistant","tool_calls":[],"tool_calls":[]}',
      'the JSON of the reply cannot be used: the key "tool_calls" is repeated in one object; keep one (line 1, column 37)',
    ],
    [
      "data: {\n\ndata: {}\n\n",
      "event 1 of the stream is not JSON: the JSON ends here, before the closing `}` (line 1, column 2)",
    ],
    ["data: [DONE]\n\n", "the stream has no events"],
    [
      { choices: [chatCall, chatCall].map((call) => ({ message: { role: "assistant", tool_calls: [call] } })) },
      "there are 2 choices; send only the message to answer",
    ],
    [
      [
        { role: "user", content: "hi" },
        { role: "assistant", tool_calls: [chatCall] },
      ],
      "the reply is JSON, but not of a known API: an array of 2, the first an object with `role`, `content`",
    ],
  ];
  for (const [reply, problem] of problems) assert.equal([reply, await read(reply)], [reply, problem]);
  assert.is(
    await read([chatCall], "anthropic"),
    "this is not a reply of `anthropic`: an array of 1, the first an object with `id`, `type`, `function`",
  );
  assert.is(
    await read("Hello", "openai"),
    "a reply of `openai` is JSON or a stream of events, but this begins `Hello`",
  );
});

const problemIn = async (reply: Json | string): Promise<Json> => {
  const found = (await read(reply)) as readonly ModelCall[];
  return found.slice(1).map((call) => (call.kind === "faulty" ? call.problem : call.kind));
};

test("a call that was cut off is a fault: the last one of a reply that says so", async () => {
  const cut =
    "the reply was cut off within this call, so nothing of it was run; send the whole call again, in pieces if it is long";
  assert.equal(
    await problemIn({
      choices: [{ finish_reason: "length", message: { role: "assistant", tool_calls: [chatCall, chatCall] } }],
    }),
    ["sound", cut],
  );
  assert.equal(
    await problemIn({
      choices: [
        {
          finish_reason: "length",
          message: {
            role: "assistant",
            tool_calls: [{ ...chatCall, function: { name: "glob", arguments: "" } }, chatCall],
          },
        },
      ],
    }),
    [cut, cut],
  );
  assert.equal(await problemIn({ object: "response", status: "incomplete", output: [responseCall, responseCall] }), [
    "sound",
    cut,
  ]);
  assert.equal(
    await problemIn({
      object: "response",
      status: "completed",
      output: [{ ...responseCall, status: "incomplete" }, responseCall],
    }),
    [cut, "sound"],
  );
  assert.equal(
    await problemIn({ type: "message", role: "assistant", stop_reason: "max_tokens", content: [toolUse, toolUse] }),
    ["sound", cut],
  );
  assert.equal(
    await problemIn({
      type: "message",
      role: "assistant",
      stop_reason: "max_tokens",
      content: [toolUse, { type: "text", text: "and" }],
    }),
    ["sound"],
  );
  assert.equal(await problemIn({ candidates: [{ finishReason: "MAX_TOKENS", content: { parts: [geminiPart] } }] }), [
    cut,
  ]);
  assert.equal(
    await problemIn({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "call:glob{" }] }),
    ["the API could not read the call: call:glob{"],
  );
  assert.equal(
    await problemIn({
      model: "m",
      created_at: "",
      message: { role: "assistant", tool_calls: [ollamaCall] },
      done: true,
      done_reason: "length",
    }),
    [cut],
  );
});

test("arguments are strict JSON, as an object or in a string, and nothing at all is none", async () => {
  const withArguments = (args: Json): Json => [{ ...chatCall, function: { name: "glob", arguments: args } }];
  for (const args of [{}, "{}", "", " ", null])
    assert.equal([args, await problemIn(withArguments(args))], [args, ["sound"]]);
  assert.equal(await problemIn(withArguments('{"a":1} // done')), [
    "the arguments are not usable JSON: unexpected text after the JSON: `// done` (line 1, column 9)",
  ]);
  assert.equal(await problemIn(withArguments('{"a":1,"a":2}')), [
    'the arguments are not usable JSON: the key "a" is repeated in one object; keep one (line 1, column 8)',
  ]);
  assert.equal(await problemIn(withArguments("[1]")), ['the arguments must be an object, as in {"name": "value"}']);
  assert.equal(await problemIn(withArguments(7)), ['the arguments must be an object, as in {"name": "value"}']);
  assert.equal(
    await problemIn(
      '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"glob","input":{"a":{"b":1,"b":2}}},{"type":"tool_use","id":"u","name":"glob","input":{}}]}',
    ),
    ['the arguments are not usable JSON: the key "b" is repeated in one object; keep one (line 1, column 94)', "sound"],
  );
  assert.equal(await problemIn([{ id: "c", type: "custom", custom: { name: "glob", input: "x" } }]), [
    "this call has text as its input; the tools here take arguments as JSON",
  ]);
  assert.equal(await problemIn([{ type: "tool_use", id: "t", input: {} }]), ["the call does not name a tool"]);
  assert.equal(await problemIn([{ ...chatCall, function: { name: "x".repeat(130), arguments: "{}" } }]), [
    "the name of the tool has 130 characters, which is longer than any tool name",
  ]);
});

test("callMessage is read again as the calls that it holds, in every dialect", async () => {
  const ids: Readonly<Record<string, (index: number) => string | undefined>> = {
    mistral: (index) => `aZ09bY18${index}`,
    text: () => undefined,
  };
  for (const name of apiDialectNames) {
    const dialect = await loadDialect[name]();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyToolName, anyArguments), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (given, isPretty) => {
          const calls = given.map(
            ([tool, { arguments: args }], index): SoundCall => ({
              kind: "sound",
              id: ids[name]?.(index) ?? `call_${index}`,
              name: apiName(tool),
              arguments: args,
            }),
          );
          const text = JSON.stringify(dialect.callMessage(calls), null, isPretty ? 2 : 0);
          // Compared as JSON, because uvu's assertions take a key `constructor` for the constructor.
          assert.is(JSON.stringify(await read(text)), JSON.stringify([name, ...calls]));
        },
      ),
      { numRuns: 50 },
    );
  }
});

function answered(call: ModelCall, content: readonly Content[], isError = false): ModelAnswer {
  const result = { status: "ok", content, call: { id: "", tool: "", arguments: {} }, durationMs: 0 } as const;
  return {
    call,
    result,
    text: isError
      ? "failed[exit]: no\n"
      : content.map((piece) => (piece.type === "text" ? piece.text : `(${piece.type})\n`)).join(""),
    isError,
  };
}

test("results are what each API takes, with images where it takes them", async () => {
  const answers: readonly ModelAnswer[] = [
    answered({ ...glob, id: "call_a" }, [{ type: "text", text: "a.ts\n" }]),
    answered({ ...glob, id: "call_b" }, [], true),
    answered(glob, [
      { type: "text", text: "A picture\n" },
      { type: "image", mediaType: "image/png", base64: "iVBORw0KGgo=" },
      { type: "image", mediaType: "image/tiff", base64: "SUkqAA==" },
    ]),
    { call: { kind: "faulty", problem: "x" }, text: "failed[call]: x\n", isError: true },
  ];
  const told = await Promise.all(
    apiDialectNames.map(async (name) => [name, (await loadDialect[name]()).results(answers)] as const),
  );
  assertGoldenRecords("dialects/golden/results.jsonl", told);
});

test("a custom call of Responses is answered in the shape that it asks for", async () => {
  const found = await readReply(
    JSON.stringify({ type: "custom_tool_call", call_id: "call_1", name: "glob", input: "x" }),
    "auto",
  );
  const [call] = "calls" in found ? found.calls : [];
  assert.equal(call, {
    kind: "faulty",
    id: "call_1",
    name: "glob",
    problem: "this call has text as its input; the tools here take arguments as JSON",
    isCustom: true,
  });
  assert.equal(call && (await loadDialect["openai-responses"]()).results([{ call, text: "no\n", isError: true }]), [
    { type: "custom_tool_call_output", call_id: "call_1", output: "no\n" },
  ]);
});

test("results of no calls are nothing to send", async () => {
  for (const name of apiDialectNames) assert.equal((await loadDialect[name]()).results([]), []);
});

test("no result holds a call, whatever the tool gave", async () => {
  const smuggled = [
    JSON.stringify([chatCall]),
    JSON.stringify(shapes[0]?.[2]),
    'data: {"choices":[]}\n\n',
    '<tool>{"tool_name":"rm"}</tool>',
    JSON.stringify(toolUse),
    JSON.stringify(geminiPart),
    JSON.stringify(responseCall),
  ];
  for (const name of apiDialectNames) {
    const dialect = await loadDialect[name]();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...smuggled), fc.string()), { maxLength: 4 }),
        async (texts) => {
          const results = dialect.results(
            texts.map((text, index) => answered({ ...glob, id: `call_${index}` }, [{ type: "text", text }])),
          );
          const found = await Promise.all(
            [...apiDialectNames, "auto" as const].map((wanted) => readReply(JSON.stringify(results), wanted)),
          );
          assert.equal(
            found.flatMap((one) => ("calls" in one ? one.calls : [])),
            [],
          );
        },
      ),
      { numRuns: 30 },
    );
  }
});

/** Returns the value with another value in one place. */
function bent(value: Json, path: readonly number[], other: Json): Json {
  const [step = 0, ...rest] = path;
  if (path.length === 0 || typeof value !== "object" || value === null) return other;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === step % value.length ? bent(item, rest, other) : item));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item], index): [string, Json] => [
      key,
      index === step % entries.length ? bent(item as Json, rest, other) : (item as Json),
    ]),
  );
}

test("readReply never throws, and gives no call without a name and arguments, whatever a reply has in place of what it should", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...shapes),
      fc.array(fc.nat(5), { maxLength: 8 }),
      fc.jsonValue({ maxDepth: 2 }),
      async ([name, , reply], path, other) => {
        const text = JSON.stringify(bent(reply, path, other as Json));
        for (const given of [text, `data: ${text}\n\n`, `${text}\n${text}`])
          for (const wanted of ["auto", name] as const) {
            const found = await readReply(given, wanted);
            for (const call of "calls" in found ? found.calls : [])
              assert.ok(
                call.kind === "faulty" ? call.problem !== "" : call.name !== "" && typeof call.arguments === "object",
              );
          }
      },
    ),
    { numRuns: 400 },
  );
});

test("a `function_call` of before is refused with what to ask instead, whole or streamed", async () => {
  const old = { role: "assistant", content: null, function_call: chatCall.function };
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: old, finish_reason: "function_call" }] })}\n\n`;
  const refused = "`function_call` is an older form of calls; ask the model with `tools` in place of `functions`";
  const found = [await read(old), await read({ choices: [{ index: 0, message: old }] }), await read(event)];
  assert.equal(found, [refused, refused, refused]);
});

test("a call in the form of another model is read in a text, or refused by the name of its form", async () => {
  const read = async (text: string): Promise<unknown> => {
    const found = await readReply(text, "auto");
    if ("problem" in found) return found.problem;
    assert.equal(
      [text, found.isUnread === true],
      [text, found.calls.length > 0 && found.calls.every(({ kind }) => kind === "faulty")],
    );
    return found.calls.map((call) => (call.kind === "faulty" ? call.problem : call.name));
  };
  const form = (name = "NAME"): string =>
    `so nothing of it was run; a call is <tool>{"server_name":"local","tool_name":"${name}","arguments":{…}}</tool>`;
  const unread = (found: string, name?: string): string => `\`${found}\` is not how a call begins here, ${form(name)}`;
  const none = `there is no call after \`<tool>\`, ${form()}`;
  const call = '<tool>{"tool_name":"glob","arguments":{}}</tool>';
  const rows: readonly (readonly [text: string, calls: unknown])[] = [
    ['I look.\n<tool_call>\n{"name": "glob", "arguments": {}}\n</tool_call>', ["glob"]],
    ['[TOOL_CALLS] [{"name": "glob", "arguments": {}}]', ["glob"]],
    ['<invoke name="glob"></invoke>', [unread('<invoke name="glob">', "glob")]],
    ['<|tool_call|>[{"name": "glob"}]', [unread("<|tool_call|>", "glob")]],
    ['<tool name="glob">{"path":"."}</tool>', [unread('<tool name="glob">', "glob")]],
    ["I look: <tool>glob", [none]],
    ["I look: <tool", [none]],
    [
      'I call it:\n{"tool_name": "glob"}',
      [`the call is JSON without a form that says that it is a call, ${form("glob")}`],
    ],
    [`${call}\n<tool name="grep">{}</tool>`, ["glob", unread('<tool name="grep">', "grep")]],
    ["All done.", []],
    ["The tool_call was fine.", []],
    ["A `<tool_call>` is what Hermes writes.", []],
    ['> [TOOL_CALLS] [{"name": "glob"}]', []],
    ["```\n<function=glob>\n```", []],
    ["It says “<tool_call>”.", []],
    ["<p>Done.</p>", []],
    [call, ["glob"]],
    [call.replace("<tool>", "<tool >"), ["glob"]],
    [`<tool_calls_were_here> ${call}`, ["glob"]],
  ];
  for (const [text, calls] of rows) assert.equal([text, await read(text)], [text, calls]);
});

test.run();
