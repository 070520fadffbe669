// A YAML map, read key by key. Each key has one type; a wrong value is reported with what was expected, and an unknown
// key with the nearest known one.
import type { Json } from "../../core/schema/json.ts";
import type { Fix } from "../../core/text/diagnostic.ts";
import type { Span } from "../../core/text/source.ts";
import type { MappedText } from "../../core/language/syntax/ast.ts";
import { type Findings, nearestOf, replacing } from "../../core/language/findings.ts";
import { sliced } from "../../core/language/syntax/mapped-text.ts";
import { type KnownKeys, meantKeys, meantMap } from "./known-keys.ts";
import { entryOf, toJson, type YamlEntry, type YamlMap, type YamlNode, type YamlScalar } from "./node.ts";

interface Expectation {
  readonly expected: string;
  readonly help?: readonly string[];
  readonly fix?: Fix | undefined;
}

export class Fields {
  readonly map: YamlMap;
  readonly findings: Findings;
  readonly owner: string;
  readonly #values: KnownKeys["values"];
  /** The maps that were read, so that a mistake in one is reported once. */
  readonly #inner = new Map<string, Fields | undefined>();

  constructor(map: YamlMap, known: KnownKeys, findings: Findings) {
    this.map = meantMap(map, known, findings);
    this.#values = known.values;
    this.findings = findings;
    this.owner = known.owner;
    for (const entry of this.map.entries) if (!known.keys.includes(entry.key)) this.#unknown(entry, known);
  }

  #unknown({ key, keySpan }: YamlEntry, known: KnownKeys): void {
    const { keys, alsoCalled = {}, lifts = [], oneOf = [], instead = {} } = known;
    const inner = lifts.flatMap((lift) => (known.values?.[lift]?.kind.keys as KnownKeys | undefined)?.keys ?? []);
    const advice = Object.entries(instead).find(([words]) => words.split(" ").includes(key))?.[1];
    const meant =
      advice === undefined
        ? (keys.find((one) => alsoCalled[one]?.split(" ").includes(key)) ??
          meantKeys(key, known)[0] ??
          nearestOf(key, [...keys, ...inner]))
        : undefined;
    // A second one of `oneOf` would be refused again.
    const isFree =
      meant !== undefined && !this.has(meant) && !(oneOf.includes(meant) && oneOf.some((one) => this.has(one)));
    this.findings.error("unknown-key", `unknown key \`${key.slice(0, 64)}\` in ${this.owner}`, {
      at: keySpan,
      label: meant === undefined ? "" : `did you mean \`${meant}\`?`,
      help: meant === undefined ? [advice ?? keysText(known)] : [],
      fix: isFree ? replacing(keySpan, meant) : undefined,
    });
  }

  /** Throws for a reader that reads a key differently than the table, from which the schema for editors is made. */
  #isOf(key: string, ...kinds: readonly string[]): void {
    const is = this.#values?.[key]?.kind.is;
    if (is !== undefined && !kinds.includes(is))
      throw new Error(`\`${key}\` of ${this.owner} is ${is}, and is read as ${kinds.join(" or ")}`);
  }

  has(key: string): boolean {
    return entryOf(this.map, key) !== undefined;
  }

  entry(key: string): YamlEntry | undefined {
    return entryOf(this.map, key);
  }

  /** The first character of the map. */
  get start(): Span {
    return { ...this.map.span, end: Math.min(this.map.span.end, this.map.span.start + 1) };
  }

  /** Returns the place of the key, or that of the map if the key is missing. */
  place(key: string): Span {
    return this.entry(key)?.keySpan ?? this.start;
  }

  /** Numbers and `true` are text too, as written. Empty text is reported. */
  text(key: string): MappedText | undefined {
    this.#isOf(key, "text", "duration");
    const entry = this.entry(key);
    return entry && this.textOf(entry.value, key);
  }

  textOf(value: YamlNode, key: string): MappedText | undefined {
    if (value.kind === "scalar" && value.value !== null) {
      const text = withoutLineEnd(value.text);
      if (text.text.trim() !== "") return text;
      return void this.findings.error("wrong-value", `\`${key}\` is empty`, {
        at: value.span,
        label: "expected text",
      });
    }
    if (value.kind === "scalar") {
      // `~` is a shell's home, and YAML's null.
      const isHome = value.text.text === "~";
      return void this.findings.error("wrong-value", `\`${key}\` is empty`, {
        at: isHome ? value.span : this.place(key),
        label: "expected text",
        fix: isHome ? replacing(value.span, '"~"', "put it in quotes") : undefined,
      });
    }
    this.wrong(value, key, { expected: "text", help: ["text that begins with `{` or `[` needs quotes"] });
    return undefined;
  }

  wrong(value: YamlNode, key: string, expected: string | Expectation): void {
    this.#wrong(value, key, typeof expected === "string" ? { expected } : expected);
  }

  #wrong(value: YamlNode, key: string, { expected, fix, help = [] }: Expectation): void {
    const at =
      value.kind === "scalar" && value.value !== null
        ? value.span
        : this.entry(key)?.value === value
          ? this.place(key)
          : { ...value.span, end: Math.min(value.span.end, value.span.start + 1) };
    this.findings.error("wrong-value", `\`${key}\` must be ${expected}`, {
      at,
      label: `expected ${expected}, got ${said(value)}`,
      help: fix ? [] : help,
      fix,
    });
  }

  flag(key: string): boolean | undefined {
    this.#isOf(key, "flag");
    const value = this.entry(key)?.value;
    if (value === undefined) return undefined;
    if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
    const meant =
      value.kind === "scalar"
        ? { yes: "true", on: "true", "1": "true", no: "false", off: "false", "0": "false" }[
            value.text.text.toLowerCase()
          ]
        : undefined;
    this.wrong(value, key, {
      expected: "`true` or `false`",
      fix: meant === undefined ? undefined : replacing(value.span, meant),
    });
    return undefined;
  }

  scalar(key: string, expected: string): YamlScalar | undefined {
    const value = this.entry(key)?.value;
    if (value === undefined || (value.kind === "scalar" && value.value !== null)) return value;
    this.wrong(value, key, expected);
    return undefined;
  }

  number(
    key: string,
    {
      least,
      most,
      isWhole,
      unit,
    }: { readonly least: number; readonly most: number; readonly isWhole: boolean; readonly unit?: string },
  ): number | undefined {
    this.#isOf(key, "number", "duration");
    const value = this.entry(key)?.value;
    if (value === undefined) return undefined;
    const number = value.kind === "scalar" ? value.value : undefined;
    if (typeof number === "number" && number >= least && number <= most && (!isWhole || Number.isInteger(number)))
      return number;
    const range =
      least === -Infinity && most === Infinity
        ? ""
        : most === Infinity
          ? ` from ${least}`
          : ` from ${least} to ${most}`;
    this.wrong(value, key, `a ${isWhole ? "whole " : ""}number${unit === undefined ? "" : ` of ${unit}`}${range}`);
    return undefined;
  }

  /** Reads one of a few words. */
  choice<Word extends string>(
    key: string,
    words: readonly Word[],
    alsoCalled: Readonly<Record<string, Word>> = {},
  ): Word | undefined {
    const text = this.text(key);
    if (!text) return undefined;
    const word = words.find((one) => one === text.text);
    if (word !== undefined) return word;
    const named = text.text.toLowerCase();
    const meant = (Object.hasOwn(alsoCalled, named) ? alsoCalled[named] : undefined) ?? nearestOf(text.text, words);
    this.findings.unknown("wrong-value", `\`${key}\` must be ${listText(words)}`, { at: text.span, meant });
    return undefined;
  }

  /** Reads a list. A value alone counts as a list of it. */
  list(key: string): readonly YamlNode[] {
    this.#isOf(key, "texts", "values", "maps", "oneOfMaps");
    const value = this.entry(key)?.value;
    if (value === undefined) return [];
    if (value.kind === "list") return value.items;
    if (value.kind === "scalar" && value.value === null) this.wrong(value, key, "a list");
    return value.kind === "scalar" && value.value === null ? [] : [value];
  }

  /** Returns the texts of a list; reports items that are not text. */
  texts(key: string): readonly MappedText[] {
    return this.list(key).flatMap((item) => this.textOf(item, key) ?? []);
  }

  /** Reports an empty list, which would mean that nothing is allowed. */
  refuseEmpty(key: string): void {
    const value = this.entry(key)?.value;
    if (value?.kind === "list" && value.items.length === 0)
      this.findings.error("wrong-value", `\`${key}\` is an empty list, so nothing would be accepted`, {
        at: value.span,
        label: "expected at least one",
        help: ["add an entry, or remove the key"],
      });
  }

  /** Reads words: like `texts`, but a text with commas is a list without its brackets, if no word contains a comma. */
  words(key: string): readonly MappedText[] {
    const value = this.entry(key)?.value;
    const text =
      value?.kind === "scalar" && typeof value.value === "string" && value.text.text.includes(",")
        ? value.text.text
        : undefined;
    if (!value || text === undefined) return this.texts(key);
    this.#wrong(value, key, { expected: "a list", help: [`write \`${key}: [${text}]\``] });
    return [];
  }

  /** Reads a map with the keys that the table gives it. */
  fields(key: string): Fields | undefined {
    this.#isOf(key, "map");
    const value = this.entry(key)?.value;
    if (value && !this.#inner.has(key)) this.#inner.set(key, this.fieldsOf(value, key, this.#keysOf(key)));
    return this.#inner.get(key);
  }

  /** Reads a list of maps with the keys that the table gives them. */
  maps(key: string, most = Infinity): readonly Fields[] {
    const value = this.entry(key)?.value;
    if (value?.kind === "scalar" && value.value !== null) {
      this.wrong(value, key, "a list of maps");
      return [];
    }
    return this.list(key)
      .slice(0, most)
      .flatMap((item) => this.fieldsOf(item, key, this.#keysOf(key)) ?? []);
  }

  #keysOf(key: string): KnownKeys {
    const keys = this.#values?.[key]?.kind.keys;
    if (!keys || !("owner" in keys)) throw new Error(`\`${key}\` of ${this.owner} is not a map`);
    return keys;
  }

  fieldsOf(value: YamlNode, key: string, known: KnownKeys): Fields | undefined {
    if (value.kind === "map") return new Fields(value, known, this.findings);
    const isItem = this.entry(key)?.value !== value;
    if (isItem)
      this.findings.error("wrong-value", `each entry of \`${key}\` must be a map of keys and values`, {
        at:
          value.kind === "scalar" ? value.span : { ...value.span, end: Math.min(value.span.end, value.span.start + 1) },
        label: `expected a map of keys and values, got ${said(value)}`,
      });
    else this.wrong(value, key, "a map of keys and values");
    return undefined;
  }

  /** Reads a map whose keys are the author's own. */
  entries(key: string): readonly YamlEntry[] {
    this.#isOf(key, "named");
    const value = this.entry(key)?.value;
    if (value === undefined || value.kind === "map") return value?.entries ?? [];
    this.wrong(value, key, "a map of keys and values");
    return [];
  }

  json(key: string): Json | undefined {
    const value = this.entry(key)?.value;
    return value && toJson(value);
  }

  /** Reports those of the keys that are there: they do not go with others, such as `beside`. */
  refuse(
    keys: string | readonly string[],
    message: string | ((key: string) => string),
    { beside, help = [] }: { readonly beside?: Span | undefined; readonly help?: readonly string[] } = {},
  ): void {
    for (const key of [keys].flat())
      if (this.has(key))
        this.findings.error("conflicting-keys", typeof message === "string" ? message : message(key), {
          at: this.place(key),
          related: beside ? [{ span: beside, text: "" }] : [],
          help,
        });
  }

  /** Returns the first of these keys; reports further ones, because at most one is allowed. */
  oneOf(
    keys: readonly string[],
    message: (first: string, other: string) => string,
    help: readonly string[] = [],
  ): string | undefined {
    const [first, ...others] = keys
      .flatMap((key) => this.entry(key) ?? [])
      .sort((one, other) => one.keySpan.start - other.keySpan.start);
    for (const other of first ? others : [])
      this.findings.error("conflicting-keys", message(first?.key ?? "", other.key), {
        at: other.keySpan,
        related: first ? [{ span: first.keySpan, text: "" }] : [],
        help,
      });
    return first?.key;
  }
}

function keysText({ keys, first }: KnownKeys): string {
  const shown = (first ?? keys).map((one) => `\`${one}\``).join(", ");
  return first ? `the first keys are ${shown}; \`dottool schema --for yaml\` has all of them` : `the keys are ${shown}`;
}

function listText(words: readonly string[]): string {
  const shown = words.map((word) => `\`${word}\``);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

function said(node: YamlNode): string {
  if (node.kind !== "scalar") return node.kind === "list" ? "a list" : "a map";
  if (node.value === null) return "nothing";
  return typeof node.value === "string"
    ? "text"
    : `the ${typeof node.value === "number" ? "number" : "value"} \`${String(node.value).slice(0, 40)}\``;
}

/** Removes the last line end, which `|` keeps. */
export function withoutLineEnd(text: MappedText): MappedText {
  const end = text.text.replace(/(?<!\n)\n+$/, "").length;
  return end === text.text.length ? text : sliced(text, 0, end);
}
