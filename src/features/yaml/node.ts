// The data of a YAML text, with the place of every key and value. Aliases and merge keys are already resolved.
import type { Json } from "../../core/schema/json.ts";
import type { Span } from "../../core/text/source.ts";
import type { MappedText } from "../../core/language/syntax/ast.ts";

export type YamlNode = YamlScalar | YamlList | YamlMap;

export interface YamlScalar {
  readonly kind: "scalar";
  /** The value by YAML's core schema: `yes` is text, `true` is not. */
  readonly value: string | number | boolean | null;
  /** The text as written, without quotes: `1.0` is three characters. */
  readonly text: MappedText;
  readonly span: Span;
}

interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

export interface YamlMap {
  readonly kind: "map";
  /** The entries in the order written, each key once. */
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

export function mapOf(entries: readonly YamlEntry[], span: Span): YamlMap {
  return { kind: "map", entries, span };
}

/** Returns a value that the file does not say; messages point at `span`. */
export function textNode(value: string | boolean, span: Span): YamlScalar {
  return { kind: "scalar", value, text: { text: String(value), span, offsetAt: () => span.start }, span };
}

export function entryOf(map: YamlMap, key: string): YamlEntry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

export function isText(node: YamlNode | undefined, text: string): boolean {
  return node?.kind === "scalar" && node.text.text === text;
}

export function toJson(node: YamlNode): Json {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toJson);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value)]));
  }
}
