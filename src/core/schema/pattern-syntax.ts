// The structure of a valid regular expression: sequences, repetitions, lookaround. What matches a single character
// stays source text, whose meaning JavaScript decides. Groups are only brackets here, because nothing needs their text.
import type { Pattern } from "./parameter.ts";

export type PatternNode =
  /** One character. `source` is a regular expression for it, to be used with the flags of the pattern. */
  | { readonly kind: "one"; readonly source: string }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "either"; readonly options: readonly PatternNode[] }
  /** `countMax` may be Infinity. */
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly countMin: number; readonly countMax: number }
  | { readonly kind: "place"; readonly place: TextPlace }
  | { readonly kind: "look"; readonly isBehind: boolean; readonly isNegated: boolean; readonly item: PatternNode };

/** A place: the start or the end of the text (with the flag `m` of a line), a border of a word, or any other place. */
export type TextPlace = "^" | "$" | "\\b" | "\\B";

/** `unread` is the part of the source that has no linear time, such as `\1`, or that is not supported here. */
export type ReadPattern =
  | { readonly node: PatternNode; readonly unread?: undefined }
  | { readonly node?: undefined; readonly unread: string };

const NESTING_MAX = 100;

/** `pattern` must compile: see `new RegExp`. */
export function readPattern({ source, flags }: Pattern): ReadPattern {
  const reader = new PatternReader(source, flags);
  try {
    return { node: reader.alternatives() };
  } catch (error) {
    if (error instanceof Unread) return { unread: error.part };
    throw error;
  }
}

class Unread extends Error {
  readonly part: string;

  constructor(part: string) {
    super(part);
    this.part = part;
  }
}

const QUANTIFIER = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y;
/** Matches the start of a group that is more than brackets; its name does not matter. */
const GROUP_START = /\((?:\?(?:(<?[=!])|:|<[^=!][^>]*>|([^:<=!][^:]*:)))?/y;
/**
 * Matches a long escape, after its backslash. Without `u` and `v`, `\u{41}` is 41 times `u`, and `\p{L}` the text
 * `p{L}`.
 */
const LONG_ESCAPE = /u\{[\dA-Fa-f]+\}|[pP]\{[^}]*\}/y;
const SHORT_ESCAPE = /u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|0(?!\d)|[^\dckpP]/sy;
/** Matches the two halves of a character, which `u` and `v` read as one. */
const PAIR_ESCAPE = /u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}/y;

class PatternReader {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #hasSets: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#hasSets = flags.includes("v");
    this.#isUnicode = this.#hasSets || flags.includes("u");
  }

  alternatives(): PatternNode {
    const options = [this.#sequence()];
    while (this.#takes("|")) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "either", options };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#source.length && !this.#isNext("|") && !this.#isNext(")"))
      items.push(this.#quantified(this.#piece()));
    const [only] = items;
    return items.length === 1 && only ? only : { kind: "sequence", items };
  }

  #quantified(item: PatternNode): PatternNode {
    const found = this.#match(QUANTIFIER);
    if (!found) return item;
    const [, sign, least, comma, most] = found;
    const countMin = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const countMax =
      sign === undefined
        ? comma === undefined
          ? countMin
          : most
            ? Number(most)
            : Infinity
        : sign === "?"
          ? 1
          : Infinity;
    return { kind: "repeat", item, countMin, countMax };
  }

  #piece(): PatternNode {
    for (const place of ["^", "$", "\\b", "\\B"] as const) if (this.#takes(place)) return { kind: "place", place };
    if (this.#isNext("(")) return this.#group();
    if (this.#isNext("[")) return { kind: "one", source: this.#hasSets ? this.#set() : this.#class() };
    if (this.#takes(".")) return { kind: "one", source: "." };
    if (this.#isNext("\\")) return { kind: "one", source: this.#escape() };
    return { kind: "one", source: this.#character() };
  }

  #group(): PatternNode {
    const [whole = "", look, modifiers] = this.#match(GROUP_START) ?? [];
    // `(?i:…)`: the flags change inside.
    if (modifiers !== undefined || this.#isNext("?")) throw new Unread(whole);
    if (++this.#depth > NESTING_MAX) throw new Unread(whole);
    const item = this.alternatives();
    this.#depth--;
    this.#takes(")");
    return look === undefined
      ? item
      : { kind: "look", isBehind: look.startsWith("<"), isNegated: look.endsWith("!"), item };
  }

  #class(): string {
    const [found = ""] = this.#match(/\[(?:\\.|[^\]\\])*\]/sy) ?? [];
    return found;
  }

  /** Reads a class of the flag `v`, which may hold classes, and texts of several characters. */
  #set(): string {
    const start = this.#at;
    let open = 0;
    do {
      const [part = ""] = this.#match(/\\q\{|\\[pP]\{[^}]*\}|\\.|[[\]]|[^\\[\]]+/sy) ?? [];
      if (part === "" || part === "\\q{" || isOfTexts(part)) throw new Unread(part || "[");
      open += part === "[" ? 1 : part === "]" ? -1 : 0;
    } while (open > 0);
    return this.#source.slice(start, this.#at);
  }

  #escape(): string {
    const start = this.#at++;
    const found =
      (this.#isUnicode ? (this.#match(PAIR_ESCAPE) ?? this.#match(LONG_ESCAPE)) : this.#match(/[pP]/y)) ??
      this.#match(SHORT_ESCAPE);
    const escape = this.#source.slice(start, this.#at);
    if (found && !(this.#hasSets && isOfTexts(escape))) return escape;
    // A back-reference has no linear time. Forms of old expressions, such as `\07`, are rare.
    throw new Unread(/\\(?:\d+|k<[^>]*>|.?)/sy.exec(this.#source.slice(start))?.[0] ?? escape);
  }

  #character(): string {
    const code = this.#isUnicode ? (this.#source.codePointAt(this.#at) ?? 0) : this.#source.charCodeAt(this.#at);
    this.#at += code > 0xff_ff ? 2 : 1;
    return code > 0xff_ff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  }

  #isNext(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #takes(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (!found) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

/** A property of strings, such as `\p{RGI_Emoji}`, is not one of characters. */
function isOfTexts(escape: string): boolean {
  if (!/^\\p\{/.test(escape)) return false;
  try {
    new RegExp(escape, "u");
    return false;
  } catch {
    return true;
  }
}
