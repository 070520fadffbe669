// Data in a text that is nearly JSON: keys without quotes, single quotes, a comma too many, Python's words, YAML.
import { parse } from "yaml";
import type { Json } from "../../core/schema/json.ts";

const CHARACTERS_MAX = 1_000_000;
/** The limit of texts that are not JSON, which take longer to read. */
const LOOSE_CHARACTERS_MAX = 20_000;
const NESTING_MAX = 100;

/** Parses an object or a list, also from JSON's text of one. Returns undefined if there is none. */
export function parseLoosely(text: string): Json | undefined {
  const bare = text
    .trim()
    .replace(/^```\w*\n(.*)\n```$/s, "$1")
    .trim();
  if (bare.length > CHARACTERS_MAX) return undefined;
  return (/^[[{"]/.test(bare) ? parsedStrictly(bare) : undefined) ?? parsedAsYaml(bare);
}

function parsedStrictly(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses as YAML, which accepts almost everything that is meant as JSON. */
function parsedAsYaml(text: string): Json | undefined {
  const isOpen = /^[[{]/.test(text) || /^(?:- |[\w-]+: ?\S?.*$)/.test(text.split("\n", 1)[0] ?? "");
  if (!isOpen || text.length > LOOSE_CHARACTERS_MAX || (text.match(/[[{]/g)?.length ?? 0) > NESTING_MAX)
    return undefined;
  try {
    // `{a:1}` is one long key to YAML.
    const spaced = text.startsWith("{") ? text.replace(/([{,]\s*[\w-]+):(?=\S)/g, "$1: ") : text;
    const value: unknown = parse(spaced, { schema: "core", maxAliasCount: 0, prettyErrors: false, logLevel: "error" });
    return typeof value === "object" && value !== null ? (JSON.parse(JSON.stringify(value)) as Json) : undefined;
  } catch {
    return undefined;
  }
}
