import type { Outcome } from "../../src/core/tool/call.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { apiConfig, type Asked, withModels } from "./model-context.ts";
import { KEY, type Reply, startModelServer } from "./model-server.ts";
import type { SeenRequest } from "./web-server.ts";

const test = suite("base/model-anthropic");

interface Call {
  readonly args?: JsonObject;
  readonly more?: string;
}

async function asked(
  reply: Reply,
  { args, more }: Call = {},
): Promise<Asked & { readonly seen: readonly SeenRequest[] }> {
  const server = await startModelServer(reply);
  try {
    let answer: Asked | undefined;
    await withModels(apiConfig("anthropic", server.origin, more), async (bench) => {
      answer = await bench.ask({ prompt: "Say hello.", ...args });
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

const hello: Reply = { pieces: ["Hel", "lo, ", "wörld 😀"] };

test("anthropic streams the text and nothing else of the answer", async () => {
  const { outcome, stdout, hidden, seen } = await asked(hello);
  assert.equal([outcome, stdout, hidden], [ok("Hello, wörld 😀"), "Hello, wörld 😀\n", [KEY]]);
  assert.equal(
    seen.map(({ method, path, body, headers }) => [
      method,
      path,
      JSON.parse(body),
      headers["x-api-key"],
      headers["anthropic-version"],
      headers["authorization"],
    ]),
    [
      [
        "POST",
        "/v1/messages",
        {
          model: "small-1",
          max_tokens: 4096,
          messages: [{ role: "user", content: [{ type: "text", text: "Say hello." }] }],
          stream: true,
        },
        KEY,
        "2023-06-01",
        undefined,
      ],
    ],
  );
});

test("anthropic takes an answer that comes whole, and sends what the caller passes before what is configured", async () => {
  const { outcome, seen } = await asked(hello, {
    args: { system: "Be brief.", max_tokens: 7, temperature: 0 },
    more: ", stream: false, max_tokens: 9, temperature: 0.5",
  });
  assert.equal(
    [outcome, JSON.parse(seen[0]?.body ?? "")],
    [
      ok("Hello, wörld 😀"),
      {
        model: "small-1",
        max_tokens: 7,
        messages: [{ role: "user", content: [{ type: "text", text: "Say hello." }] }],
        system: [{ type: "text", text: "Be brief." }],
        temperature: 0,
      },
    ],
  );
});

test("anthropic sends the version that is configured", async () => {
  const { outcome, seen } = await asked(hello, { more: ", version: 2026-10-21" });
  assert.equal([outcome, seen[0]?.headers["anthropic-version"]], [ok("Hello, wörld 😀"), "2026-10-21"]);
  const refused = await asked(hello, { args: { temperature: 1 }, more: ", version: 2026-10-21" });
  assert.equal(refused.outcome, {
    status: "failed",
    content: [],
    failure: {
      kind: "network",
      url: "http://127.0.0.1:PORT/v1/messages",
      reason: "`api` answered with status 400: temperature: Extra inputs are not permitted",
      help: [
        "check the model `small-1`, what is passed with the prompt, and `kind` of `api` in `<home>/config/config.yaml`",
      ],
    },
  });
});

const stops: readonly (readonly [reply: Reply, outcome: unknown])[] = [
  [{ pieces: ["Once"], stop: "stop_sequence" }, ok("Once")],
  [{ pieces: ["Once"], stop: "reason_of_the_future" }, ok("Once")],
  [
    { pieces: [], stop: "constructor" },
    [
      [],
      {
        kind: "rejected",
        reason: "`api` gave an empty answer",
        help: ["say in the prompt what to return, or ask another model"],
      },
    ],
  ],
  [
    { pieces: ["Once"], stop: "max_tokens" },
    [
      [{ type: "text", text: "Once" }],
      {
        kind: "limit",
        limit: 4096,
        unit: "tokens of answer",
        help: ["pass a larger `max_tokens`, or write one for `api` in `<home>/config/config.yaml`"],
      },
    ],
  ],
  [
    { pieces: ["Once"], stop: "model_context_window_exceeded" },
    [
      [{ type: "text", text: "Once" }],
      {
        kind: "rejected",
        reason: "the prompt and the answer are too long for the model of `api`",
        help: ["send a shorter prompt, or ask a model with a larger context"],
      },
    ],
  ],
  [
    { pieces: [], stop: "refusal" },
    [[], { kind: "rejected", reason: "`api` refused to answer", help: ["rephrase the prompt, or ask another model"] }],
  ],
  [
    { pieces: [], stop: "pause_turn" },
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
    { pieces: [] },
    [
      [],
      {
        kind: "rejected",
        reason: "`api` gave an empty answer",
        help: ["say in the prompt what to return, or ask another model"],
      },
    ],
  ],
];

test("anthropic says why a model stopped, and keeps what it said", async () => {
  const seen = await Promise.all(
    [undefined, ", stream: false"].flatMap((more) =>
      stops.map(async ([reply]) => (await asked(reply, more === undefined ? {} : { more })).outcome),
    ),
  );
  const wanted = stops.map(([, outcome]) => outcome);
  assert.equal(
    seen.map((outcome) => (outcome.status === "ok" ? outcome : [outcome.content, outcome.failure])),
    [...wanted, ...wanted],
  );
});

test.run();
