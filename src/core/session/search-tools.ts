// Ranked search over tools.
import MiniSearch from "minisearch";
import type { ListedTool } from "./listed-tool.ts";

/** The limit of a query: a longer one finds no more, and fuzzy matching of very long words takes too long. */
const QUERY_CHARACTERS_MAX = 200;

/** Returns the best match first. Every word counts, the last may be unfinished, and small typos are tolerated. */
export function searchTools(tools: readonly ListedTool[], query: string): readonly ListedTool[] {
  const index = new MiniSearch<Record<string, string>>({
    fields: ["name", "title", "keywords", "tags", "summary"],
    idField: "name",
    tokenize: splitWords,
    searchOptions: {
      boost: { name: 4, title: 3, keywords: 3, tags: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  });
  index.addAll(
    tools.map(({ name, title, keywords, tags, category, summary }) => ({
      name,
      title,
      keywords: keywords.join(" "),
      tags: [...tags, category ?? ""].join(" "),
      summary,
    })),
  );
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const found = index.search(query.slice(0, QUERY_CHARACTERS_MAX)).flatMap(({ id }) => byName.get(String(id)) ?? []);
  // The words of longer names may weigh more than those of the name itself.
  const exact = byName.get(query.trim());
  return exact ? [exact, ...found.filter((tool) => tool !== exact)] : found;
}

/** Splits names, so that `web` and `fetch` find `webFetch`, `web_fetch` and `web-fetch`. */
function splitWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.flatMap((word) => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length === 1 ? parts : [word, ...parts];
  });
}
