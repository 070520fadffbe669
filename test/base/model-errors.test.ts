// Failures of a model's API, and their messages.
import type { ServerResponse } from "node:http";
import type { Failure } from "../../src/core/tool/failure.ts";
import { assert, suite } from "../harness.ts";
import { apiConfig, type Asked, type AskOptions, withModels } from "./model-context.ts";
import { KEY, type Reply, startModelServer } from "./model-server.ts";

const test = suite("base/model-errors");

type Kind = "openai" | "anthropic";

interface Call {
  readonly kind?: Kind;
  readonly more?: string;
  readonly config?: (origin: string) => string;
  readonly options?: AskOptions;
}

interface Seen extends Asked {
  readonly requests: number;
}

async function asked(replies: readonly Reply[], { kind = "openai", more, config, options }: Call = {}): Promise<Seen> {
  const server = await startModelServer(...replies);
  try {
    let answer: Asked | undefined;
    await withModels(config ? config(server.origin) : apiConfig(kind, server.origin, more), async (bench) => {
      const seen = await bench.ask({ prompt: "Say hello." }, options);
      assert.not.match(JSON.stringify({ ...seen, hidden: [] }), KEY);
      answer = JSON.parse(
        JSON.stringify(seen).replaceAll(bench.folder, "<home>").replaceAll(`:${server.port}`, ":PORT"),
      ) as Asked;
    });
    if (!answer) throw new Error("nothing was asked");
    return { ...answer, requests: server.seen.length };
  } finally {
    await server.close();
  }
}

function failureOf({ outcome }: Asked): Failure | undefined {
  return outcome.status === "failed" ? outcome.failure : undefined;
}

function network(kind: Kind, reason: string, ...help: readonly string[]): Failure {
  return {
    kind: "network",
    url: `http://127.0.0.1:PORT/v1/${kind === "openai" ? "chat/completions" : "messages"}`,
    reason,
    help,
  };
}

const openAiError = (message: string, type: string, code: string | null = null): unknown => ({
  error: { message, type, param: null, code },
});
const anthropicError = (message: string, type: string): unknown => ({
  type: "error",
  error: { type, message },
  request_id: "req_1",
});
const placeHelp = "check `url` and `kind` of `api` in `<home>/config/config.yaml`";
const bodyHelp =
  "check the model `small-1`, what is passed with the prompt, and `kind` of `api` in `<home>/config/config.yaml`";

const finalErrors: readonly (readonly [kind: Kind, status: number, body: unknown, reason: string, help: string])[] = [
  [
    "openai",
    400,
    openAiError(
      "This model's maximum context length is 128000 tokens.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
    "`api` answered with status 400: This model's maximum context length is 128000 tokens.",
    bodyHelp,
  ],
  [
    "openai",
    403,
    openAiError(
      "Country, region, or territory not supported",
      "request_forbidden",
      "unsupported_country_region_territory",
    ),
    "`api` answered with status 403: Country, region, or territory not supported",
    "the key is not allowed to use the model `small-1`, or not from this place: check the variable API_KEY",
  ],
  [
    "openai",
    404,
    { error: "model 'small-1' not found" },
    "`api` answered with status 404: model 'small-1' not found",
    "check the model `small-1`, and `url` of `api` in `<home>/config/config.yaml`",
  ],
  [
    "openai",
    422,
    { detail: "Extra inputs are not permitted" },
    "`api` answered with status 422: Extra inputs are not permitted",
    bodyHelp,
  ],
  [
    "openai",
    429,
    openAiError(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
    "`api` answered with status 429: You exceeded your current quota, please check your plan and billing details.",
    "the quota of the account is used up: check its billing",
  ],
  ["openai", 418, "<html>tea</html>", "`api` answered with status 418", placeHelp],
  [
    "anthropic",
    402,
    anthropicError("Your credit balance is too low.", "billing_error"),
    "`api` answered with status 402: Your credit balance is too low.",
    "the quota of the account is used up: check its billing",
  ],
  [
    "anthropic",
    404,
    anthropicError("model: small-1", "not_found_error"),
    "`api` answered with status 404: model: small-1",
    "check the model `small-1`, and `url` of `api` in `<home>/config/config.yaml`",
  ],
  [
    "anthropic",
    413,
    anthropicError("Request exceeds the maximum size", "request_too_large"),
    "`api` answered with status 413: Request exceeds the maximum size",
    "send a shorter prompt",
  ],
  [
    "anthropic",
    400,
    anthropicError("bad\u{1b}[2J\nthing", "invalid_request_error"),
    "`api` answered with status 400: bad[2J thing",
    bodyHelp,
  ],
];

test("ask_model says what the API says and what to do, at once where waiting is of no use", async () => {
  const seen = await Promise.all(finalErrors.map(([kind, status, body]) => asked([{ status, body }], { kind })));
  assert.equal(
    seen.map((one) => [failureOf(one), one.requests, one.sleptMs]),
    finalErrors.map(([kind, , , reason, help]) => [network(kind, reason, help), 1, []]),
  );
});

test("ask_model shows nothing of a key that is not taken, though the API quotes its ends", async () => {
  const wrong = { environment: { API_KEY: "sk-wrong-0123456789wxyz" } };
  const seen = [await asked([], { options: wrong }), await asked([], { kind: "anthropic", options: wrong })];
  assert.equal(seen.map(failureOf), [
    network("openai", "`api` answered with status 401", "the key is wrong or has expired: check the variable API_KEY"),
    network(
      "anthropic",
      "`api` answered with status 401: invalid x-api-key",
      "the key is wrong or has expired: check the variable API_KEY",
    ),
  ]);
  const keyless = await asked([], {
    config: (origin) => `providers: { api: { kind: anthropic, url: "${origin}", model: small-1 } }`,
  });
  assert.equal(
    failureOf(keyless),
    network(
      "anthropic",
      "`api` answered with status 401: x-api-key header is required",
      "it needs a key: write `key: env:NAME` for `api` in `<home>/config/config.yaml`",
    ),
  );
});

const passing: readonly (readonly [kind: Kind, reply: Reply])[] = [
  [
    "openai",
    {
      status: 429,
      body: openAiError("Rate limit reached", "requests", "rate_limit_exceeded"),
      headers: { "retry-after": "2" },
    },
  ],
  ["openai", { status: 503, body: "", headers: { "retry-after": "Thu, 01 Jan 2026 00:00:04 GMT" } }],
  ["anthropic", { status: 529, body: anthropicError("Overloaded", "overloaded_error") }],
  [
    "anthropic",
    {
      respond: (response) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(`event: error\ndata: ${JSON.stringify(anthropicError("Overloaded", "overloaded_error"))}\n\n`),
    },
  ],
  ["openai", { pieces: [], isCutOff: true }],
  ["openai", { respond: (response) => void response.destroy() }],
];

test("ask_model tries again what passes, as long after as the API asks for", async () => {
  const seen = await Promise.all(
    passing.map(([kind, reply]) => asked([reply, reply, { pieces: ["there"] }], { kind })),
  );
  assert.equal(
    seen.map(({ outcome, sleptMs, requests, stdout }) => [outcome.content, sleptMs, requests, stdout]),
    [[2_000, 2_000], [4_000, 4_000], ...Array.from({ length: 4 }, () => [500, 1_000])].map((sleptMs) => [
      [{ type: "text", text: "there" }],
      sleptMs,
      3,
      "there\n",
    ]),
  );
  assert.equal(seen[0]?.progress, ["`api` is busy: attempt 2 of 3 in 2 s", "`api` is busy: attempt 3 of 3 in 2 s"]);
});

test("ask_model gives up after the third attempt, and at once where it would wait for long", async () => {
  const busy: Reply = {
    status: 429,
    body: openAiError("Slow down", "requests", "rate_limit_exceeded"),
    headers: { "retry-after": "10" },
  };
  const long: Reply = {
    status: 429,
    body: openAiError("Slow down", "requests", "rate_limit_exceeded"),
    headers: { "retry-after": "11" },
  };
  const down: Reply = { status: 500, body: anthropicError("Internal server error", "api_error") };
  const seen = [await asked([busy]), await asked([long]), await asked([down], { kind: "anthropic" })];
  assert.equal(
    seen.map((one) => [failureOf(one), one.sleptMs, one.requests]),
    [
      [network("openai", "`api` answered with status 429: Slow down", "try again in 10 s"), [10_000, 10_000], 3],
      [network("openai", "`api` answered with status 429: Slow down", "try again in 11 s"), [], 1],
      [
        network("anthropic", "`api` answered with status 500: Internal server error", "try again later"),
        [500, 1_000],
        3,
      ],
    ],
  );
});

test("ask_model is cancelled while it waits", async () => {
  const cancel = new AbortController();
  const seen = await asked([{ status: 503, body: "" }], {
    options: { signal: cancel.signal, onSleep: () => cancel.abort() },
  });
  assert.equal([failureOf(seen), seen.requests], [{ kind: "cancelled" }, 1]);
});

const openAiChunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "half" }, finish_reason: null }] })}\n\n`;
const streamed = (write: (response: ServerResponse) => void): Reply => ({
  respond: (response) => write(response.writeHead(200, { "content-type": "text/event-stream" })),
});
const half = [{ type: "text", text: "half" }];

const broken: readonly (readonly [reply: Reply, kind: Kind, content: unknown, failure: Failure])[] = [
  [
    { pieces: ["half"], isCutOff: true },
    "openai",
    half,
    network("openai", "the answer of `api` broke off", "try again later"),
  ],
  [
    { pieces: ["half"], isCutOff: true },
    "anthropic",
    half,
    network("anthropic", "the answer of `api` broke off", "try again later"),
  ],
  [
    streamed((response) => void response.write(openAiChunk, () => response.socket?.resetAndDestroy())),
    "openai",
    half,
    network(
      "openai",
      "the connection to `api` was lost: `127.0.0.1:PORT` closed the connection before its answer was whole",
      "try again later",
    ),
  ],
  [
    streamed(
      (response) =>
        void response.end(
          `${openAiChunk}data: {"error": {"message": "CUDA out of memory", "type": "server_error", "code": 500}}\n\n`,
        ),
    ),
    "openai",
    half,
    network("openai", "`api` stopped with an error in the middle of the answer: CUDA out of memory", "try again later"),
  ],
  [
    streamed((response) => void response.end(`${openAiChunk}data: {"choices": [{\n\n`)),
    "openai",
    half,
    network("openai", "`api` does not answer like an API of kind `openai`", placeHelp),
  ],
  [
    streamed((response) => void response.end(`data: "text"\n\n`)),
    "anthropic",
    [],
    network("anthropic", "`api` does not answer like an API of kind `anthropic`", placeHelp),
  ],
  [
    { status: 200, body: "<html>a login page</html>", headers: { "content-type": "text/html" } },
    "openai",
    [],
    network("openai", "`api` does not answer like an API of kind `openai`", placeHelp),
  ],
  [
    { status: 200, body: { hello: "world" } },
    "anthropic",
    [],
    network("anthropic", "`api` does not answer like an API of kind `anthropic`", placeHelp),
  ],
  [
    { status: 200, body: { choices: [] } },
    "openai",
    [],
    network("openai", "`api` does not answer like an API of kind `openai`", placeHelp),
  ],
  [
    { status: 302, body: "", headers: { location: "/elsewhere" } },
    "openai",
    [],
    network("openai", "`127.0.0.1` redirects, and redirects are not followed here", placeHelp),
  ],
];

test("ask_model keeps what came before an answer broke, and asks only once", async () => {
  const seen = await Promise.all(broken.map(([reply, kind]) => asked([reply], { kind })));
  assert.equal(
    seen.map((one) => [one.outcome.content, failureOf(one), one.requests]),
    broken.map(([, , content, failure]) => [content, failure, 1]),
  );
  assert.is(seen[0]?.stdout, "half\n");
});

test("ask_model stops an answer that drips for ever, and one that is endless", async () => {
  const drip = await asked(
    [
      streamed((response) => {
        response.write(openAiChunk);
        const timer = setInterval(() => response.write(": still here\n\n"), 5);
        response.on("close", () => clearInterval(timer));
      }),
    ],
    { options: { limits: { timeoutMs: 100 } } },
  );
  assert.equal([drip.outcome.content, failureOf(drip)], [half, { kind: "timeout", limitMs: 100 }]);
  const endless = await asked([
    streamed((response) => {
      const comment = `: ${"x".repeat(1024 * 1024)}\n`;
      const more = (): void => void (response.writable && response.write(comment, more));
      more();
    }),
  ]);
  assert.equal(failureOf(endless), {
    kind: "limit",
    limit: 16_777_216,
    unit: "bytes of answer",
    help: ["ask for less"],
  });
});

test("ask_model says that nothing is there, and what is missing", async () => {
  const server = await startModelServer({ pieces: [] });
  await server.close();
  await withModels(
    `providers: { default: api, api: { kind: openai, url: "${server.origin}/v1", model: m }, bare: { kind: openai, url: "${server.origin}/v1" } }`,
    async ({ ask, folder }) => {
      assert.equal(
        [failureOf(await ask({ prompt: "x" })), failureOf(await ask({ prompt: "x", provider: "bare" }))],
        [
          {
            kind: "network",
            url: `${server.origin}/v1/chat/completions`,
            reason: `nothing listens at \`127.0.0.1:${server.port}\``,
            help: [`check \`url\` and \`kind\` of \`api\` in \`${folder}/config/config.yaml\``],
          },
          {
            kind: "rejected",
            reason: "`bare` has no model",
            help: [`pass \`model\`, or write \`model: NAME\` for \`bare\` in \`${folder}/config/config.yaml\``],
          },
        ],
      );
    },
  );
});

test("ask_model reaches the host that is configured and no other private one", async () => {
  const elsewhere = await asked([
    { status: 307, body: "", headers: { location: "http://127.0.0.2/v1/chat/completions" } },
  ]);
  assert.equal([failureOf(elsewhere)?.kind, elsewhere.requests], ["network", 1]);
});

test.run();
