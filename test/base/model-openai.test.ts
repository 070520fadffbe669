import type { HostWeb, WebRequest } from "../../src/core/tool/host.ts";
import { createWeb } from "../../src/features/web/host/web.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { apiConfig, type Asked, type AskOptions, withModels } from "./model-context.ts";
import { KEY, type Reply, startModelServer } from "./model-server.ts";
import type { SeenRequest } from "./web-server.ts";

const test = suite("base/model-openai");

interface Call {
  readonly args?: JsonObject;
  readonly more?: string;
  readonly options?: AskOptions;
}

async function asked(
  reply: Reply,
  { args, more, options }: Call = {},
): Promise<Asked & { readonly seen: readonly SeenRequest[] }> {
  const server = await startModelServer(reply);
  try {
    let answer: Asked | undefined;
    await withModels(apiConfig("openai", server.origin, more), async (bench) => {
      answer = await bench.ask({ prompt: "Say hello.", ...args }, options);
      answer = JSON.parse(
        JSON.stringify(answer).replaceAll(bench.folder, "<home>").replaceAll(`:${server.port}`, ":PORT"),
      ) as Asked;
    });
    if (!answer) throw new Error("nothing was asked");
    return { ...answer, seen: server.seen };
  } finally {
    await server.close();
  }
}

function ok(text: string): Outcome {
  return { status: "ok", content: [{ type: "text", text }], isUntrusted: true };
}

const hello: Reply = { pieces: ["Hel", "lo, ", "wörld 😀", "\n\n"] };

test("openai streams the answer as it comes, and gives it whole", async () => {
  const pieces: string[] = [];
  const { outcome, stdout, hidden, seen } = await asked(hello, {
    options: { onText: (text) => void pieces.push(text) },
  });
  assert.equal(
    [outcome, stdout, pieces, hidden],
    [ok("Hello, wörld 😀"), "Hello, wörld 😀\n\n", ["Hel", "lo, ", "wörld 😀", "\n\n"], [KEY]],
  );
  assert.equal(
    seen.map(({ method, path, body, headers }) => [
      method,
      path,
      JSON.parse(body),
      headers["authorization"],
      headers["content-type"],
      headers["accept"],
    ]),
    [
      [
        "POST",
        "/v1/chat/completions",
        { model: "small-1", messages: [{ role: "user", content: "Say hello." }], stream: true },
        `Bearer ${KEY}`,
        "application/json",
        "text/event-stream, application/json",
      ],
    ],
  );
});

test("openai takes an answer that comes whole, asked for or not", async () => {
  const { outcome, stdout, seen } = await asked(hello, { more: ", stream: false, max_tokens: 9, temperature: 0.5" });
  assert.equal(
    [outcome, stdout, JSON.parse(seen[0]?.body ?? "")],
    [
      ok("Hello, wörld 😀"),
      "Hello, wörld 😀\n\n",
      {
        model: "small-1",
        messages: [{ role: "user", content: "Say hello." }],
        temperature: 0.5,
        max_tokens: 9,
      },
    ],
  );
  const inParts: Reply = {
    status: 200,
    body: {
      choices: [
        {
          message: {
            role: "assistant",
            content: [
              { type: "text", text: "two " },
              { type: "text", text: "parts" },
            ],
          },
        },
      ],
    },
  };
  assert.equal((await asked(inParts)).outcome, ok("two parts"));
});

test("openai sends what the caller passes before what is configured", async () => {
  const { outcome, seen } = await asked(hello, {
    args: { system: "Be brief.", model: "small-1", max_tokens: 7, temperature: 0 },
    more: ", max_tokens: 9, temperature: 0.5",
  });
  assert.equal(
    [outcome.status, JSON.parse(seen[0]?.body ?? "")],
    [
      "ok",
      {
        model: "small-1",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Say hello." },
        ],
        stream: true,
        temperature: 0,
        max_tokens: 7,
      },
    ],
  );
});

/** Returns the name of the token limit that is sent to this address. */
async function tokensField(url: string): Promise<readonly string[]> {
  const sent: WebRequest[] = [];
  const web: HostWeb = {
    fetch: async (request) => (sent.push(request), { kind: "refused", reason: "seen", help: [] }),
  };
  await withModels(
    `providers: { api: { kind: openai, url: "${url}", model: m, max_tokens: 5 } }`,
    async (bench) => void (await bench.ask({ prompt: "x" }, { web })),
  );
  return [
    sent[0]?.url ?? "",
    ...Object.keys(JSON.parse(sent[0]?.body ?? "{}") as object).filter((key) => key.startsWith("max")),
  ];
}

test("openai.com takes another name for the limit on tokens than the servers that speak like it", async () => {
  assert.equal(
    [await tokensField("https://api.openai.com/v1/"), await tokensField("http://127.0.0.1:11434/v1")],
    [
      ["https://api.openai.com/v1/chat/completions", "max_completion_tokens"],
      ["http://127.0.0.1:11434/v1/chat/completions", "max_tokens"],
    ],
  );
});

test("openai gives the same wherever the stream is cut, within a character too", async () => {
  const server = await startModelServer({ pieces: ["é", "€", "\ud83d", "\ude00", "\r\nend"] });
  try {
    await withModels(apiConfig("openai", server.origin), async (bench) => {
      let bytes = new Uint8Array();
      const recorder: HostWeb = {
        fetch: async (request) => {
          const result = await createWeb().fetch(request);
          if (result.kind === "response") bytes = Uint8Array.from(result.body);
          return result;
        },
      };
      const plain = await bench.ask({ prompt: "x" }, { web: recorder });
      assert.equal([plain.outcome, plain.stdout], [ok("é€😀\r\nend"), "é€😀\r\nend\n"]);
      const replay = (cuts: readonly number[]): HostWeb => ({
        fetch: async ({ onBody, url }) => {
          const head = { status: 200, headers: { "content-type": "text/event-stream" } };
          const ends = [...cuts, bytes.length];
          for (const [index, end] of ends.entries()) await onBody?.(bytes.subarray(ends[index - 1] ?? 0, end), head);
          return { kind: "response", ...head, url, body: bytes, isCut: false };
        },
      });
      const seen = new Set<string>();
      for (let at = 0; at <= bytes.length; at += 7) {
        const { outcome, stdout } = await bench.ask({ prompt: "x" }, { web: replay([at]) });
        seen.add(JSON.stringify([outcome, stdout]));
      }
      const { outcome, stdout } = await bench.ask({ prompt: "x" }, { web: replay([...bytes.keys()]) });
      seen.add(JSON.stringify([outcome, stdout]));
      assert.equal([...seen], [JSON.stringify([plain.outcome, plain.stdout])]);
    });
  } finally {
    await server.close();
  }
});

test("openai shows no text that would move a cursor", async () => {
  const { outcome, stdout } = await asked({ pieces: ["a\u{1b}]0;x\u{7}b", "\u{9b}31mc"] });
  assert.equal([outcome, stdout], [ok("a]0;xb31mc"), "a]0;xb31mc\n"]);
});

const stops: readonly (readonly [reply: Reply, call: Call, outcome: unknown])[] = [
  [
    { pieces: ["Once"], stop: "length" },
    { args: { max_tokens: 1 } },
    [
      [{ type: "text", text: "Once" }],
      {
        kind: "limit",
        limit: 1,
        unit: "tokens of answer",
        help: ["pass a larger `max_tokens`, or write one for `api` in `<home>/config/config.yaml`"],
      },
    ],
  ],
  [
    { pieces: ["Once"], stop: "length" },
    {},
    [
      [{ type: "text", text: "Once" }],
      {
        kind: "rejected",
        reason: "`api` cut off the answer at its own limit",
        help: ["pass `max_tokens`, or write `max_tokens:` for `api` in `<home>/config/config.yaml`"],
      },
    ],
  ],
  [
    { pieces: [], stop: "content_filter" },
    {},
    [[], { kind: "rejected", reason: "`api` refused to answer", help: ["rephrase the prompt, or ask another model"] }],
  ],
  [
    { pieces: [], refusal: "I'm sorry, I cannot\nassist." },
    {},
    [
      [{ type: "text", text: "I'm sorry, I cannot\nassist." }],
      {
        kind: "rejected",
        reason: "`api` refused to answer",
        help: ["rephrase the prompt, or ask another model"],
      },
    ],
  ],
  [
    { pieces: [], refusal: "I cannot." },
    { more: ", stream: false" },
    [
      [{ type: "text", text: "I cannot." }],
      {
        kind: "rejected",
        reason: "`api` refused to answer",
        help: ["rephrase the prompt, or ask another model"],
      },
    ],
  ],
  [
    { pieces: [], stop: "tool_calls" },
    {},
    [
      [],
      {
        kind: "rejected",
        reason: "`api` stopped before an answer: its model asked for a tool or for a pause, and neither is available",
        help: ["ask for a text answer in the prompt"],
      },
    ],
  ],
  [
    { pieces: [" \n"] },
    {},
    [
      [{ type: "text", text: " " }],
      {
        kind: "rejected",
        reason: "`api` gave an empty answer",
        help: ["say in the prompt what to return, or ask another model"],
      },
    ],
  ],
];

test("openai says why a model stopped, and keeps what it said", async () => {
  const seen = await Promise.all(stops.map(async ([reply, call]) => (await asked(reply, call)).outcome));
  assert.equal(
    seen.map((outcome) => (outcome.status === "ok" ? outcome : [outcome.content, outcome.failure])),
    stops.map(([, , outcome]) => outcome),
  );
});

test("openai takes an end of which a server tells in its own words", async () => {
  const events = (...data: readonly string[]): Reply => ({
    respond: (response) =>
      void response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(data.map((one) => `data: ${one}\n\n`).join("")),
  });
  const chunk = JSON.stringify({ choices: [{ delta: { content: "hi" } }] });
  const usage = JSON.stringify({ choices: [], usage: { total_tokens: 3 } });
  assert.equal(
    [
      (await asked(events(chunk, usage, "[DONE]"))).outcome,
      (await asked(events(chunk, JSON.stringify({ choices: [{ delta: {}, finish_reason: "eos" }] })))).outcome,
    ],
    [ok("hi"), ok("hi")],
  );
});

test.run();
