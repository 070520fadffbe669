// Reads calls as Python writes them, `f(a=1), g(b="x")`, with names and plain values only: nothing is evaluated.
import type { Json } from "../../core/schema/json.ts";
import type { SoundCall } from "./model-call.ts";

type PythonRead = { readonly calls: readonly SoundCall[] } | { readonly problem: string };

/** Calls stand on lines of their own or between commas, perhaps within `print(…)` and as `default_api.NAME`. */
export function pythonCalls(code: string): PythonRead {
  const reader = new PythonReader(code);
  try {
    return { calls: reader.calls() };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: error.message };
  }
}

class Unreadable extends Error {}

const DEPTH_MAX = 64;
const WORDS: Readonly<Record<string, Json>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

class PythonReader {
  readonly #code: string;
  #at = 0;

  constructor(code: string) {
    this.#code = code;
  }

  calls(): readonly SoundCall[] {
    const calls: SoundCall[] = [];
    while (this.#skip(/[\s,;]*/y) && this.#at < this.#code.length) {
      const isPrinted = this.#take(/print\s*\(\s*/y) !== undefined;
      const name = this.#take(/(?:default_api\.)?([A-Za-z_][\w./-]*)\s*\(/y)?.[1];
      if (name === undefined) throw this.#unexpected("a call such as `name(parameter=1)`");
      calls.push({ kind: "sound", name, arguments: this.#arguments() });
      if (isPrinted && !this.#take(/\s*\)/y)) throw this.#unexpected("`)`");
    }
    if (calls.length === 0) throw this.#unexpected("a call");
    return calls;
  }

  #arguments(): { [name: string]: Json } {
    const given = new Map<string, Json>();
    while (!this.#take(/\s*\)/y)) {
      const name = this.#take(/\s*([A-Za-z_]\w*)\s*=(?!=)\s*/y)?.[1];
      if (name === undefined) throw this.#unexpected("an argument with its name, as in `parameter=1`");
      if (given.has(name)) throw new Unreadable(`\`${name}\` is given twice`);
      given.set(name, this.#value(0));
      if (!this.#take(/\s*,/y) && !this.#is(/\s*\)/y)) throw this.#unexpected("`,` or `)`");
    }
    return Object.fromEntries(given);
  }

  #value(depth: number): Json {
    if (depth > DEPTH_MAX) throw new Unreadable(`it is nested deeper than ${DEPTH_MAX} levels`);
    this.#skip(/\s*/y);
    if (this.#take(/\[/y)) return this.#items("]", () => this.#value(depth + 1));
    if (this.#take(/\{/y))
      return Object.fromEntries(
        this.#items("}", (): [string, Json] => {
          this.#skip(/\s*/y);
          const key = this.#text();
          if (key === undefined) throw this.#unexpected("a key in quotes");
          if (!this.#take(/\s*:/y)) throw this.#unexpected("`:`");
          return [key, this.#value(depth + 1)];
        }),
      );
    const word = this.#take(/(?:True|False|None)\b/y)?.[0];
    if (word !== undefined) return WORDS[word] ?? null;
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y)?.[0];
    if (number !== undefined) {
      if (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)))
        throw new Unreadable(`\`${number}\` has more digits than a number can hold`);
      return Number(number);
    }
    const text = this.#text();
    if (text === undefined) throw this.#unexpected("a text in quotes, a number, True, False, None, a list or a dict");
    return text;
  }

  #items<T>(close: "]" | "}", read: () => T): T[] {
    const end = close === "]" ? /\s*\]/y : /\s*\}/y;
    const items: T[] = [];
    while (!this.#take(end)) {
      items.push(read());
      if (!this.#take(/\s*,/y) && !this.#is(end)) throw this.#unexpected(`\`,\` or \`${close}\``);
    }
    return items;
  }

  #text(): string | undefined {
    const quote = this.#take(/"""|'''|["']/y)?.[0];
    if (quote === undefined) return undefined;
    let text = "";
    while (!this.#code.startsWith(quote, this.#at)) {
      const character = this.#code[this.#at++];
      if (character === undefined || (character === "\n" && quote.length === 1))
        throw new Unreadable("a text in quotes does not end");
      text += character === "\\" ? this.#escaped() : character;
    }
    this.#at += quote.length;
    return text;
  }

  #escaped(): string {
    const hex = this.#take(/x([\da-fA-F]{2})|u([\da-fA-F]{4})/y);
    if (hex) return String.fromCharCode(Number.parseInt(hex[1] ?? hex[2] ?? "", 16));
    const character = this.#code[this.#at++] ?? "";
    const text = ESCAPES[character];
    if (text === undefined) throw new Unreadable(`\`\\${character}\` in a text is not read`);
    return text;
  }

  #skip(pattern: RegExp): true {
    this.#take(pattern);
    return true;
  }

  #is(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#code);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#code) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #unexpected(wanted: string): Unreadable {
    const got = this.#code
      .slice(this.#at, this.#at + 20)
      .toWellFormed()
      .trim()
      .replaceAll(/\s+/g, " ");
    return new Unreadable(`expected ${wanted}${got === "" ? ", and it ends there" : `, got \`${got}\``}`);
  }
}
