// The results of a search, for a reader or for a program. Both search tools return the same.
import { type Json, type JsonObject, isJsonObject } from "../../core/schema/json.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { choice, string } from "../../core/schema/declare.ts";
import { shownLine } from "./web-text.ts";

const QUERY_CHARACTERS_MAX = 2_048;

/** The parameters that both search tools have. */
export const queryParameter = (description: string) =>
  string(description, {
    required: true,
    minimumLength: 1,
    maximumLength: QUERY_CHARACTERS_MAX,
    example: "annotation driven tools",
  });
export const resultFormat = choice(
  ["text", "json"],
  "`text` is a list to read, `json` an array of {title, url, snippet}",
  { default: "text" },
);

export interface WebSearch {
  readonly query: string;
  readonly count: number;
  readonly page: number;
}

export type WebSearchAnswer =
  | { readonly kind: "page"; readonly page: SearchPage }
  | { readonly kind: "failed"; readonly outcome: Outcome };

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

interface SearchPage {
  readonly query: string;
  /** The rank of the first result, from 1. */
  readonly firstRank: number;
  readonly results: readonly SearchResult[];
  /** What to pass for more results, such as "`start` 11". Absent if there are no more. */
  readonly more?: string;
}

const TITLE_CHARACTERS_MAX = 300;
const SNIPPET_CHARACTERS_MAX = 1_000;
const URL_CHARACTERS_MAX = 2_048;

export function searchOutcome(page: SearchPage, format: "text" | "json"): Outcome {
  if (format === "json") {
    const results = page.results.map(({ title, url, snippet }): JsonObject => ({ title, url, snippet }));
    return { status: "ok", content: [{ type: "json", value: results }], isUntrusted: true };
  }
  const entries = page.results.map(({ title, url, snippet }, at) => {
    return [`${page.firstRank + at}. ${title}`, `   ${url}`, ...(snippet === "" ? [] : [`   ${snippet}`])].join("\n");
  });
  const lines =
    entries.length === 0 ? [`nothing found for \`${shownLine(page.query, TITLE_CHARACTERS_MAX)}\``] : entries;
  return {
    status: "ok",
    content: [
      { type: "text", text: [...lines, ...(page.more === undefined ? [] : [`more: pass ${page.more}`])].join("\n\n") },
    ],
    isUntrusted: true,
  };
}

/** Returns a result from an engine's own names for title, address and snippet. Undefined without a web address. */
export function searchResult(
  item: Json,
  names: { readonly title: string; readonly url: string; readonly snippet: string },
): SearchResult | undefined {
  if (!isJsonObject(item)) return undefined;
  const url = textAt(item, names.url) ?? "";
  if (url.length > URL_CHARACTERS_MAX || !/^https?:\/\/\S+$/i.test(url)) return undefined;
  return {
    title: shownLine(textAt(item, names.title) ?? "", TITLE_CHARACTERS_MAX) || url,
    url: shownLine(url, URL_CHARACTERS_MAX),
    snippet: shownLine(textAt(item, names.snippet) ?? "", SNIPPET_CHARACTERS_MAX),
  };
}

export function arrayAt(value: Json, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: Json, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : undefined;
}

export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const name of path)
    here = here !== undefined && isJsonObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}
