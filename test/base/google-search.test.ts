import { assert, suite } from "../harness.ts";
import { googleSearch } from "../../src/features/web/google-search.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { runWebTool, type WebCall } from "./web-context.ts";
import { startServer, type SeenRequest } from "./web-server.ts";

const test = suite("base/google-search");

const KEY = "AIzaSyTestKey0123456789";

interface Asked {
  readonly args?: JsonObject;
  readonly settings?: WebCall["settings"];
}

interface Searched {
  readonly outcome: Outcome;
  readonly seen: readonly SeenRequest[];
}

/** Returns the result of `google_search` for one answer of the API. */
async function searched(status: number, body: unknown, { args, settings }: Asked = {}): Promise<Searched> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const server = await startServer(
    (_request, response) =>
      void response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(text),
  );
  try {
    const given = {
      "google_search.key": ` ${KEY}\n`,
      "google_search.engine": "017576662512468239146:omuauf_lfve",
      "google_search.url": `${server.origin}/customsearch/v1`,
      ...settings,
    };
    const outcome = await runWebTool(googleSearch, args ?? { query: "annotation tools" }, { settings: given });
    return {
      outcome: JSON.parse(JSON.stringify(outcome).replaceAll(`:${server.port}`, ":PORT")) as Outcome,
      seen: server.seen,
    };
  } finally {
    await server.close();
  }
}

// The documented shape of the API's answer, with two results.
const answer = {
  kind: "customsearch#search",
  url: {
    type: "application/json",
    template: "https://www.googleapis.com/customsearch/v1?q={searchTerms}&num={count?}&start={startIndex?}",
  },
  queries: {
    request: [
      {
        title: "Google Custom Search - annotation tools",
        totalResults: "2740000",
        searchTerms: "annotation tools",
        count: 10,
        startIndex: 1,
        inputEncoding: "utf8",
        outputEncoding: "utf8",
        safe: "off",
        cx: "017576662512468239146:omuauf_lfve",
      },
    ],
    nextPage: [
      {
        title: "Google Custom Search - annotation tools",
        totalResults: "2740000",
        searchTerms: "annotation tools",
        count: 10,
        startIndex: 11,
        inputEncoding: "utf8",
        outputEncoding: "utf8",
        safe: "off",
        cx: "017576662512468239146:omuauf_lfve",
      },
    ],
  },
  context: { title: "Test engine" },
  searchInformation: {
    searchTime: 0.24,
    formattedSearchTime: "0.24",
    totalResults: "2740000",
    formattedTotalResults: "2,740,000",
  },
  items: [
    {
      kind: "customsearch#result",
      title: "First page",
      htmlTitle: "<b>First</b> page",
      link: "https://first.test/a?b=1",
      displayLink: "first.test",
      formattedUrl: "https://first.test/a?b=1",
      snippet: "Apr 3, 2024 ... Words about\nannotation \u{a0}tools.",
      htmlSnippet: "Apr 3, 2024 <b>...</b>",
      pagemap: { metatags: [{ "og:title": "First" }] },
    },
    {
      kind: "customsearch#result",
      title: "Second \u{1b}[31mpage",
      link: "http://second.test/",
      displayLink: "second.test",
    },
    { kind: "customsearch#result", title: "No link", snippet: "dropped" },
    { kind: "customsearch#result", title: "Script", link: "javascript:alert(1)" },
  ],
};

test("google_search lists title, address and snippet, and says how to have more", async () => {
  const { outcome, seen } = await searched(200, answer);
  assert.equal(outcome, {
    status: "ok",
    content: [
      {
        type: "text",
        text: "1. First page\n   https://first.test/a?b=1\n   Apr 3, 2024 ... Words about annotation tools.\n\n2. Second [31mpage\n   http://second.test/\n\nmore: pass `start` 11",
      },
    ],
    isUntrusted: true,
  });
  assert.equal(
    seen.map((request) => [request.method, request.path, request.headers["accept"]]),
    [
      [
        "GET",
        `/customsearch/v1?key=${KEY}&cx=017576662512468239146%3Aomuauf_lfve&q=annotation+tools&start=1&num=10`,
        "application/json",
      ],
    ],
  );
});

test("google_search counts on from `start`, and says nothing of more where there is no more", async () => {
  const { outcome, seen } = await searched(
    200,
    { ...answer, queries: { request: answer.queries.request }, items: answer.items.slice(0, 1) },
    { args: { query: "a&b=c #d", start: 91 } },
  );
  assert.equal(outcome.content, [
    {
      type: "text",
      text: "91. First page\n   https://first.test/a?b=1\n   Apr 3, 2024 ... Words about annotation tools.",
    },
  ]);
  assert.is(new URL(seen[0]?.path ?? "", "http://x").searchParams.get("q"), "a&b=c #d");
});

test("google_search gives JSON to programs", async () => {
  const { outcome } = await searched(200, answer, { args: { query: "annotation tools", format: "json" } });
  assert.equal(outcome.content, [
    {
      type: "json",
      value: [
        {
          title: "First page",
          url: "https://first.test/a?b=1",
          snippet: "Apr 3, 2024 ... Words about annotation tools.",
        },
        { title: "Second [31mpage", url: "http://second.test/", snippet: "" },
      ],
    },
  ]);
});

test("google_search says that nothing was found", async () => {
  const { outcome } = await searched(
    200,
    { kind: "customsearch#search", searchInformation: { totalResults: "0" } },
    { args: { query: "zzz\u{7}zz" } },
  );
  assert.equal(outcome, {
    status: "ok",
    content: [{ type: "text", text: "nothing found for `zzzzz`" }],
    isUntrusted: true,
  });
});

function failed(reason: string, help: readonly string[]): Outcome {
  return {
    status: "failed",
    content: [],
    failure: { kind: "network", url: "http://127.0.0.1:PORT/customsearch/v1", reason, help },
  };
}

const keyHelp = ["check GOOGLE_SEARCH_KEY in the environment, or `google_search.key` in `config.yaml`"];
const engineHelp = ["check GOOGLE_SEARCH_ENGINE in the environment, or `google_search.engine` in `config.yaml`"];
const quotaHelp = ["the key's quota is used up: wait, or raise it in the Google Cloud console"];
const projectHelp = ["turn the Custom Search API on for the key's project in the Google Cloud console"];

const errors: readonly (readonly [status: number, body: unknown, outcome: Outcome])[] = [
  [
    400,
    {
      error: {
        code: 400,
        message: `API key not valid. Please pass a valid API key. (${KEY})`,
        errors: [
          { message: "API key not valid. Please pass a valid API key.", domain: "global", reason: "badRequest" },
        ],
        status: "INVALID_ARGUMENT",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "API_KEY_INVALID",
            domain: "googleapis.com",
            metadata: { service: "customsearch.googleapis.com" },
          },
        ],
      },
    },
    failed("Google answered with status 400: API key not valid. Please pass a valid API key. (•••)", keyHelp),
  ],
  [
    429,
    {
      error: {
        code: 429,
        message:
          "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'customsearch.googleapis.com' for consumer 'project_number:1'.",
        errors: [{ message: "Quota exceeded", domain: "global", reason: "rateLimitExceeded" }],
        status: "RESOURCE_EXHAUSTED",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "RATE_LIMIT_EXCEEDED",
            domain: "googleapis.com",
          },
        ],
      },
    },
    failed(
      "Google answered with status 429: Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'customsearch.googleapis.com' for consumer 'project_number:1'.",
      quotaHelp,
    ),
  ],
  [
    403,
    {
      error: {
        code: 403,
        message: "This API requires billing to be enabled for more queries.",
        errors: [{ domain: "usageLimits", reason: "dailyLimitExceeded", message: "x" }],
      },
    },
    failed("Google answered with status 403: This API requires billing to be enabled for more queries.", quotaHelp),
  ],
  [
    403,
    {
      error: {
        code: 403,
        message: "Custom Search API has not been used in project 1 before or it is disabled.",
        errors: [{ domain: "usageLimits", reason: "accessNotConfigured" }],
        status: "PERMISSION_DENIED",
      },
    },
    failed(
      "Google answered with status 403: Custom Search API has not been used in project 1 before or it is disabled.",
      projectHelp,
    ),
  ],
  [
    400,
    {
      error: {
        code: 400,
        message: "Request contains an invalid argument.",
        errors: [{ domain: "global", reason: "badRequest" }],
        status: "INVALID_ARGUMENT",
      },
    },
    failed("Google answered with status 400: Request contains an invalid argument.", engineHelp),
  ],
  [500, "<html>oops</html>", failed("Google answered with status 500", ["try again later"])],
  [200, "<html>a login page</html>", failed("Google did not answer with JSON results", [])],
  [200, "[]", failed("Google did not answer with JSON results", [])],
];

test("google_search says what the API says, what to do, and never the key", async () => {
  const outcomes = await Promise.all(errors.map(async ([status, body]) => (await searched(status, body)).outcome));
  assert.equal(
    outcomes,
    errors.map(([, , outcome]) => outcome),
  );
  assert.not.match(JSON.stringify(outcomes), KEY);
});

test("google_search does not follow a redirect with its key", async () => {
  const server = await startServer(
    (_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  );
  try {
    const outcome = await runWebTool(
      googleSearch,
      { query: "x" },
      { settings: { "google_search.key": KEY, "google_search.engine": "cx", "google_search.url": server.origin } },
    );
    assert.equal(
      [outcome, server.seen.length],
      [
        {
          status: "failed",
          content: [],
          failure: {
            kind: "network",
            url: `${server.origin}/`,
            reason: "`127.0.0.1` redirects, and redirects are not followed here",
            help: [],
          },
        },
        1,
      ],
    );
  } finally {
    await server.close();
  }
});

test("google_search names every setting that is missing", async () => {
  assert.equal(await runWebTool(googleSearch, { query: "x" }), {
    status: "failed",
    content: [],
    failure: {
      kind: "unavailable",
      tool: "google_search",
      reasons: [
        "needs an API key: set GOOGLE_SEARCH_KEY in the environment, or `google_search.key` in `config.yaml`",
        "needs the id of a Programmable Search Engine: set GOOGLE_SEARCH_ENGINE in the environment, or `google_search.engine` in `config.yaml`",
      ],
    },
  });
});

test("google_search says which setting is no key or no address, without showing it", async () => {
  const outcomes = [
    (await searched(200, answer, { settings: { "google_search.key": "two\r\nlines" } })).outcome,
    (await searched(200, answer, { settings: { "google_search.url": "not an address" } })).outcome,
  ];
  assert.equal(outcomes, [
    {
      status: "failed",
      content: [],
      failure: {
        kind: "rejected",
        reason: "GOOGLE_SEARCH_KEY has characters that cannot be in an API key",
        help: [
          "set GOOGLE_SEARCH_KEY in the environment, or `google_search.key` in `config.yaml`, to the key and nothing else",
        ],
      },
    },
    {
      status: "failed",
      content: [],
      failure: {
        kind: "rejected",
        reason: "GOOGLE_SEARCH_URL is not a web address",
        help: [
          "set GOOGLE_SEARCH_URL in the environment, or `google_search.url` in `config.yaml`, to an address like `https://search.example.com/`",
        ],
      },
    },
  ]);
});

test("google_search shows no query of a configured address, where a token could be", async () => {
  const { outcome, seen } = await searched(500, {});
  assert.equal(outcome, failed("Google answered with status 500", ["try again later"]));
  assert.is(seen.length, 1);
  const unreachable = await runWebTool(
    googleSearch,
    { query: "x" },
    {
      settings: {
        "google_search.key": KEY,
        "google_search.engine": "cx",
        "google_search.url": "http://127.0.0.1:9/path?token=secret",
      },
    },
  );
  assert.equal(unreachable, {
    status: "failed",
    content: [],
    failure: {
      kind: "network",
      url: "http://127.0.0.1:9/path",
      reason: "port 9 is blocked, because it belongs to a service other than the web",
      help: [],
    },
  });
});

test.run();
