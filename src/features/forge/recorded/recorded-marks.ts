// Texts of recorded calls with marks in place of the values that came from elsewhere.
import { MASK } from "../../../core/schema/describe.ts";
import type { ParameterSchema } from "../../../core/schema/parameter.ts";
import type { RecordedCall } from "./recorded-calls.ts";

/** What a caller passes: a value of the person, a text that no step can have, or a secret. */
export interface OwnSource {
  readonly kind: "said" | "odd" | "secret";
  readonly text: string;
  readonly isWholeOnly?: boolean;
  readonly name: string;
  readonly schema: ParameterSchema;
  readonly description: string;
}

/** `path`: in JSON output; empty for the whole output. */
export interface OutputSource {
  readonly kind: "output";
  readonly text: string;
  readonly isWholeOnly?: boolean;
  readonly call: RecordedCall;
  readonly path: readonly Segment[];
}

/** `folder` is that of the session. */
export type Source = OwnSource | OutputSource | { readonly kind: "folder"; readonly text: string };

export type Segment = string | number;

/** Marks by their sources. Two values with the same text and origin have the same mark. */
export class Marks {
  readonly #sources = new Map<string, Source>();
  readonly #pattern: RegExp;
  readonly #prefix: string;

  /** `texts` are all texts in which marks are to be found again, so none of them has one yet. */
  constructor(texts: readonly string[]) {
    let prefix = "x0value";
    while (texts.some((text) => text.includes(prefix))) prefix += "0";
    this.#prefix = prefix;
    this.#pattern = new RegExp(`${prefix}n(\\d+)x`, "g");
  }

  for(source: Source): string {
    const key = keyOf(source);
    if (!this.#sources.has(key)) this.#sources.set(key, source);
    return `${this.#prefix}n${[...this.#sources.keys()].indexOf(key)}x`;
  }

  /** Returns the text with something else in place of each mark. */
  replaced(text: string, by: (source: Source) => string): string {
    const sources = [...this.#sources.values()];
    return text.replaceAll(this.#pattern, (mark, index: string) => {
      const source = sources[Number(index)];
      return source ? by(source) : mark;
    });
  }

  in(text: string): readonly Source[] {
    const found: Source[] = [];
    this.replaced(text, (source) => `${found.push(source)}`);
    return found;
  }

  isOne(text: string): boolean {
    return this.in(text).length === 1 && this.replaced(text, () => "") === "";
  }

  /** Replaces candidates in a text: one that is all of it, or the longest where several begin; the first of equal ones. */
  marked(text: string, candidates: readonly Source[]): string {
    const whole = candidates.find((source) => source.text === text);
    if (whole) return this.for(whole);
    const inside = candidates
      .filter((one) => !("isWholeOnly" in one && one.isWholeOnly) && one.text !== "" && text.includes(one.text))
      .sort((one, other) => other.text.length - one.text.length);
    let done = "";
    for (let at = 0; at < text.length; ) {
      const found = inside.find((one) => text.startsWith(one.text, at) && fits(text, at, one.text.length));
      done += found ? this.for(found) : (text[at] ?? "");
      at += found ? found.text.length : 1;
    }
    return done;
  }
}

/** A text from the person is one value wherever it is used; equal texts of different outputs are not. */
function keyOf(source: Source): string {
  if (source.kind === "output") return JSON.stringify([source.call.number, source.path]);
  const isHidden = source.kind === "secret" && source.text === MASK;
  return JSON.stringify([source.kind, isHidden ? source.name : source.text]);
}

/** Names one source in one call. */
export function occurrence(call: RecordedCall, source: Source): string {
  return `${call.number} ${keyOf(source)}`;
}

/** Whether no word and no number goes on at either end, and an address stays one. */
function fits(text: string, at: number, length: number): boolean {
  const value = text.slice(at, at + length);
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + length)];
  if (/^\w/.test(value) && /\w$/.test(before)) return false;
  if (/\w$/.test(value) && /^\w/.test(after)) return false;
  if ((/^\d/.test(value) && /\d\.$/.test(before)) || (/\d$/.test(value) && /^\.\d/.test(after))) return false;
  if (/^https?:\/\//.test(value)) return !/^(?:[\w/?#&%=-]|\.\w)/.test(after);
  // A value inside an address is percent-encoded.
  return !/https?:\/\/[^\s"'`]*$/.test(text.slice(0, at)) || encodeURIComponent(value) === value;
}

export function isSaid(value: string, prompts: readonly string[]): boolean {
  return prompts.some((prompt) => {
    for (let at = prompt.indexOf(value); at !== -1; at = prompt.indexOf(value, at + 1))
      if (fits(prompt, at, value.length)) return true;
    return false;
  });
}
