// What stands at a place of a definition in YAML: the keys above it by their indents, so that a file that is not YAML yet
// has an answer, too; and what the tables of keys say about it.
import type { Explained, KnownAround, Suggestion } from "../../core/language/author-help.ts";
import { Findings } from "../../core/language/findings.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import { formatOf } from "../yaml/analyze.ts";
import { toolKeys as customKeys } from "../yaml/custom-tools/keys.ts";
import type { DescribedKeys, KeyValue, ValueKind } from "../yaml/described-keys.ts";
import { readYaml } from "../yaml/document.ts";
import { toolKeys as forgeKeys } from "../yaml/forge-tool/keys.ts";
import { toolKeys as metaKeys } from "../yaml/meta-tools/keys.ts";
import { toolText } from "./explained.ts";

export async function explainedKey(
  source: SourceFile,
  offset: number,
  around: KnownAround,
): Promise<Explained | undefined> {
  const place = placeAt(source, offset);
  const row = place && rowsOf(place, source).find(([key]) => key === place.key)?.[1];
  if (!place || !row) return undefined;
  const isKey = offset <= place.keySpan.end;
  if (!isKey) {
    const text = TOOL_KEYS.has(place.key) ? toolText(wordIn(source, place.valueSpan), around) : undefined;
    return text === undefined ? undefined : { span: place.valueSpan, text };
  }
  const example = row.example === undefined ? "" : `\n\nSuch as \`${JSON.stringify(row.example)}\``;
  return { span: place.keySpan, text: `\`${place.key}\`: ${row.does}${example}` };
}

export async function suggestedKeys(
  source: SourceFile,
  offset: number,
  { registry }: KnownAround,
): Promise<readonly Suggestion[]> {
  const place = placeAt(source, offset);
  if (!place) return [];
  const rows = rowsOf(place, source);
  if (!place.hasColon || offset <= place.keySpan.end)
    return rows.map(([key, { does }]) => ({
      text: place.hasColon ? key : `${key}:`,
      span: place.keySpan,
      kind: "key",
      does,
    }));
  const value = (text: string, kind: Suggestion["kind"]): Suggestion => ({
    text,
    span: place.valueSpan,
    kind,
    does: "",
  });
  if (TOOL_KEYS.has(place.key)) return registry.names().map((name) => value(name, "tool"));
  const row = rows.find(([key]) => key === place.key)?.[1];
  return [row?.kind, ...(row?.also ?? [])].flatMap((kind) => wordsOf(kind).map((word) => value(word, "value")));
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

interface YamlPlace {
  /** The keys above it, with `[]` for an item of a list. */
  readonly path: readonly string[];
  readonly key: string;
  readonly keySpan: Span;
  readonly hasColon: boolean;
  readonly valueSpan: Span;
}

const LINE = /^([ ]*)((?:-[ ]+)*)("?[\w.$-]*"?)([ ]*:(?=[ ]|$))?[ ]*(.*?)[ ]*\r?$/;
/** The value of a key whose text is in the lines below. */
const BLOCK = /^[|>][-+\d]*(?:[ ]+#.*)?$/;
/** The limit of lines that are looked at above a place. */
const LINES_ABOVE_MAX = 5_000;
const LINE_CHARACTERS_MAX = 2_000;

/** Undefined within a text of several lines. */
function placeAt(source: SourceFile, offset: number): YamlPlace | undefined {
  const { text } = source;
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", start);
  const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd);
  if (line.length > LINE_CHARACTERS_MAX) return undefined;
  const [, indent = "", dashes = "", key = "", colon, value = ""] = LINE.exec(line) ?? [];
  const column = indent.length + dashes.length;
  const path = pathAbove(text.slice(0, start).split("\n").slice(-LINES_ABOVE_MAX), {
    column,
    dashColumn: dashes === "" ? undefined : indent.length,
  });
  if (!path) return undefined;
  const keySpan = { source, start: start + column, end: start + column + key.length };
  const valueStart = keySpan.end + (colon?.length ?? 0);
  const from = text.indexOf(value, valueStart);
  const valueSpan =
    value === "" ? { source, start: offset, end: offset } : { source, start: from, end: from + value.length };
  return { path, key: key.replaceAll('"', ""), keySpan, hasColon: colon !== undefined, valueSpan };
}

interface Level {
  readonly column: number;
  /** Set for the first key of an item. */
  readonly dashColumn: number | undefined;
}

function pathAbove(lines: readonly string[], first: Level): readonly string[] | undefined {
  const path: string[] = [];
  let { column, dashColumn: listColumn } = first;
  const enterList = (dashColumn: number): void => {
    path.unshift("[]");
    listColumn = dashColumn;
    // A list may stand in the column of its key.
    column = dashColumn + 1;
  };
  if (listColumn !== undefined) enterList(listColumn);
  for (const line of lines.toReversed()) {
    const [, indent = "", dashes = "", key = "", colon, value = ""] =
      line.length > LINE_CHARACTERS_MAX ? [] : (LINE.exec(line) ?? []);
    if ((key === "" && dashes === "") || indent.length >= column) continue;
    const keyColumn = indent.length + dashes.length;
    if (colon !== undefined && keyColumn < column) {
      if (BLOCK.test(value)) return undefined;
      path.unshift(key.replaceAll('"', ""));
      column = keyColumn;
      listColumn = undefined;
    }
    if (dashes !== "" && indent.length < column && indent.length !== listColumn) enterList(indent.length);
    if (column === 0) break;
  }
  return path;
}

/** Returns the keys that a map at this place has. */
function rowsOf({ path }: YamlPlace, source: SourceFile): readonly (readonly [string, KeyValue])[] {
  const maps = keysIn([rootKeys(source)], path);
  return maps.flatMap((keys) => Object.entries(keys.values));
}

function rootKeys(source: SourceFile): DescribedKeys {
  const root = readYaml(source, new Findings(source));
  const format = root?.kind === "map" ? formatOf(root)?.name : undefined;
  if (format === "forge" || (!format && /^entrypoint:/m.test(source.text))) return forgeKeys;
  return format === "meta-tools" ? metaKeys : customKeys;
}

function keysIn(maps: readonly DescribedKeys[], [key, ...inner]: readonly string[]): readonly DescribedKeys[] {
  if (key === undefined) return maps;
  return maps.flatMap((keys) => {
    const row = Object.hasOwn(keys.values, key) ? keys.values[key] : undefined;
    return row ? [row.kind, ...(row.also ?? [])].flatMap((kind) => keysBelow(kind, inner)) : [];
  });
}

function keysBelow(kind: ValueKind, path: readonly string[]): readonly DescribedKeys[] {
  const [first, ...inner] = path;
  switch (kind.is) {
    case "map":
      return keysIn([kind.keys], path);
    case "maps":
      if (first === "[]") return keysIn([kind.keys], inner);
      return kind.isList ? [] : keysIn([kind.keys], path);
    case "oneOfMaps":
      return first === "[]" ? keysIn(kind.keys, inner) : [];
    case "named":
      return kind.of && first !== undefined ? keysBelow(kind.of, inner) : [];
    case "text":
    case "texts":
    case "flag":
    case "number":
    case "duration":
    case "value":
    case "values":
      return [];
  }
}
