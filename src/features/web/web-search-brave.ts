// The Brave Search API. Format: api-dashboard.search.brave.com/api-reference/web/search/get.
import { rowOf } from "../../core/text/row-of.ts";
import type { Json } from "../../core/schema/json.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { askApi } from "./web-api.ts";
import {
  type SearchResult,
  type WebSearch,
  type WebSearchAnswer,
  arrayAt,
  searchResult,
  textAt,
  valueAt,
} from "./web-results.ts";
import { endpointOf, keyOf, notConfigured, placeOf } from "./web-settings.ts";
import { shownText } from "./web-text.ts";

const ENDPOINT = "https://api.search.brave.com/res/v1/web/search";
const COUNT_MAX = 20;
const PAGE_MAX = 10;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

export async function braveSearch(search: WebSearch, context: ToolContext): Promise<WebSearchAnswer> {
  const key = await keyOf("web_search.key", context);
  if (key.kind === "failed") return key;
  if (key.key === "")
    return {
      kind: "failed",
      outcome: notConfigured("web_search", [{ name: "web_search.key", what: "a key of the Brave Search API" }]),
    };
  const endpoint = await endpointOf("web_search.url", ENDPOINT, context);
  if (endpoint.kind === "failed") return endpoint;
  const count = Math.min(search.count, COUNT_MAX);
  const answer = await askApi(
    {
      engine: "Brave",
      endpoint: endpoint.url,
      isEndpointConfigured: endpoint.isConfigured,
      // `offset` counts pages; without decorations snippets hold no tags.
      query: {
        q: search.query,
        count: String(count),
        offset: String(search.page - 1),
        text_decorations: "false",
        result_filter: "web",
      },
      headers: { "x-subscription-token": key.key, "cache-control": "no-cache" },
      secret: key.key,
      messageOf: (body) => textAt(errorOf(body), "detail"),
      helpOf,
    },
    context,
  );
  if (answer.kind === "failed") return answer;
  const results = arrayAt(answer.body, "web", "results")
    .map((item) => searchResult(item, { title: "title", url: "url", snippet: "description" }))
    .filter((result): result is SearchResult => result !== undefined)
    .map((result) => ({
      ...result,
      title: shownText(unescaped(result.title)),
      snippet: shownText(unescaped(result.snippet)),
    }));
  const hasMore = valueAt(answer.body, ["query", "more_results_available"]) === true && search.page < PAGE_MAX;
  const page = { query: search.query, firstRank: (search.page - 1) * count + 1, results };
  return { kind: "page", page: hasMore ? { ...page, more: `\`page\` ${search.page + 1}` } : page };
}

/** Returns the error: `error` in real answers, `errors` in the API's reference. */
function errorOf(body: Json): Json {
  return valueAt(body, ["error"]) ?? arrayAt(body, "errors")[0] ?? null;
}

function helpOf(status: number, body: Json): readonly string[] {
  const code = textAt(errorOf(body), "code") ?? "";
  if (code.startsWith("SUBSCRIPTION_TOKEN") || status === 401 || status === 403)
    return [`check ${placeOf("web_search.key")}`];
  if (status === 429) return ["the quota of the key's plan is used up: wait, or upgrade the plan"];
  if (status === 422)
    return ["the query is too long for Brave (at most 400 characters and 50 words), or a value is out of range"];
  return ["try again later"];
}

/** Decodes titles and snippets, which are HTML text. */
function unescaped(text: string): string {
  return text
    .replaceAll(/<\/?strong>/g, "")
    .replaceAll(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,8});/gi, (whole, entity: string) => characterOf(entity) ?? whole);
}

function characterOf(entity: string): string | undefined {
  if (!entity.startsWith("#")) return rowOf(ENTITIES, entity);
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
