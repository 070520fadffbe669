import { assert, suite } from "../harness.ts";
import { webSearch } from "../../src/features/web/web-search.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { runWebTool, type WebCall } from "./web-context.ts";
import { startServer, type SeenRequest } from "./web-server.ts";

const test = suite("base/web-search");

const KEY = "BSATestToken0123456789";

interface Asked {
  readonly settings: (origin: string) => WebCall["settings"];
  readonly args?: JsonObject;
}

interface Searched {
  readonly outcome: Outcome;
  readonly seen: readonly SeenRequest[];
}

async function searched(status: number, body: unknown, { settings, args }: Asked): Promise<Searched> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const server = await startServer(
    (_request, response) => void response.writeHead(status, { "content-type": "application/json" }).end(text),
  );
  try {
    const outcome = await runWebTool(webSearch, args ?? { query: "annotation tools" }, {
      settings: settings(server.origin) ?? {},
    });
    return {
      outcome: JSON.parse(JSON.stringify(outcome).replaceAll(`:${server.port}`, ":PORT")) as Outcome,
      seen: server.seen,
    };
  } finally {
    await server.close();
  }
}

const searxng = (origin: string): WebCall["settings"] => ({ "web_search.engine": "SearXNG", "web_search.url": origin });
const brave = (origin: string): WebCall["settings"] => ({
  "web_search.engine": "brave",
  "web_search.url": `${origin}/res/v1/web/search`,
  "web_search.key": KEY,
});

// An instance's answer to `format=json`.
const searxngAnswer = {
  query: "annotation tools",
  number_of_results: 0,
  results: [
    {
      template: "default.html",
      url: "https://first.test/",
      title: "First",
      content: "Words about annotation tools.",
      engine: "duckduckgo",
      parsed_url: ["https", "first.test", "/", "", "", ""],
      engines: ["duckduckgo", "brave"],
      positions: [1, 2],
      score: 3,
      category: "general",
    },
    {
      template: "default.html",
      url: "https://second.test/",
      title: "Second",
      content: "",
      engine: "brave",
      publishedDate: null,
    },
    { template: "default.html", url: "https://third.test/", title: "Third", content: "More words.", engine: "brave" },
    { template: "torrent.html", url: "magnet:?xt=urn:btih:x", title: "No page" },
    { title: "No address" },
  ],
  answers: [{ url: null, template: "answer/legacy.html", engine: "calculator", answer: "4" }],
  corrections: [],
  infoboxes: [],
  suggestions: ["annotation tool"],
  unresponsive_engines: [["google", "timeout"]],
};

test("web_search over SearXNG lists results, and its own address may be private", async () => {
  const { outcome, seen } = await searched(200, searxngAnswer, { settings: searxng });
  assert.equal(outcome, {
    status: "ok",
    content: [
      {
        type: "text",
        text: "1. First\n   https://first.test/\n   Words about annotation tools.\n\n2. Second\n   https://second.test/\n\n3. Third\n   https://third.test/\n   More words.\n\nmore: pass `page` 2",
      },
    ],
    isUntrusted: true,
  });
  assert.equal(
    seen.map((request) => [request.method, request.path, request.headers["accept"]]),
    [["GET", "/search?q=annotation+tools&format=json&pageno=1", "application/json"]],
  );
});

test("web_search over SearXNG says when `count` left results of a page out", async () => {
  const { outcome, seen } = await searched(200, searxngAnswer, {
    settings: (origin) => searxng(`${origin}/base/search/`),
    args: { query: "x", count: 2, page: 3 },
  });
  assert.equal(outcome.content, [
    {
      type: "text",
      text: "1. First\n   https://first.test/\n   Words about annotation tools.\n\n2. Second\n   https://second.test/\n\nmore: pass `count` 3",
    },
  ]);
  assert.is(seen[0]?.path, "/base/search?q=x&format=json&pageno=3");
});

test("web_search gives JSON to programs", async () => {
  const { outcome } = await searched(200, searxngAnswer, {
    settings: searxng,
    args: { query: "x", count: 1, format: "json" },
  });
  assert.equal(outcome, {
    status: "ok",
    content: [
      {
        type: "json",
        value: [{ title: "First", url: "https://first.test/", snippet: "Words about annotation tools." }],
      },
    ],
    isUntrusted: true,
  });
});

test("web_search says that nothing was found", async () => {
  const { outcome } = await searched(200, { ...searxngAnswer, results: [] }, { settings: searxng });
  assert.equal(outcome.content, [{ type: "text", text: "nothing found for `annotation tools`" }]);
});

function failed(path: string, reason: string, help: readonly string[]): Outcome {
  return {
    status: "failed",
    content: [],
    failure: { kind: "network", url: `http://127.0.0.1:PORT${path}`, reason, help },
  };
}

test("web_search says what an instance refuses", async () => {
  const forbidden = "<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1>";
  assert.equal(
    [
      (await searched(403, forbidden, { settings: searxng })).outcome,
      (await searched(429, "Too Many Requests", { settings: searxng })).outcome,
      (await searched(200, "<html>", { settings: searxng })).outcome,
    ],
    [
      failed("/search", "SearXNG answered with status 403", [
        "the instance does not return JSON: add `json` to `search.formats` in its `settings.yml`",
      ]),
      failed("/search", "SearXNG answered with status 429", [
        "the instance limits its callers: wait, or use your own instance",
      ]),
      failed("/search", "SearXNG did not answer with JSON results", []),
    ],
  );
});

// The shape in the API's reference, shortened to two results.
const braveAnswer = {
  type: "search",
  query: {
    original: "annotation tools",
    show_strict_warning: false,
    is_navigational: false,
    spellcheck_off: true,
    country: "us",
    bad_results: false,
    more_results_available: true,
  },
  mixed: { type: "mixed", main: [{ type: "web", index: 0, all: false }], top: [], side: [] },
  web: {
    type: "search",
    results: [
      {
        title: "Ann&#x27;s <strong>tools</strong> &amp; more",
        url: "https://first.test/",
        is_source_local: false,
        is_source_both: false,
        description: "1 &lt; 2 &quot;quoted&quot; &copy; &#8212; &#27;&#xE0041;&#x110000;",
        page_age: "2025-01-15T00:00:00",
        profile: {
          name: "First",
          url: "https://first.test/",
          long_name: "first.test",
          img: "https://imgs.search.brave.com/x",
        },
        language: "en",
        family_friendly: true,
        type: "search_result",
        subtype: "generic",
        meta_url: { scheme: "https" },
        extra_snippets: ["one"],
      },
      { title: "Second", url: "https://second.test/", description: "" },
    ],
    family_friendly: true,
  },
};

test("web_search over Brave lists results as text and not as HTML", async () => {
  const { outcome, seen } = await searched(200, braveAnswer, {
    settings: brave,
    args: { query: "annotation tools", count: 50, page: 2 },
  });
  assert.equal(outcome, {
    status: "ok",
    content: [
      {
        type: "text",
        text: '21. Ann\'s tools & more\n   https://first.test/\n   1 < 2 "quoted" &copy; — &#x110000;\n\n22. Second\n   https://second.test/\n\nmore: pass `page` 3',
      },
    ],
    isUntrusted: true,
  });
  assert.equal(
    seen.map((request) => [
      request.path,
      request.headers["x-subscription-token"],
      request.headers["accept"],
      request.headers["cache-control"],
    ]),
    [
      [
        "/res/v1/web/search?q=annotation+tools&count=20&offset=1&text_decorations=false&result_filter=web",
        KEY,
        "application/json",
        "no-cache",
      ],
    ],
  );
});

test("web_search over Brave says nothing of more on the last page", async () => {
  const one = { ...braveAnswer, web: { results: braveAnswer.web.results.slice(1) } };
  const last = await searched(200, one, { settings: brave, args: { query: "x", page: 10 } });
  const only = await searched(200, { ...one, query: { more_results_available: false } }, { settings: brave });
  const none = await searched(200, { type: "search", query: {} }, { settings: brave });
  assert.equal(
    [last, only, none].map(({ outcome }) => outcome.content),
    [
      [{ type: "text", text: "91. Second\n   https://second.test/" }],
      [{ type: "text", text: "1. Second\n   https://second.test/" }],
      [{ type: "text", text: "nothing found for `annotation tools`" }],
    ],
  );
});

function braveError(code: string, status: number, detail: string): unknown {
  return {
    type: "ErrorResponse",
    error: { id: "5d832250-9396-4f6e-b84a-2a1fe524cd7d", status, code, detail, meta: { component: "authentication" } },
    time: 1663072993,
  };
}

test("web_search says what Brave says, what to do, and never the key", async () => {
  const path = "/res/v1/web/search";
  const keyHelp = ["check WEB_SEARCH_KEY in the environment, or `web_search.key` in `config.yaml`"];
  const limited = {
    type: "ErrorResponse",
    errors: [
      {
        id: "x",
        code: "RATE_LIMITED",
        detail: "Request rate limit exceeded for plan.",
        status: 429,
        meta: { component: "rate_limiter" },
      },
    ],
    time: 1663072993,
  };
  const outcomes = [
    (
      await searched(
        422,
        braveError("SUBSCRIPTION_TOKEN_INVALID", 422, `The provided subscription token is invalid: ${KEY}`),
        { settings: brave },
      )
    ).outcome,
    (await searched(422, braveError("VALIDATION", 422, "Unable to validate request parameter(s)"), { settings: brave }))
      .outcome,
    (await searched(429, limited, { settings: brave })).outcome,
    (await searched(401, "", { settings: brave })).outcome,
    (await searched(502, "bad gateway", { settings: brave })).outcome,
  ];
  assert.equal(outcomes, [
    failed(path, "Brave answered with status 422: The provided subscription token is invalid: •••", keyHelp),
    failed(path, "Brave answered with status 422: Unable to validate request parameter(s)", [
      "the query is too long for Brave (at most 400 characters and 50 words), or a value is out of range",
    ]),
    failed(path, "Brave answered with status 429: Request rate limit exceeded for plan.", [
      "the quota of the key's plan is used up: wait, or upgrade the plan",
    ]),
    failed(path, "Brave answered with status 401", keyHelp),
    failed(path, "Brave answered with status 502", ["try again later"]),
  ]);
});

test("web_search does not send its key on to where it is redirected", async () => {
  const other = await startServer((_request, response) => void response.end());
  const first = await startServer(
    (_request, response) => void response.writeHead(302, { location: `${other.origin}/` }).end(),
  );
  try {
    const outcome = await runWebTool(
      webSearch,
      { query: "x" },
      { settings: { ...brave(first.origin), "web.allow_hosts": other.host } },
    );
    assert.equal([outcome.status, first.seen.length, other.seen.length], ["failed", 1, 0]);
  } finally {
    await Promise.all([first.close(), other.close()]);
  }
});

test("web_search names the setting that is missing", async () => {
  const missing = async (settings: WebCall["settings"]): Promise<unknown> => {
    const outcome = await runWebTool(webSearch, { query: "x" }, { settings: settings ?? {} });
    return outcome.status === "failed" ? outcome.failure : outcome;
  };
  assert.equal(
    [
      await missing({}),
      await missing({ "web_search.engine": "searxng" }),
      await missing({ "web_search.engine": "brave" }),
      await missing({ "web_search.engine": "constructor" }),
    ],
    [
      {
        kind: "unavailable",
        tool: "web_search",
        reasons: [
          "needs a search engine, `searxng` or `brave`: set WEB_SEARCH_ENGINE in the environment, or `web_search.engine` in `config.yaml`",
        ],
      },
      {
        kind: "unavailable",
        tool: "web_search",
        reasons: [
          "needs the address of a SearXNG instance: set WEB_SEARCH_URL in the environment, or `web_search.url` in `config.yaml`",
        ],
      },
      {
        kind: "unavailable",
        tool: "web_search",
        reasons: [
          "needs a key of the Brave Search API: set WEB_SEARCH_KEY in the environment, or `web_search.key` in `config.yaml`",
        ],
      },
      {
        kind: "rejected",
        reason: "unknown search engine `constructor` here",
        help: [
          "set WEB_SEARCH_ENGINE in the environment, or `web_search.engine` in `config.yaml`, to `searxng` or `brave`",
        ],
      },
    ],
  );
});

test.run();
