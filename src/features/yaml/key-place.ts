// What stands at a place of a definition in YAML: the keys above it by their indents, so that a text that is not YAML yet
// has an answer, too; and what the tables of keys say about it.
import { Findings } from "../../core/language/findings.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import { formatOf } from "./analyze.ts";
import { toolKeys as customKeys } from "./custom-tools/keys.ts";
import type { DescribedKeys, KeyValue, ValueKind } from "./described-keys.ts";
import { readYaml } from "./document.ts";
import { toolKeys as forgeKeys } from "./forge-tool/keys.ts";
import { toolKeys as metaKeys } from "./meta-tools/keys.ts";

export interface KeyPlace {
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
export function keyPlaceAt(source: SourceFile, offset: number): KeyPlace | undefined {
  const { text } = source;
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", start);
  const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd);
  if (line.length > LINE_CHARACTERS_MAX) return undefined;
  const [, indent = "", dashes = "", key = "", colon, value = ""] = LINE.exec(line) ?? [];
  const column = indent.length + dashes.length;
  const above = text.slice(0, start).split("\n").slice(-LINES_ABOVE_MAX);
  const path = pathAbove(above, column, dashes === "" ? undefined : indent.length);
  if (!path) return undefined;
  const keySpan = { source, start: start + column, end: start + column + key.length };
  const valueStart = keySpan.end + (colon?.length ?? 0);
  const from = text.indexOf(value, valueStart);
  const valueSpan =
    value === "" ? { source, start: offset, end: offset } : { source, start: from, end: from + value.length };
  return { path, key: key.replaceAll('"', ""), keySpan, hasColon: colon !== undefined, valueSpan };
}

/** `dashColumn`: that of the item of which this is the first key. */
function pathAbove(lines: readonly string[], keyColumn: number, dashColumn?: number): readonly string[] | undefined {
  const path: string[] = [];
  let [column, listColumn] = [keyColumn, dashColumn];
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
export function keysAt({ path }: KeyPlace, source: SourceFile): readonly (readonly [string, KeyValue])[] {
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
