// The answers to a completion and a hover in YAML, from its tables of keys.
import type { Explained, KnownAround, Suggestion } from "../../core/language/author-help.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import type { ValueKind } from "../yaml/described-keys.ts";
import { keyPlaceAt, keysAt } from "../yaml/key-place.ts";
import { toolText } from "./explained.ts";

export function explainedKey(source: SourceFile, offset: number, around: KnownAround): Explained | undefined {
  const place = keyPlaceAt(source, offset);
  const row = place && keysAt(place, source).find(([key]) => key === place.key)?.[1];
  if (!place || !row) return undefined;
  const isKey = offset <= place.keySpan.end;
  const example = row.example === undefined ? "" : `\n\nSuch as \`${JSON.stringify(row.example)}\``;
  if (isKey) return { span: place.keySpan, text: `\`${place.key}\`: ${row.does}${example}` };
  const text = TOOL_KEYS.has(place.key) ? toolText(wordIn(source, place.valueSpan), around) : undefined;
  return text === undefined ? undefined : { span: place.valueSpan, text };
}

export function suggestedKeys(source: SourceFile, offset: number, { registry }: KnownAround): readonly Suggestion[] {
  const place = keyPlaceAt(source, offset);
  if (!place) return [];
  const { key: own, keySpan, valueSpan, hasColon } = place;
  const rows = keysAt(place, source);
  if (!hasColon || offset <= keySpan.end)
    return rows.map(([key, { does }]) => ({ text: hasColon ? key : `${key}:`, span: keySpan, kind: "key", does }));
  const isTool = TOOL_KEYS.has(own);
  const row = rows.find(([key]) => key === own)?.[1];
  const words = isTool ? registry.names() : [row?.kind, ...(row?.also ?? [])].flatMap(wordsOf);
  return words.map((text) => ({ text, span: valueSpan, kind: isTool ? "tool" : "value", does: "" }));
}

/** Keys whose value is the name of a tool. */
const TOOL_KEYS = new Set(["use-tool", "base-tool", "wraps", "tool"]);

function wordsOf(kind: ValueKind | undefined): readonly string[] {
  if (kind?.is === "flag") return ["true", "false"];
  return kind?.is === "text" || kind?.is === "texts" ? (kind.words ?? []) : [];
}

function wordIn({ text }: SourceFile, { start, end }: Span): string {
  return text.slice(start, end).replace(/^["']|["']$/g, "");
}
