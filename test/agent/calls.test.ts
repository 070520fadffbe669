// The calls in one reply: which run, when, and what the model learns of those that do not.
import type { Entry } from "../../src/features/agent/entry.ts";
import { askQuestion } from "../../src/core/base/ask-question.ts";
import { integer, string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type LoopOptions, type LoopRun, runScript } from "./agent-fixture.ts";
import { call, done, type ScriptedCall } from "./scripted-turn.ts";

const test = suite("agent/calls");

/** Returns what the model learns of each call, in that order. */
function told({ entries }: LoopRun): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === "result" ? [`${entry.id}${entry.isFailed ? " failed" : ""}: ${entry.text}`] : [],
  );
}

function run(calls: readonly ScriptedCall[], options: LoopOptions = {}): Promise<LoopRun> {
  return runScript([{ calls }, done("Done.")], options);
}

const say = baseTool({
  name: "say",
  title: "Say",
  description: "Says it.",
  effects: ["read"],
  parameters: { text: string("What", { required: true }), count: integer("How often", { default: 1 }) },
  execute: async ({ text }) => okText(text),
});

test("runCalls runs what only reads together, and all else alone and in order", async () => {
  const log: string[] = [];
  let meet: (() => void) | undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  const tool = (name: string, effects: Tool["effects"], work: () => Promise<void>): Tool =>
    baseTool({
      name,
      title: name,
      description: name,
      effects: [...effects],
      parameters: {},
      timeoutMs: 100_000,
      execute: async () => {
        log.push(`${name} begins`);
        await work();
        log.push(`${name} ends`);
        return okText(name);
      },
    });
  const first = tool("first", ["read"], () => met);
  const second = tool("second", ["read", "network"], async () => meet?.());
  const writer = tool("writer", ["write"], async () => undefined);
  const unknown = tool("unknown", [], async () => undefined);
  const ran = await run([call("writer"), call("first"), call("second"), call("unknown"), call("writer")], {
    tools: [first, second, writer, unknown],
  });
  const alone = (name: string): readonly string[] => [`${name} begins`, `${name} ends`];
  assert.equal(log, [
    ...alone("writer"),
    "first begins",
    "second begins",
    "first ends",
    "second ends",
    ...alone("unknown"),
    ...alone("writer"),
  ]);
  assert.equal(told(ran).slice(0, 5), [
    "call_1_1: writer\n",
    "call_1_2: first\n",
    "call_1_3: second\n",
    "call_1_4: unknown\n",
    "call_1_5: writer\n",
  ]);
});

test("runCalls runs what ends the loop last, and not when a call beside it failed", async () => {
  const [sound, failed, twice] = await Promise.all([
    runScript([{ calls: [call("task_completion", { result: "Said it." }), call("say", { text: "a" })] }], {
      tools: [say],
    }),
    run([call("task_completion", { result: "Said it." }), call("say", {})], { tools: [say] }),
    runScript([{ calls: [call("task_completion", { result: "One." }), call("converse", { message: "Two." })] }]),
  ]);
  assert.equal(
    [sound.end, told(sound)],
    [{ how: "completed", text: "Said it.\n" }, ["call_1_2: a\n", "call_1_1: Said it.\n"]],
  );
  assert.equal(
    [failed.end, told(failed)],
    [
      { how: "completed", text: "Done.\n" },
      [
        'call_1_2 failed: failed[invalid-arguments]: `say` does not accept these arguments\n  text  expected string, got nothing\n  = call it like this: {"name":"say","arguments":{"text":"<text>"}}\n  = the value of `text` is a placeholder; replace it with yours\n',
        "call_1_1 failed: failed[rejected]: not run: `say` in the same reply failed\n  = read its failure, then call again\n",
        "call_2_1: Done.\n",
      ],
    ],
  );
  assert.equal(
    [twice.end, told(twice)],
    [
      { how: "completed", text: "One.\n" },
      [
        "call_1_1: One.\n",
        "call_1_2 failed: failed[rejected]: not run: `task_completion` has ended the turn\n  = one of them is enough\n",
      ],
    ],
  );
});

test("a reply ends the loop with a message or a question, and goes on where a person answers it", async () => {
  const question = { calls: [call("ask_question", { question: "Which?", suggestions: ["one", "two"] })] };
  const [message, asked, answered, wrong] = await Promise.all([
    runScript([{ calls: [call("converse", { message: "Hello." })] }]),
    runScript([question]),
    runScript([question, done("Done.")], {
      session: {
        person: { ask: async (text, suggestions) => `${text} ${suggestions[1] ?? ""}`, type: () => undefined },
      },
    }),
    runScript([{ calls: [call("ask_question", { question: "" })] }, done("Done.")]),
  ]);
  assert.equal(
    [message.end, asked.end],
    [
      { how: "message", text: "Hello.\n" },
      { how: "question", text: "Which?\n- one\n- two\n" },
    ],
  );
  assert.equal(
    [answered.end, told(answered)],
    [{ how: "completed", text: "Done.\n" }, ["call_1_1: Which? two\n", "call_2_1: Done.\n"]],
  );
  assert.equal(
    [wrong.end, wrong.entries.at(-1)],
    [
      { how: "completed", text: "Done.\n" },
      { kind: "end", how: "completed" },
    ],
  );
  assert.is(askQuestion.definition.kind === "base" && askQuestion.definition.isLoopBreaking, true);
});

test("runCalls tells the model what is wrong with a call, so that it can repair it", async () => {
  const ran = await run(
    [
      call("sya", { text: "a" }),
      call("say", '{"text": "a'),
      call("say", "[1]"),
      call("say", ""),
      call("say", { text: "a", count: "two" }),
      call("ask_model", { prompt: "a" }),
    ],
    { tools: [say] },
  );
  assert.equal(told(ran).slice(0, 6), [
    'call_1_1 failed: failed[unknown-tool]: there is no tool `sya`; did you mean `say`?\n  = call it like this: {"name":"say","arguments":{"text":"a"}}\n',
    "call_1_2 failed: failed[rejected]: the arguments are not usable JSON: the JSON ends here, within a string (line 1, column 12)\n  = call again with one JSON object\n",
    'call_1_3 failed: failed[rejected]: the arguments must be an object, as in {"name": "value"}\n  = call again with one JSON object\n',
    'call_1_4 failed: failed[invalid-arguments]: `say` does not accept these arguments\n  text  expected string, got nothing\n  = call it like this: {"name":"say","arguments":{"text":"<text>"}}\n  = the value of `text` is a placeholder; replace it with yours\n',
    'call_1_5 failed: failed[invalid-arguments]: `say` does not accept these arguments\n  count  expected integer, got the string "two"\n  = call it like this: {"name":"say","arguments":{"text":"a","count":"<count>"}}\n  = the value of `count` is a placeholder; replace it with yours\n',
    "call_1_6 failed: failed[unknown-tool]: there is no tool `ask_model`\n  = available tools: ask_question, converse, say, task_completion\n",
  ]);
  assert.equal(ran.server.refused, []);
});

test("each call is answered once, also where ids are missing or the same", async () => {
  for (const kind of ["openai", "anthropic"] as const) {
    const ran = await run(
      [call("say", { text: "a" }, "x"), call("say", { text: "b" }, "x"), call("say", { text: "c" }, "x_2")],
      { tools: [say], kind },
    );
    const answers = ran.entries.flatMap((entry) => (entry.kind === "result" ? [entry] : []));
    assert.equal(
      [answers.map(({ text }) => text), new Set(answers.map(({ id }) => id)).size, ran.server.refused],
      [["a\n", "b\n", "c\n", "Done.\n"], 4, []],
    );
  }
});

test("of a reply with too many calls the first 64 run", async () => {
  const ran = await run(
    Array.from({ length: 66 }, (_, index) => call("say", { text: `${index}` })),
    { tools: [say] },
  );
  assert.equal(told(ran).slice(63, 66), [
    "call_1_64: 63\n",
    "call_1_65 failed: failed[limit]: stopped at the limit of 64 calls in a reply\n  = call again in the next reply\n",
    "call_1_66 failed: failed[limit]: stopped at the limit of 64 calls in a reply\n  = call again in the next reply\n",
  ]);
});

test("a call that policy denies is told to the model as denied, and nothing runs", async () => {
  let count = 0;
  const act = baseTool({
    name: "act",
    title: "Act",
    description: "Acts.",
    effects: ["write"],
    parameters: {},
    execute: async () => okText(`${++count}`),
  });
  const rule = {
    name: "no acts",
    decision: "deny",
    reason: "acting is for people",
    matches: ({ tool }: { readonly tool: Tool }) => tool.definition.name.value === "act",
  } as const;
  const ran = await run([call("act"), call("say", { text: "a" })], {
    tools: [act, say],
    session: { policy: [rule, { name: "rest", decision: "allow", reason: "", matches: () => true }] },
  });
  assert.equal(
    [count, told(ran)[0]],
    [0, "call_1_1 failed: failed[denied]: policy denies `act`\n  no acts: acting is for people\n"],
  );
});

for (const kind of ["openai", "anthropic"] as const) {
  test(`a name or an id that no API takes back ends no conversation with ${kind}`, async () => {
    const ran = await run([call("multi tool.use/x"), call("x".repeat(200))], { kind, tools: [say] });
    assert.equal([ran.end, ran.server.refused], [{ how: "completed", text: "Done.\n" }, []]);
    assert.match(told(ran)[0] ?? "", /^call_1_1 failed: failed\[unknown-tool\]: there is no tool `multi tool\.use\/x`/);
    const ids = ["functions.say:1", "functions.say.1"];
    const before: readonly Entry[] = [
      { kind: "user", text: "Go." },
      {
        kind: "reply",
        model: "other/big-2",
        stop: "done",
        parts: ids.map((id) => ({ type: "call", id, name: "say", arguments: "{}" })),
      },
      ...ids.map((id) => ({ kind: "result", id, name: "say", text: id }) as const),
    ];
    const resumed = await runScript([done("Done.")], { kind, tools: [say], before });
    assert.equal([resumed.end, resumed.server.refused], [{ how: "completed", text: "Done.\n" }, []]);
  });
}

test("a model is told of a tool by the name that its API takes, and in text by the tool's own", async () => {
  const named = (name: string): Tool =>
    baseTool({
      name,
      title: "Say",
      description: "Says it.",
      effects: ["read"],
      parameters: { text: string("What", { required: true }) },
      execute: async ({ text }) => okText(`${name} says ${text}`),
    });
  const tools = [named("ana/say"), named("ana__say")];
  const native = await run(
    [call("ana__say", { text: "a" }), call("ana__say", { txt: "a" }), call("ana/sya", { text: "a" })],
    { tools },
  );
  assert.equal(told(native).slice(0, 3), [
    "call_1_1: ana/say says a\n",
    'call_1_2 failed: failed[invalid-arguments]: `ana__say` does not accept these arguments\n  text  expected string, got nothing\n  txt   `ana/say` has no such parameter; did you mean `text`?\n  = call it like this: {"name":"ana__say","arguments":{"text":"a"}}\n',
    'call_1_3 failed: failed[unknown-tool]: there is no tool `ana/sya`; did you mean `ana__say`?\n  = call it like this: {"name":"ana__say","arguments":{"text":"a"}}\n',
  ]);
  const inText = (name: string): string => `<tool>{"tool_name":"${name}","arguments":{"text":"a"}}</tool>`;
  const text = await runScript(
    [
      { text: [inText("ana__say"), inText("ana/say")] },
      { text: ['<tool>{"tool_name":"task_completion","arguments":{"result":"Done."}}</tool>'] },
    ],
    { tools, provider: { toolsAsText: true } },
  );
  assert.equal(told(text).slice(0, 2), ["call_1: ana__say says a\n", "call_2: ana/say says a\n"]);
});

test("runCalls lets nothing run beside a call that changes which tools there are", async () => {
  const log: string[] = [];
  const tool = (name: string, more: { readonly changesTools?: true } = {}): Tool =>
    baseTool({
      name,
      title: name,
      description: name,
      effects: ["read"],
      parameters: {},
      ...more,
      execute: async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        return okText(name);
      },
    });
  await run([call("make"), call("use")], { tools: [tool("make", { changesTools: true }), tool("use")] });
  assert.equal(log, ["make begins", "make ends", "use begins", "use ends"]);
});

test.run();
