// A map in the user's YAML, read field by field. Problems have a line and column, nothing is ignored, and no value is
// shown: it may be a secret at the wrong place.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  Pair,
  Scalar,
  YAMLMap,
} from "yaml";
import type { Json, JsonObject } from "../schema/json.ts";
import { didYouMean } from "../text/suggest.ts";

interface YamlText {
  /** Absent if the text is empty or not YAML. */
  readonly root?: YamlFields;
  /** Grows while fields are read. */
  readonly problems: readonly YamlProblem[];
}

export interface YamlProblem {
  /** Offset into the text. */
  readonly at: number;
  /** `4:12: …`, counted from 1. */
  readonly text: string;
}

interface Field {
  readonly nameAt: number;
  readonly at: number;
  /** Resolves an alias. */
  readonly node: Node | null;
}

/** The state that the maps of one file share. */
interface Page {
  readonly document: Document;
  readonly lines: LineCounter;
  /** Each is looked up through the whole document. */
  aliases: number;
}

const ALIASES_MAX = 1_000;
/** The limit of nodes, counting those that aliases repeat. */
const JSON_NODES_MAX = 10_000;
const JSON_DEPTH_MAX = 32;

/** With `list`, a text that is a list is read as a map with the list under this name. */
export function openYaml(text: string, list?: string): YamlText {
  const lines = new LineCounter();
  // Keys are checked below, where it is known whose they are.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "silent",
  });
  const problems = document.errors.map(({ message, pos }) =>
    placed(`not valid YAML: ${withoutText(message)}`, pos[0], lines),
  );
  if (problems.length > 0 || document.contents === null) return { problems };
  if (list !== undefined && isSeq(document.contents)) {
    const map = new YAMLMap();
    map.items.push(new Pair(new Scalar(list), document.contents));
    return { root: new YamlFields(map, { document, lines, aliases: 0 }, problems), problems };
  }
  if (isMap(document.contents))
    return { root: new YamlFields(document.contents, { document, lines, aliases: 0 }, problems), problems };
  return {
    problems: [
      placed("must be a map, such as `providers:` with lines below it", document.contents.range?.[0] ?? 0, lines),
    ],
  };
}

/** Text quoted in a message is copied from the file. */
function withoutText(message: string): string {
  return message.startsWith("Missing closing") ? "a quote is not closed" : message.replace(/:? *["'`].*$/s, "");
}

function placed(message: string, at: number, lines: LineCounter): YamlProblem {
  const { line, col } = lines.linePos(at);
  return { at, text: `${line}:${col}: ${message}` };
}

export class YamlFields {
  readonly #fields = new Map<string, Field>();
  readonly #page: Page;
  readonly #problems: YamlProblem[];
  readonly #at: number;

  constructor(map: YAMLMap, page: Page, problems: YamlProblem[]) {
    this.#page = page;
    this.#problems = problems;
    this.#at = map.range?.[0] ?? 0;
    for (const { key, value } of map.items) {
      const nameAt = (key as Node | null)?.range?.[0] ?? this.#at;
      const name =
        isScalar(key) && (typeof key.value === "string" || typeof key.value === "number")
          ? String(key.value)
          : undefined;
      if (name === undefined) this.#say("a key must be a string", nameAt);
      else if (this.#fields.has(name)) this.#say(`duplicate key \`${name}\``, nameAt);
      else
        this.#fields.set(name, {
          nameAt,
          at: (value as Node | null)?.range?.[0] ?? nameAt,
          node: this.#resolved(value as Node | null),
        });
    }
  }

  get names(): readonly string[] {
    return [...this.#fields.keys()];
  }

  /** `3:5`, counted from 1. */
  get place(): string {
    const { line, col } = this.#page.lines.linePos(this.#at);
    return `${line}:${col}`;
  }

  /** About the field, or about the map where it has none of that name. */
  complain(name: string, message: string): void {
    this.#say(message, this.#fields.get(name)?.at ?? this.#at);
  }

  /** Reads a map. `problems` collects the problems within it. */
  map(name: string, problems: YamlProblem[] = this.#problems): YamlFields | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    if (isMap(field.node)) return new YamlFields(field.node, this.#page, problems);
    problems.push(placed(`\`${name}\` must be a map: lines below it, or pairs in \`{ }\``, field.at, this.#page.lines));
    return undefined;
  }

  /** Returns a list of maps; other items are reported and left out. */
  maps(name: string): readonly YamlFields[] | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    if (!isSeq(field.node)) {
      this.#say(`\`${name}\` must be a list: lines below it that begin with \`-\``, field.at);
      return undefined;
    }
    return field.node.items.flatMap((item): readonly YamlFields[] => {
      const node = this.#resolved(item as Node | null);
      if (isMap(node)) return [new YamlFields(node, this.#page, this.#problems)];
      this.#say(`each item of \`${name}\` must be a map`, (item as Node | null)?.range?.[0] ?? field.at);
      return [];
    });
  }

  /** Any value. */
  json(name: string): Json | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    let nodes = 0;
    const jsonOf = (node: Node | null, depth: number): Json | undefined => {
      const whole = this.#resolved(node);
      if (++nodes > JSON_NODES_MAX || depth > JSON_DEPTH_MAX) return undefined;
      if (whole === null) return null;
      if (isScalar(whole)) return isPlain(whole.value) ? whole.value : undefined;
      if (isSeq(whole)) return allOf(whole.items.map((item) => jsonOf(item as Node | null, depth + 1)));
      if (!isMap(whole)) return undefined;
      const entries = whole.items.map(
        ({ key, value }) =>
          [isScalar(key) ? String(key.value) : undefined, jsonOf(value as Node | null, depth + 1)] as const,
      );
      return entries.every(([key, value]) => key !== undefined && value !== undefined)
        ? (Object.fromEntries(entries) as JsonObject)
        : undefined;
    };
    const json = jsonOf(field.node, 0);
    if (json === undefined)
      this.#say(
        `\`${name}\` must be text, numbers, lists and maps, at most ${JSON_NODES_MAX.toLocaleString("en")} of them and ${JSON_DEPTH_MAX} levels`,
        field.at,
      );
    return json;
  }

  allow(known: readonly string[], owner: string): void {
    for (const [name, { nameAt }] of this.#fields) {
      if (known.includes(name)) continue;
      const nearest = didYouMean(name, known);
      this.#say(
        `${owner} has no key \`${name}\`${nearest === "" ? `; it has ${known.map((one) => `\`${one}\``).join(", ")}` : nearest}`,
        nameAt,
      );
    }
  }

  text(name: string): string | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    const value = isScalar(field.node) ? field.node.value : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    this.#say(
      `\`${name}\` must be text${typeof value === "number" || typeof value === "boolean" ? "; put it in quotes" : ""}`,
      field.at,
    );
    return undefined;
  }

  /** A list of texts, or one text. */
  words(name: string): readonly string[] | string | undefined {
    const field = this.#fields.get(name);
    if (!field || !isSeq(field.node)) return this.text(name);
    const items = field.node.items.map((item) => this.#resolved(item as Node | null));
    const words = items.flatMap((item) => (isScalar(item) && typeof item.value === "string" ? [item.value] : []));
    const odd = items.findIndex((item) => !isScalar(item) || typeof item.value !== "string");
    if (odd === -1) return words;
    this.#say(`each word of \`${name}\` must be text; put numbers in quotes`, items[odd]?.range?.[0] ?? field.at);
    return undefined;
  }

  number(
    name: string,
    { lowest, highest, isWhole }: { readonly lowest: number; readonly highest: number; readonly isWhole: boolean },
  ): number | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    const value = isScalar(field.node) ? field.node.value : undefined;
    if (typeof value === "number" && value >= lowest && value <= highest && (!isWhole || Number.isInteger(value)))
      return value;
    this.#say(`\`${name}\` must be a ${isWhole ? "whole " : ""}number from ${lowest} to ${highest}`, field.at);
    return undefined;
  }

  flag(name: string): boolean | undefined {
    const field = this.#fields.get(name);
    if (!field) return undefined;
    const value = isScalar(field.node) ? field.node.value : undefined;
    if (typeof value === "boolean") return value;
    this.#say(`\`${name}\` must be \`true\` or \`false\``, field.at);
    return undefined;
  }

  #say(message: string, at: number): void {
    this.#problems.push(placed(message, at, this.#page.lines));
  }

  #resolved(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    if (++this.#page.aliases <= ALIASES_MAX) return node.resolve(this.#page.document) ?? null;
    if (this.#page.aliases === ALIASES_MAX + 1)
      this.#say(`there are more than ${ALIASES_MAX.toLocaleString("en")} aliases (\`*\`)`, node.range?.[0] ?? this.#at);
    return null;
  }
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function allOf(items: readonly (Json | undefined)[]): readonly Json[] | undefined {
  return items.every((item) => item !== undefined) ? items : undefined;
}
