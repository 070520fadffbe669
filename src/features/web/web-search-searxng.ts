// A SearXNG instance, usually the user's own and often on this machine. Format: docs.searxng.org/dev/search_api.
import type { ToolContext } from "../../core/tool/tool.ts";
import { askApi } from "./web-api.ts";
import {
  type SearchResult,
  type WebSearch,
  type WebSearchAnswer,
  arrayAt,
  searchResult,
  textAt,
} from "./web-results.ts";
import { endpointOf, notConfigured, placeOf, settingText } from "./web-settings.ts";

export async function searxngSearch(search: WebSearch, context: ToolContext): Promise<WebSearchAnswer> {
  if ((await settingText("web_search.url", context)) === "") {
    return {
      kind: "failed",
      outcome: notConfigured("web_search", [{ name: "web_search.url", what: "the address of a SearXNG instance" }]),
    };
  }
  const base = await endpointOf("web_search.url", "", context);
  if (base.kind === "failed") return base;
  const answer = await askApi(
    {
      engine: "SearXNG",
      endpoint: searchPath(base.url),
      isEndpointConfigured: true,
      query: { q: search.query, format: "json", pageno: String(search.page) },
      messageOf: (body) => textAt(body, "error"),
      helpOf,
    },
    context,
  );
  if (answer.kind === "failed") return answer;
  const found = arrayAt(answer.body, "results")
    .map((item) => searchResult(item, { title: "title", url: "url", snippet: "content" }))
    .filter((result): result is SearchResult => result !== undefined);
  // The instance decides how many results a page holds, and results that are cut here are not on the next page.
  const more = found.length > search.count ? `\`count\` ${found.length}` : `\`page\` ${search.page + 1}`;
  return {
    kind: "page",
    page: {
      query: search.query,
      firstRank: 1,
      results: found.slice(0, search.count),
      ...(found.length === 0 ? {} : { more }),
    },
  };
}

function searchPath(base: URL): URL {
  const path = base.pathname.replace(/\/+$/, "");
  return new URL(`${base.origin}${path.endsWith("/search") ? path : `${path}/search`}`);
}

function helpOf(status: number): readonly string[] {
  if (status === 403)
    return ["the instance does not return JSON: add `json` to `search.formats` in its `settings.yml`"];
  if (status === 429) return ["the instance limits its callers: wait, or use your own instance"];
  if (status === 404) return [`check ${placeOf("web_search.url")}`];
  return ["try again later"];
}
