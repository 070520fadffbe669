// A short text for a regular expression, as an example for a parameter with a pattern. It gives up on unsupported
// parts. The caller checks the text against the expression, so a wrong guess does no harm.
import type { Pattern } from "../src/core/schema/parameter.ts";

const REPEATED_MAX = 64;
const SOURCE_CHARACTERS_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 1_000;

/**
 * Returns a text that matches, or undefined if a part of the expression is not supported here, such as a backreference.
 */
export function textThatFits({ source }: Pattern): string | undefined {
  if (source.length > SOURCE_CHARACTERS_MAX) return undefined;
  const reader = new PatternReader(source);
  const text = reader.alternatives();
  return reader.isAtEnd ? text : undefined;
}

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** Uses the first alternative. The others are only read to skip them. */
  alternatives(): string | undefined {
    const first = this.#sequence();
    while (this.#takes("|")) if (this.#sequence() === undefined) return undefined;
    return first;
  }

  #sequence(): string | undefined {
    let text = "";
    while (!this.isAtEnd && !/[|)]/.test(this.#next())) {
      const piece = this.#piece();
      if (piece === undefined) return undefined;
      text += piece.repeat(this.#count());
      if (text.length > TEXT_CHARACTERS_MAX) return undefined;
    }
    return text;
  }

  #piece(): string | undefined {
    if (this.#takes("^") || this.#takes("$") || this.#takes("\\b")) return "";
    if (this.#takes("(")) return this.#group();
    if (this.#takes("[")) return this.#oneOf();
    if (this.#takes(".")) return "a";
    if (this.#takes("\\")) return this.#escaped(this.#take());
    return this.#take();
  }

  #group(): string | undefined {
    const isLook = ["?=", "?!", "?<=", "?<!"].some((mark) => this.#takes(mark));
    if (!isLook && !this.#takes("?:")) this.#takes(/^\?<[^>]*>/.exec(this.#source.slice(this.#at))?.[0] ?? "");
    const inside = this.alternatives();
    if (!this.#takes(")")) return undefined;
    return isLook ? "" : inside;
  }

  /** Returns a character of the class, found by trying common ones. */
  #oneOf(): string | undefined {
    const start = this.#at - 1;
    this.#takes("^");
    while (!this.isAtEnd && this.#next() !== "]") if (this.#take() === "\\") this.#take();
    if (!this.#takes("]")) return undefined;
    const expression = new RegExp(this.#source.slice(start, this.#at));
    return (
      [..."aA0-_./ :@#"].find((character) => expression.test(character)) ??
      Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).find((character) =>
        expression.test(character),
      )
    );
  }

  #escaped(letter: string): string | undefined {
    if (/[dwsDWS]/.test(letter)) return { d: "1", w: "a", s: " ", D: "a", W: "-", S: "a" }[letter];
    if (letter === "t" || letter === "n" || letter === "r") return { t: "\t", n: "\n", r: "\r" }[letter];
    return /[A-Za-z0-9]/.test(letter) ? undefined : letter;
  }

  /** Repeats as few times as allowed, but once if both none and more are allowed. */
  #count(): number {
    const [whole = "", least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += whole.length;
    if (least !== undefined) return Math.min(REPEATED_MAX, Number(least));
    return whole.startsWith("?") ? 0 : 1;
  }

  #next(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
