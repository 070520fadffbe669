// `web_search`: a search engine of the user's choice, one adapter each: SearXNG (web-search-searxng.ts) or Brave
// (web-search-brave.ts).
import { rowOf } from "../../core/text/row-of.ts";
import { integer } from "../../core/schema/declare.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { braveSearch } from "./web-search-brave.ts";
import { searxngSearch } from "./web-search-searxng.ts";
import { type WebSearch, type WebSearchAnswer, queryParameter, resultFormat, searchOutcome } from "./web-results.ts";
import { notConfigured, placeOf, settingText, settingTrouble } from "./web-settings.ts";

const COUNT_DEFAULT = 10;
const COUNT_MAX = 50;
const PAGE_MAX = 10;
const TIMEOUT_MS = 30_000;

const ENGINES: Readonly<Record<string, (search: WebSearch, context: ToolContext) => Promise<WebSearchAnswer>>> = {
  searxng: searxngSearch,
  brave: braveSearch,
};

export const webSearch = baseTool({
  name: "web_search",
  title: "Search the web",
  description: [
    "Search the web and return title, address and snippet of each result. Read a result with `web_fetch`.",
    "The user chooses the engine with WEB_SEARCH_ENGINE: `searxng` (with WEB_SEARCH_URL) or `brave` (with WEB_SEARCH_KEY).",
  ].join("\n\n"),
  parameters: {
    query: queryParameter("What to search for"),
    count: integer("The largest number of results; Brave returns at most 20 a page", {
      default: COUNT_DEFAULT,
      minimum: 1,
      maximum: COUNT_MAX,
    }),
    page: integer("Which page of results, from 1", { default: 1, minimum: 1, maximum: PAGE_MAX }),
    format: resultFormat,
  },
  effects: ["read", "network"],
  timeoutMs: TIMEOUT_MS,
  examples: [{ query: "annotation driven tools" }],
  async execute(args, context) {
    const name = (await settingText("web_search.engine", context)).toLowerCase();
    if (name === "")
      return notConfigured("web_search", [
        { name: "web_search.engine", what: "a search engine, `searxng` or `brave`" },
      ]);
    const engine = rowOf(ENGINES, name);
    if (!engine)
      return settingTrouble(
        `unknown search engine \`${name}\` here`,
        `set ${placeOf("web_search.engine")}, to \`searxng\` or \`brave\``,
      ).outcome;
    const answer = await engine({ query: args.query, count: args.count, page: args.page }, context);
    return answer.kind === "failed" ? answer.outcome : searchOutcome(answer.page, args.format);
  },
});
