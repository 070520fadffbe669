// `google_search`: Google's Programmable Search Engine over its Custom Search JSON API.
// Format: developers.google.com/custom-search/v1/using_rest (answers) and the common error object of Google APIs.
import { integer } from "../../core/schema/declare.ts";
import type { Json } from "../../core/schema/json.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import { askApi } from "./web-api.ts";
import {
  arrayAt,
  queryParameter,
  resultFormat,
  searchOutcome,
  searchResult,
  textAt,
  valueAt,
  type SearchResult,
} from "./web-results.ts";
import { endpointOf, keyOf, notConfigured, placeOf, settingText } from "./web-settings.ts";

const ENDPOINT = "https://www.googleapis.com/customsearch/v1";
const RESULTS_A_PAGE = 10;
/** Google gives the first hundred results and no more. */
const START_MAX = 91;
const TIMEOUT_MS = 30_000;

const QUOTA_REASONS = [
  "rateLimitExceeded",
  "dailyLimitExceeded",
  "quotaExceeded",
  "RATE_LIMIT_EXCEEDED",
  "RESOURCE_EXHAUSTED",
];
const KEY_REASONS = ["API_KEY_INVALID", "keyInvalid", "keyExpired"];

export const googleSearch = baseTool({
  name: "google_search",
  title: "Search with Google",
  description: [
    "Search the web with Google and return title, address and snippet of ten results. Read a result with `web_fetch`.",
    "The user needs a Programmable Search Engine: GOOGLE_SEARCH_KEY and GOOGLE_SEARCH_ENGINE.",
  ].join("\n\n"),
  parameters: {
    query: queryParameter("What to search for; Google's operators such as `site:` work"),
    start: integer("The rank of the first result to return: 1, 11, 21 and so on", {
      default: 1,
      minimum: 1,
      maximum: START_MAX,
    }),
    format: resultFormat,
  },
  effects: ["read", "network"],
  timeoutMs: TIMEOUT_MS,
  examples: [{ query: "annotation driven tools" }],
  async execute(args, context) {
    const key = await keyOf("google_search.key", context);
    if (key.kind === "failed") return key.outcome;
    const engine = await settingText("google_search.engine", context);
    const missing = [
      ...(key.key === "" ? [{ name: "google_search.key", what: "an API key" } as const] : []),
      ...(engine === ""
        ? [{ name: "google_search.engine", what: "the id of a Programmable Search Engine" } as const]
        : []),
    ];
    if (missing.length > 0) return notConfigured("google_search", missing);
    const endpoint = await endpointOf("google_search.url", ENDPOINT, context);
    if (endpoint.kind === "failed") return endpoint.outcome;
    const answer = await askApi(
      {
        engine: "Google",
        endpoint: endpoint.url,
        isEndpointConfigured: endpoint.isConfigured,
        query: { key: key.key, cx: engine, q: args.query, start: String(args.start), num: String(RESULTS_A_PAGE) },
        secret: key.key,
        messageOf: (body) => textAt(body, "error", "message"),
        helpOf,
      },
      context,
    );
    if (answer.kind === "failed") return answer.outcome;
    const results = arrayAt(answer.body, "items").map((item) =>
      searchResult(item, { title: "title", url: "link", snippet: "snippet" }),
    );
    const next = valueAt(arrayAt(answer.body, "queries", "nextPage")[0] ?? null, ["startIndex"]);
    return searchOutcome(
      {
        query: args.query,
        firstRank: args.start,
        results: results.filter((result): result is SearchResult => result !== undefined),
        ...(typeof next === "number" && next <= START_MAX ? { more: `\`start\` ${next}` } : {}),
      },
      args.format,
    );
  },
});

function helpOf(status: number, body: Json): readonly string[] {
  const reasons = [
    textAt(body, "error", "status"),
    ...arrayAt(body, "error", "errors").map((error) => textAt(error, "reason")),
    ...arrayAt(body, "error", "details").map((detail) => textAt(detail, "reason")),
  ];
  const has = (known: readonly string[]): boolean =>
    reasons.some((reason) => reason !== undefined && known.includes(reason));
  if (has(KEY_REASONS) || status === 401) return [`check ${placeOf("google_search.key")}`];
  if (status === 429 || has(QUOTA_REASONS))
    return ["the key's quota is used up: wait, or raise it in the Google Cloud console"];
  if (status === 403) return ["turn the Custom Search API on for the key's project in the Google Cloud console"];
  if (status === 400 || status === 404) return [`check ${placeOf("google_search.engine")}`];
  return ["try again later"];
}
