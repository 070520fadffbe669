// Changes one place in the text of a JSON file and leaves every other byte as it is: indentation, order, comments and
// commas at the end, which some clients accept in their settings.

export interface JsonNode {
  readonly kind: "object" | "array" | "string" | "other";
  readonly start: number;
  /** The offset after the value. */
  readonly end: number;
  /** The items of an object or an array. */
  readonly items: readonly JsonItem[];
}

export interface JsonItem {
  /** The name in an object. */
  readonly name?: string;
  /** The offset of the name, or of the value in an array. */
  readonly start: number;
  readonly value: JsonNode;
  /** The offset after the comma behind it, if there is one. */
  readonly commaEnd?: number;
}

/** `at` is the offset where the text stops being JSON. */
export class JsonTextError extends Error {
  readonly at: number;

  constructor(at: number) {
    super("not JSON");
    this.at = at;
  }
}

const DEPTH_MAX = 200;

/** Throws a `JsonTextError`. Comments, and commas at the end, are accepted. */
export function parseJsonText(text: string): JsonNode {
  const reader = new Reader(text);
  const root = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw new JsonTextError(reader.at);
  return root;
}

const SPACE = /(?:[\s\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const OTHER = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skip(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.#text)?.[0].length ?? 0;
  }

  value(depth: number): JsonNode {
    this.skip();
    const start = this.at;
    const open = this.#text[start];
    if (depth > DEPTH_MAX) throw new JsonTextError(start);
    if (open === "{" || open === "[") return this.#list(open === "{" ? "object" : "array", depth);
    const kind = open === '"' ? "string" : "other";
    this.#token(kind === "string" ? STRING : OTHER);
    return { kind, start, end: this.at, items: [] };
  }

  #list(kind: "object" | "array", depth: number): JsonNode {
    const start = this.at++;
    const close = kind === "object" ? "}" : "]";
    const items: JsonItem[] = [];
    for (this.skip(); this.#text[this.at] !== close; this.skip()) {
      if (items.length > 0 && items.at(-1)?.commaEnd === undefined) throw new JsonTextError(this.at);
      items.push(this.#item(kind, depth));
    }
    this.at++;
    return { kind, start, end: this.at, items };
  }

  #item(kind: "object" | "array", depth: number): JsonItem {
    const start = this.at;
    let name: string | undefined;
    if (kind === "object") {
      name = JSON.parse(this.#token(STRING)) as string;
      this.skip();
      if (this.#text[this.at] !== ":") throw new JsonTextError(this.at);
      this.at++;
    }
    const value = this.value(depth + 1);
    this.skip();
    const hasComma = this.#text[this.at] === ",";
    if (hasComma) this.at++;
    return { ...(name === undefined ? {} : { name }), start, value, ...(hasComma ? { commaEnd: this.at } : {}) };
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) throw new JsonTextError(this.at);
    this.at += found.length;
    return found;
  }
}

/** Returns the item of a name. With two of them, which a program may read either way, it throws. */
export function itemOf(node: JsonNode, name: string): JsonItem | undefined {
  const [found, second] = node.items.filter((item) => item.name === name);
  if (second) throw new JsonTextError(second.start);
  return found;
}

/**
 * Returns the text with an item more at the end of a list: on a line of its own if the list has several lines.
 * `withoutItem` takes exactly that out again. `item` is JSON, indented by two blanks a level.
 */
export function withItem(text: string, list: JsonNode, item: string): string {
  const last = list.items.at(-1);
  const first = list.items[0];
  const at = last?.commaEnd ?? last?.value.end ?? list.start + 1;
  const [comma, commaBehind] = last === undefined ? ["", ""] : last.commaEnd === undefined ? [",", ""] : ["", ","];
  if (!text.slice(list.start, list.end).includes("\n")) {
    const line = item.replaceAll(/\n */g, " ").replaceAll(/([[{]) | (?=[\]}])/g, "$1");
    return `${text.slice(0, at)}${comma}${last ? " " : ""}${line}${commaBehind}${text.slice(at)}`;
  }
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const inner =
    first && text.slice(list.start, first.start).includes("\n")
      ? lineIndent(text, first.start)
      : lineIndent(text, list.start) + unit;
  const written = item.replaceAll(
    /\n((?: {2})*)/g,
    (_all, blanks: string) => eol + inner + unit.repeat(blanks.length / 2),
  );
  // A comment behind the last item stays with it.
  const end = text.indexOf(eol, at);
  const behind =
    end !== -1 && end < list.end && /^[ \t]*(?:\/\/.*|\/\*.*\*\/[ \t]*)?$/.test(text.slice(at, end)) ? end : at;
  return `${text.slice(0, at)}${comma}${text.slice(at, behind)}${eol}${inner}${written}${commaBehind}${text.slice(behind)}`;
}

/** Returns the text without an item, the comma that parts it from the others, and the line that it had for itself. */
export function withoutItem(text: string, list: JsonNode, item: JsonItem): string {
  const index = list.items.indexOf(item);
  const [before, behind] = [list.items[index - 1], list.items[index + 1]];
  const blanks = /\s*$/.exec(text.slice(list.start + 1, item.start))?.[0] ?? "";
  const start = blanks.includes("\n") || before ? item.start - blanks.length : item.start;
  const end = item.commaEnd ?? item.value.end;
  const rest = blanks.includes("\n") || !behind || before ? text.slice(end) : text.slice(behind.start);
  const head = text.slice(0, start);
  // Without a comma behind the last item, the item before becomes the last one.
  const isLast = before?.commaEnd !== undefined && item.commaEnd === undefined;
  return isLast ? head.slice(0, before.commaEnd - 1) + head.slice(before.commaEnd) + rest : head + rest;
}

function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}
