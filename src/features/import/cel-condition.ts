// Expressions of CEL (https://github.com/google/cel-spec) as conditions of the language: comparisons, `&&`, `||`, `!`,
// `size`, `contains`, `startsWith`, `endsWith`, `matches`, `exists` over written lists, and `in`.

/** Returns undefined for an expression with anything else, such as arithmetic. */
export function conditionOfCel(expression: string, names: ReadonlySet<string>): string | undefined {
  try {
    return new CelReader(tokensOf(expression), names).whole();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

type Token = { readonly kind: "text" | "number" | "name" | "sign"; readonly text: string };

const DEPTH_MAX = 40;

function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\s*(?:(r?)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(&&|\|\||[<>=!]=|[-+*/%<>!().,[\]?:]))/gy;
  let end = 0;
  for (let match = pattern.exec(expression); match; match = pattern.exec(expression)) {
    const [, raw, quoted, number, name, sign = ""] = match;
    end = pattern.lastIndex;
    if (quoted !== undefined) tokens.push({ kind: "text", text: unquoted(quoted, raw === "r") });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else tokens.push(name === undefined ? { kind: "sign", text: sign } : { kind: "name", text: name });
  }
  if (expression.slice(end).trim() !== "") throw new Unknown();
  return tokens;
}

function unquoted(quoted: string, isRaw: boolean): string {
  const inside = quoted.slice(1, -1);
  if (isRaw) return inside;
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return inside.replaceAll(/\\([^])/g, (_all, letter: string) => escapes[letter] ?? letter);
}

/** A value: a parameter, or a written one. */
type Value =
  | { readonly kind: "reference" | "size"; readonly name: string }
  | { readonly kind: "text" | "number" | "boolean"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "condition"; readonly text: string };

class CelReader {
  readonly #tokens: readonly Token[];
  readonly #names: ReadonlySet<string>;
  /** The variable of an `exists`, and what it stands for at the moment. */
  readonly #bound = new Map<string, Value>();
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], names: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#names = names;
  }

  whole(): string {
    const text = this.#or();
    if (this.#at < this.#tokens.length) throw new Unknown();
    return text;
  }

  #or(): string {
    if (++this.#depth > DEPTH_MAX) throw new Unknown();
    const terms = [this.#and()];
    while (this.#take("||")) terms.push(this.#and());
    this.#depth--;
    return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" || ")})`;
  }

  #and(): string {
    const terms = [this.#relation()];
    while (this.#take("&&")) terms.push(this.#relation());
    return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" && ")})`;
  }

  #relation(): string {
    const left = this.#value();
    if (this.#take("in")) {
      const list = this.#value();
      if (list.kind !== "list") throw new Unknown();
      return anyOf(list.items.map((item) => compared(left, "==", item)));
    }
    const sign = ["==", "!=", "<=", ">=", "<", ">"].find((one) => this.#take(one));
    return sign === undefined ? held(left) : compared(left, sign, this.#value());
  }

  #value(): Value {
    if (this.#take("!")) return { kind: "condition", text: `!(${held(this.#value())})` };
    if (this.#take("-")) return { kind: "number", text: `-${this.#next("number").text}` };
    let value = this.#primary();
    while (this.#take(".")) value = this.#call(value, this.#next("name").text);
    return value;
  }

  #primary(): Value {
    const token = this.#tokens[this.#at++];
    if (!token) throw new Unknown();
    if (token.kind === "text" || token.kind === "number") return { kind: token.kind, text: token.text };
    if (token.text === "(") {
      const text = this.#or();
      this.#expect(")");
      return { kind: "condition", text };
    }
    if (token.text === "[") return { kind: "list", items: this.#items() };
    if (token.kind !== "name") throw new Unknown();
    if (token.text === "true" || token.text === "false") return { kind: "boolean", text: token.text };
    const bound = this.#bound.get(token.text);
    if (bound) return bound;
    const isFunction = this.#take("(");
    if (isFunction && /^(?:int|double|string|size)$/.test(token.text)) {
      const inner = this.#value();
      this.#expect(")");
      return token.text === "size" ? sizeOf(inner) : inner;
    }
    if (isFunction || !this.#names.has(token.text)) throw new Unknown();
    return { kind: "reference", name: token.text };
  }

  #items(): readonly Value[] {
    const items: Value[] = [];
    while (!this.#take("]")) {
      items.push(this.#value());
      this.#take(",");
    }
    return items;
  }

  #call(value: Value, method: string): Value {
    this.#expect("(");
    if (method === "exists" && value.kind === "list") return this.#exists(value.items);
    if (method === "size") {
      this.#expect(")");
      return sizeOf(value);
    }
    const argument = this.#value();
    this.#expect(")");
    if (value.kind !== "reference" || argument.kind !== "text") throw new Unknown();
    return { kind: "condition", text: calledText(value.name, method, argument.text) };
  }

  #exists(items: readonly Value[]): Value {
    const name = this.#next("name").text;
    this.#expect(",");
    const start = this.#at;
    const terms = items.map((item) => {
      this.#at = start;
      this.#bound.set(name, item);
      return this.#or();
    });
    this.#bound.delete(name);
    this.#expect(")");
    return { kind: "condition", text: anyOf(terms) };
  }

  #next(kind: Token["kind"]): Token {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== kind) throw new Unknown();
    return token;
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at];
    const isNext = token?.text === text && token.kind !== "text";
    if (isNext) this.#at++;
    return isNext;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Unknown();
  }
}

function anyOf(terms: readonly string[]): string {
  if (terms.length === 0) throw new Unknown();
  return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" || ")})`;
}

function sizeOf(value: Value): Value {
  if (value.kind !== "reference") throw new Unknown();
  return { kind: "size", name: value.name };
}

function held(value: Value): string {
  switch (value.kind) {
    case "condition":
      return value.text;
    case "reference":
      return `{${value.name}} == true`;
    case "boolean":
      return value.text === "true" ? "1 == 1" : "1 == 2";
    case "size":
    case "text":
    case "number":
    case "list":
      throw new Unknown();
  }
}

function compared(left: Value, sign: string, right: Value): string {
  if (left.kind === "size" && right.kind === "number") return sizeText(left.name, sign, Number(right.text));
  // A number that is not given is 0 for MCPShell.
  const isAbsentZero = left.kind === "reference" && right.kind === "number";
  return `${isAbsentZero ? `{${left.name}:-0}` : operand(left)} ${sign} ${operand(right)}`;
}

function operand(value: Value): string {
  switch (value.kind) {
    case "reference":
      return `{${value.name}}`;
    case "text":
      return JSON.stringify(value.text);
    case "number":
    case "boolean":
      return value.text;
    case "size":
    case "list":
    case "condition":
      throw new Unknown();
  }
}

/** A text has a size where it matches so many characters; CEL counts code points. */
function sizeText(name: string, sign: string, count: number): string {
  const matches = (range: string): string => `{${name}} matches /^.${range}$/su`;
  switch (sign) {
    case "<=":
      return matches(`{0,${count}}`);
    case "<":
      return matches(`{0,${count - 1}}`);
    case ">=":
      return matches(`{${count},}`);
    case ">":
      return matches(`{${count + 1},}`);
    case "==":
      return matches(`{${count}}`);
    default:
      return `!(${matches(`{${count}}`)})`;
  }
}

function calledText(name: string, method: string, text: string): string {
  switch (method) {
    case "contains":
      return `{${name}} contains ${JSON.stringify(text)}`;
    case "startsWith":
      return `{${name}} matches /^${escaped(text)}/`;
    case "endsWith":
      return `{${name}} matches /${escaped(text)}$/`;
    case "matches":
      return `{${name}} matches /${text.replaceAll(/(?<!\\)((?:\\\\)*)\//g, "$1\\/")}/`;
    default:
      throw new Unknown();
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
}
