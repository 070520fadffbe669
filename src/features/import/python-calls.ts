// Calls in a Python program, as far as their arguments are literals. Comments and texts hold no calls.
import { rowOf } from "../../core/text/row-of.ts";

/** Absent: what only Python can tell. */
export type Literal =
  | { readonly text: string }
  | { readonly number: number }
  /** `True`, `None`, `int`, `argparse.REMAINDER`. */
  | { readonly name: string }
  | { readonly list: readonly (Literal | undefined)[] }
  | PythonCall;

export interface PythonCall {
  /** With its dots: `parser.add_argument`. */
  readonly call: string;
  readonly positional: readonly (Literal | undefined)[];
  readonly keywords: ReadonlyMap<string, Literal | undefined>;
}

const TOKEN =
  /(?<space>[ \t\r\n\\]+|#.*)|(?<prefix>[rRbBuUfF]{0,2})(?:"""(?<long>(?:[^"\\]|\\[^]|"(?!""))*)"""|'''(?<other>(?:[^'\\]|\\[^]|'(?!''))*)'''|"(?<double>(?:[^"\\\n]|\\[^])*)"|'(?<single>(?:[^'\\\n]|\\[^])*)')|(?<number>-?\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?<sign>[^])/y;

interface Token {
  readonly text?: string;
  readonly number?: number;
  readonly name?: string;
  readonly sign?: string;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\n": "", "\\": "\\", '"': '"', "'": "'" };
const DEPTH_MAX = 20;
const TOKENS_MAX = 50_000;
const CALLS_MAX = 100;

function tokensOf(program: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(program); found && tokens.length < TOKENS_MAX; found = TOKEN.exec(program)) {
    const { space, prefix = "", long, other, double, single, number, name, sign } = found.groups ?? {};
    const quoted = long ?? other ?? double ?? single;
    const isRaw = /r/i.test(prefix);
    // A text with values in it is none that can be read.
    if (quoted !== undefined && /[fb]/i.test(prefix)) tokens.push({ sign: "f" });
    else if (quoted !== undefined)
      tokens.push({
        text: isRaw ? quoted : quoted.replaceAll(/\\([nt\n\\"'])/g, (_all, one: string) => rowOf(ESCAPED, one) ?? one),
      });
    else if (number !== undefined) tokens.push({ number: Number(number) });
    else if (name !== undefined) tokens.push({ name });
    else if (space === undefined && sign !== undefined) tokens.push({ sign });
  }
  return tokens;
}

/** Returns the calls of functions whose names the expression matches, and all names that the program has. */
export function pythonCalls(
  program: string,
  wanted: RegExp,
): { readonly calls: readonly PythonCall[]; readonly names: ReadonlySet<string>; readonly docstring: string } {
  const tokens = tokensOf(program);
  const calls: PythonCall[] = [];
  for (const [at, { name }] of tokens.entries())
    if (
      calls.length < CALLS_MAX &&
      name !== undefined &&
      wanted.test(name) &&
      tokens[at + 1]?.sign === "(" &&
      tokens[at - 1]?.name !== "def"
    )
      calls.push(new Reader(tokens, at + 2).call(name, 0));
  const names = new Set(tokens.flatMap(({ name }) => name ?? []));
  return { calls, names, docstring: tokens[0]?.text ?? "" };
}

class Reader {
  readonly #tokens: readonly Token[];
  #at: number;

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  /** Stands behind the bracket, and ends behind the other one. */
  call(name: string, depth: number): PythonCall {
    const positional: (Literal | undefined)[] = [];
    const keywords = new Map<string, Literal | undefined>();
    while (this.#at < this.#tokens.length && !this.#takes(")")) {
      const [first, second, third] = this.#tokens.slice(this.#at, this.#at + 3);
      const isKeyword = first?.name !== undefined && second?.sign === "=" && third?.sign !== "=";
      const start = this.#at;
      if (isKeyword) this.#at += 2;
      const value = this.#value(depth + 1);
      if (isKeyword) keywords.set(first.name, value);
      else positional.push(value);
      if (!this.#takes(",") && this.#at === start) this.#at++;
    }
    return { call: name, positional, keywords };
  }

  #value(depth: number): Literal | undefined {
    const read = depth > DEPTH_MAX ? undefined : this.#literal(depth);
    const { sign = "" } = this.#tokens[this.#at] ?? {};
    if (",)]}".includes(sign) && sign !== "") return read;
    this.#skip();
    return undefined;
  }

  #literal(depth: number): Literal | undefined {
    const token = this.#tokens[this.#at] ?? {};
    if (token.text !== undefined) {
      let text = "";
      // Texts side by side are one.
      for (let next = token.text as string | undefined; next !== undefined; next = this.#tokens[++this.#at]?.text)
        text += next;
      return { text };
    }
    if (token.sign === "[" || token.sign === "(") {
      this.#at++;
      const { positional } = this.#list(token.sign === "[" ? "]" : ")", depth);
      return { list: positional };
    }
    if (token.number === undefined && token.name === undefined) return undefined;
    this.#at++;
    if (token.number !== undefined) return { number: token.number };
    return this.#takes("(") ? this.call(token.name ?? "", depth) : { name: token.name ?? "" };
  }

  #list(end: string, depth: number): { readonly positional: readonly (Literal | undefined)[] } {
    const positional: (Literal | undefined)[] = [];
    while (this.#at < this.#tokens.length && !this.#takes(end)) {
      positional.push(this.#value(depth + 1));
      if (!this.#takes(",") && this.#tokens[this.#at]?.sign !== end) this.#at++;
    }
    return { positional };
  }

  #takes(sign: string): boolean {
    const isHere = this.#tokens[this.#at]?.sign === sign;
    if (isHere) this.#at++;
    return isHere;
  }

  /** Goes to the end of what cannot be read. */
  #skip(): void {
    for (let depth = 0; this.#at < this.#tokens.length; this.#at++) {
      const { sign = "" } = this.#tokens[this.#at] ?? {};
      if (depth === 0 && sign !== "" && ",)]}".includes(sign)) return;
      if (sign !== "" && "([{".includes(sign)) depth++;
      if (sign !== "" && ")]}".includes(sign)) depth--;
    }
  }
}
