// The characters of a text as the parts of a regular expression see them. JavaScript itself decides which part fits
// which character, so that `\w`, `\p{L}` and the flag `i` mean the same here. Each different character of a text is
// tested once.
import type { TextPlace } from "./pattern-syntax.ts";

/** The limit of characters whose class is remembered. */
const CHARACTERS_MAX = 2_000;

/** Groups characters: those that every part of the expression treats the same are one class. */
export class CharacterClasses {
  readonly #expressions: readonly RegExp[];
  readonly #isUnicode: boolean;
  readonly #word: number;
  readonly #lineEnd: number;
  readonly #isByLine: boolean;
  readonly #known = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  /** Whether each class matches, by the index of the expression. */
  readonly #fitting: Uint8Array[] = [];

  constructor(sources: readonly string[], flags: string) {
    this.#isUnicode = /[uv]/.test(flags);
    this.#isByLine = flags.includes("m");
    const all = [...sources, "\\w", "[\\n\\r\\u2028\\u2029]"];
    this.#word = sources.length;
    this.#lineEnd = sources.length + 1;
    this.#expressions = all.map((source) => new RegExp(`^(?:${source})$`, flags.replaceAll(/[^isuv]/g, "")));
  }

  /** The class of each character; without `u` and `v`, characters are UTF-16 units. */
  of(text: string): Uint32Array {
    const classes = new Uint32Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; length++) {
      const code = this.#isUnicode ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);
      at += code > 0xff_ff ? 2 : 1;
      classes[length] = this.#known.get(code) ?? this.#classOf(code);
    }
    return classes.subarray(0, length);
  }

  fits(read: number, source: number): boolean {
    return this.#fitting[read]?.[source] === 1;
  }

  isAt(place: TextPlace, classes: Uint32Array, at: number): boolean {
    const has = (index: number, source: number): boolean =>
      index >= 0 && index < classes.length && this.fits(classes[index] ?? 0, source);
    if (place === "^") return at === 0 || (this.#isByLine && has(at - 1, this.#lineEnd));
    if (place === "$") return at === classes.length || (this.#isByLine && has(at, this.#lineEnd));
    return (has(at - 1, this.#word) !== has(at, this.#word)) === (place === "\\b");
  }

  #classOf(code: number): number {
    const character = this.#isUnicode ? String.fromCodePoint(code) : String.fromCharCode(code);
    const fitting = Uint8Array.from(this.#expressions, (expression) => (expression.test(character) ? 1 : 0));
    const signature = fitting.join("");
    const known = this.#bySignature.get(signature) ?? this.#fitting.push(fitting) - 1;
    this.#bySignature.set(signature, known);
    if (this.#known.size < CHARACTERS_MAX) this.#known.set(code, known);
    return known;
  }
}
