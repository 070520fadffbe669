// Failures between the loop and the model's API: which are tried again, and the message in the end.
import type { ServerResponse } from "node:http";
import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { assert, present, suite } from "../harness.ts";
import { type LoopOptions, runScript } from "./agent-fixture.ts";
import { type Body, call, done, KEY, type ReplyTurn, type Turn } from "./scripted-turn.ts";

const test = suite("agent/trouble");

const say = baseTool({
  name: "say",
  title: "Say",
  description: "Says it.",
  effects: ["read"],
  parameters: { text: string("What", { required: true }) },
  execute: async ({ text }) => okText(text),
});

interface Outcome {
  readonly end: unknown;
  readonly sleptMs: readonly number[];
  readonly requests: number;
  readonly notes: readonly string[];
}

async function outcome(turns: readonly (Turn | ((body: Body) => Turn))[], options: LoopOptions = {}): Promise<Outcome> {
  const { end, sleptMs, server, notes, entries } = await runScript(turns, { tools: [say], ...options });
  assert.not.match(JSON.stringify([end, notes, entries]), KEY);
  assert.equal(server.refused, []);
  return {
    end: JSON.parse(JSON.stringify(end).replaceAll(`:${server.port}`, ":PORT")) as unknown,
    sleptMs,
    requests: server.bodies.length,
    notes,
  };
}

const completed = { how: "completed", text: "Done.\n" };
const openAiError = (message: string, type: string, code: string | null = null): unknown => ({
  error: { message, type, param: null, code },
});
const anthropicError = (message: string, type: string): unknown => ({ type: "error", error: { type, message } });
const network = (path: string, reason: string, help: string): unknown => ({
  how: "failed",
  failure: { kind: "network", url: `http://127.0.0.1:PORT/v1/${path}`, reason, help: [help] },
});
const busy = (attempt: number, seconds: number): string => `\`api\` is busy: attempt ${attempt} of 4 in ${seconds} s`;

test("askModel waits as long as a busy API asks for, else longer each time", async () => {
  const limited: Turn = {
    status: 429,
    body: openAiError("Rate limit reached", "requests", "rate_limit_exceeded"),
    headers: { "retry-after": "60" },
  };
  const overloaded: Turn = { status: 529, body: anthropicError("Overloaded", "overloaded_error") };
  assert.equal(await outcome([limited, done("Done.")]), {
    end: completed,
    sleptMs: [60_000],
    requests: 2,
    notes: [busy(2, 60)],
  });
  assert.equal(await outcome([overloaded, overloaded, overloaded, done("Done.")], { kind: "anthropic" }), {
    end: completed,
    sleptMs: [500, 1000, 2000],
    requests: 4,
    notes: [busy(2, 0.5), busy(3, 1), busy(4, 2)],
  });
  assert.equal(await outcome([overloaded, overloaded, overloaded, overloaded], { kind: "anthropic" }), {
    end: network("messages", "`api` answered with status 529: Overloaded", "try again later"),
    sleptMs: [500, 1000, 2000],
    requests: 4,
    notes: [busy(2, 0.5), busy(3, 1), busy(4, 2)],
  });
});

test("askModel does not wait for what takes too long or does not pass", async () => {
  const long: Turn = {
    status: 429,
    body: openAiError("Rate limit reached", "tokens"),
    headers: { "retry-after": "3600" },
  };
  const quota: Turn = {
    status: 429,
    body: openAiError("You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
  };
  const none = { sleptMs: [], requests: 1, notes: [] };
  assert.equal(await outcome([long]), {
    end: network("chat/completions", "`api` answered with status 429: Rate limit reached", "try again in 3600 s"),
    ...none,
  });
  assert.equal(await outcome([quota]), {
    end: network(
      "chat/completions",
      "`api` answered with status 429: You exceeded your current quota.",
      "the quota of the account is used up: check its billing",
    ),
    ...none,
  });
  assert.equal(await outcome([{ status: 400, body: openAiError(`no: ${KEY}`, "invalid_request_error") }]), {
    end: network(
      "chat/completions",
      "`api` answered with status 400",
      "check the model `big-1`, what is passed with the prompt, and `kind` of `api` in `config.yaml`",
    ),
    ...none,
  });
});

test("a reply that breaks off is asked for again, and nothing of it runs", async () => {
  const calls = [call("say", { text: "a" })];
  const inStream = (error: string): ReplyTurn => ({ calls, isCutOff: true, rawEvents: [error] });
  const cases: readonly (readonly ["openai" | "anthropic", Turn])[] = [
    ["openai", { calls, isCutOff: true }],
    ["anthropic", { calls, isCutOff: true }],
    ["anthropic", { text: ["I will"], isCutOff: true }],
    [
      "anthropic",
      {
        respond: (response: ServerResponse) =>
          void response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(`event: error\ndata: ${JSON.stringify(anthropicError("Overloaded", "overloaded_error"))}\n\n`),
      },
    ],
    ["openai", inStream(`data: ${JSON.stringify(openAiError("The server had an error", "server_error"))}\n\n`)],
    [
      "anthropic",
      inStream(`event: error\ndata: ${JSON.stringify(anthropicError("Overloaded", "overloaded_error"))}\n\n`),
    ],
    [
      "openai",
      {
        respond: (response: ServerResponse) =>
          void response
            .writeHead(200, { "content-type": "text/event-stream" })
            .write('data: {"id":"1",', () => response.destroy()),
      },
    ],
  ];
  for (const [kind, broken] of cases) {
    const { end, requests, sleptMs } = await outcome([broken, done("Done.")], { kind });
    assert.equal([end, requests, sleptMs], [completed, 2, [500]], JSON.stringify([kind, broken]));
  }
  const { entries } = await runScript([cases[4]?.[1] ?? {}, done("Done.")], { tools: [say] });
  assert.equal(
    entries.map(({ kind }) => kind),
    ["user", "reply", "result", "end"],
  );
  const path = "messages";
  assert.equal(
    (
      await outcome(
        Array.from({ length: 4 }, () => cases[1]?.[1] ?? {}),
        { kind: "anthropic" },
      )
    ).end,
    network(path, "the answer of `api` broke off", "try again later"),
  );
});

test("a lost connection is tried again wherever it is lost, a bounded number of times, and each call runs once", async () => {
  let count = 0;
  const counted = baseTool({
    ...say,
    name: "counted",
    title: "Count",
    description: "Counts.",
    effects: ["write"],
    parameters: {},
    execute: async () => okText(`${++count}`),
  });
  const lost = (head: boolean, body = ""): Turn => ({
    respond: (response: ServerResponse) => {
      if (head) response.writeHead(200, { "content-type": "text/event-stream" });
      if (head) response.flushHeaders();
      if (body === "") response.destroy();
      else response.write(body, () => response.destroy());
    },
  });
  const delta = {
    choices: [
      {
        index: 0,
        delta: {
          role: "assistant",
          tool_calls: [{ index: 0, id: "x", type: "function", function: { name: "counted", arguments: "{}" } }],
        },
      },
    ],
  };
  const whole = `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "big-1", ...delta })}\n\n`;
  for (const broken of [lost(false), lost(true), lost(true, "data: {"), lost(true, whole)]) {
    count = 0;
    const { end, requests, sleptMs, notes } = await outcome(
      [broken, { calls: [call("counted")] }, broken, broken, done("Done.")],
      { tools: [counted] },
    );
    const again = (attempt: number, seconds: number): string =>
      `the connection to \`api\` was lost: attempt ${attempt} of 4 in ${seconds} s`;
    assert.equal(
      [end, requests, sleptMs, notes, count],
      [completed, 5, [500, 500, 1000], [again(2, 0.5), again(2, 0.5), again(3, 1)], 1],
    );
  }
  const ever = await outcome(Array.from({ length: 5 }, () => lost(false)));
  assert.equal(
    [ever.end, ever.requests],
    [
      network(
        "chat/completions",
        "the connection to `api` was lost: `127.0.0.1:PORT` closed the connection before its answer was whole",
        "try again later",
      ),
      4,
    ],
  );
  const unstreamed = await outcome([lost(true, "{"), done("Done.")], { provider: { streams: false } });
  assert.equal([unstreamed.end, unstreamed.requests], [completed, 2]);
});

test("askModel says when what answers is no such API", async () => {
  const answer = (type: string, text: string): Turn => ({
    respond: (response) => void response.writeHead(200, { "content-type": type }).end(text),
  });
  for (const kind of ["openai", "anthropic"] as const) {
    for (const body of [
      answer("text/html", "<html>hello</html>"),
      answer("application/json", "{}"),
      answer("text/event-stream", "data: hello\n\n"),
    ]) {
      const { end } = await outcome([body], { kind });
      assert.equal(
        end,
        network(
          kind === "openai" ? "chat/completions" : "messages",
          `\`api\` does not answer like an API of kind \`${kind}\``,
          "check `url` and `kind` of `api` in `config.yaml`",
        ),
        JSON.stringify([kind, body]),
      );
    }
  }
});

test("askModel follows no redirect, and its key goes nowhere else", async () => {
  const { end, requests } = await outcome([
    { status: 307, body: "", headers: { location: "http://127.0.0.1:1/v1/chat/completions" } },
  ]);
  assert.equal(
    [end, requests],
    [
      {
        how: "failed",
        failure: {
          kind: "network",
          url: "http://127.0.0.1:PORT/v1/chat/completions",
          reason: "`127.0.0.1` redirects the request and its body to `http://127.0.0.1:1`",
          help: ["if you want that, send it to `http://127.0.0.1:1` itself"],
        },
      },
      1,
    ],
  );
});

test("a conversation that is too long for the model goes on without the results of old calls, or ends", async () => {
  const long = "x".repeat(4000);
  const turns: Turn[] = Array.from({ length: 10 }, (_, index) => ({
    calls: [call("say", { text: `${index} ${long}` })],
  }));
  const tooLong =
    (charactersMax: number) =>
    (body: Body): Turn =>
      JSON.stringify(body["messages"]).length > charactersMax
        ? {
            status: 400,
            body: openAiError(
              "This model's maximum context length is 1000 tokens.",
              "invalid_request_error",
              "context_length_exceeded",
            ),
          }
        : done("Done.");
  const note = "the conversation is too long for the model: the results of old calls are left out from now on";
  const size = JSON.stringify((await runScript([...turns, done("Done.")], { tools: [say] })).messages.at(-1)).length;
  const once = await outcome([...turns, tooLong(size - 5_000), tooLong(size - 5_000)]);
  assert.equal([once.end, once.notes], [completed, [note]]);
  const never = await outcome([...turns, ...Array.from({ length: 3 }, () => tooLong(10))]);
  assert.equal(
    [never.end, never.notes],
    [
      {
        how: "failed",
        failure: {
          kind: "rejected",
          reason: "the conversation is too long for `api/big-1`, even without the results of old calls",
          help: ["start another one with a smaller task, or continue with a model that has a longer context"],
        },
      },
      [note, note],
    ],
  );
  const anthropic = await outcome(
    [
      {
        status: 400,
        body: anthropicError("prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error"),
      },
      { text: ["I"], stop: "model_context_window_exceeded" },
      done("Done."),
    ],
    { kind: "anthropic" },
  );
  assert.equal([anthropic.end, anthropic.notes], [completed, [note, note]]);
});

test("what a model thought goes back to it as it came, and to no other model", async () => {
  const thinking: Turn = { reasoning: "Let me say a.", calls: [call("say", { text: "a" })] };
  const { messages, entries, end } = await runScript([thinking, done("Done.")], { kind: "anthropic", tools: [say] });
  assert.equal(
    [end, (present(messages[1])[1] as Body)["content"]],
    [
      completed,
      [
        { type: "thinking", thinking: "Let me say a.", signature: "sig-of-thinking" },
        { type: "tool_use", id: "call_1_1", name: "say", input: { text: "a" } },
      ],
    ],
  );
  const before = entries
    .slice(0, -2)
    .map((entry) => (entry.kind === "reply" ? { ...entry, model: "other/model" } : entry))
    .slice(0, 3);
  for (const kind of ["openai", "anthropic"] as const) {
    const other = await runScript([done("Done.")], { kind, tools: [say], before });
    assert.equal([other.end, JSON.stringify(other.messages).includes("Let me say")], [completed, false]);
  }
});

test("replies of white space or thoughts alone, and results of nothing, break no conversation", async () => {
  const quiet = baseTool({
    name: "quiet",
    title: "Quiet",
    description: "Says nothing.",
    effects: ["read"],
    parameters: {},
    execute: async () => okText(""),
  });
  const turns: Turn[] = [
    { text: ["\n\n"], calls: [call("quiet")] },
    { reasoning: "Hm." },
    { text: [" "] },
    { text: ["\n"], calls: [call("quiet")] },
    done("Done."),
  ];
  for (const kind of ["openai", "anthropic"] as const) {
    const { end, server, entries } = await runScript(turns, { kind, tools: [quiet] });
    assert.equal([end, server.refused], [completed, []]);
    assert.equal(
      entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : [])),
      ["(no output)\n", "(no output)\n", "Done.\n"],
    );
  }
});

test("an answer that does not stream is read as one that does", async () => {
  for (const kind of ["openai", "anthropic"] as const) {
    const turns: Turn[] = [
      { text: ["I will."], calls: [call("say", { text: "a" }), call("say", { text: "b" })] },
      done("Done."),
    ];
    const [streamed, whole] = await Promise.all(
      [true, false].map((streams) => runScript(turns, { kind, tools: [say], provider: { streams } })),
    );
    assert.equal(whole?.entries, streamed?.entries);
    assert.equal([whole?.said, whole?.server.bodies.map(({ stream }) => stream ?? false)], ["I will.", [false, false]]);
  }
});

test.run();
