// Texts of recorded calls with marks in place of the values that came from elsewhere, and the search for such values.
import { isJsonObject, type Json } from "../../../core/schema/json.ts";
import type { ParameterSchema } from "../../../core/schema/parameter.ts";
import type { RecordedCall } from "./recorded-calls.ts";

export type Source =
  /** `text`: what the person said, or what one of several calls had. */
  | { readonly kind: "said" | "varied"; readonly text: string; readonly use: Use }
  /** `text` is empty where it is not known. */
  | { readonly kind: "secret"; readonly text: string; readonly use: Use }
  /** `path`: in JSON output; the whole output if absent. */
  | { readonly kind: "output"; readonly text: string; readonly call: number; readonly path?: readonly Segment[] }
  /** The folder of the session. */
  | { readonly kind: "folder"; readonly text: string };

/** What is known of a value where it is used. */
export interface Use {
  readonly name: string;
  readonly schema: ParameterSchema;
  readonly description: string;
}

export type Segment = string | number;

/** Marks by their sources. Two values with the same text and origin have the same mark. */
export class Marks {
  readonly #sources: Source[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #prefix: string;

  /** `texts` are all texts in which marks are to be found again, so none of them has one yet. */
  constructor(texts: readonly string[]) {
    let prefix = "x0value";
    while (texts.some((text) => text.includes(prefix))) prefix += "0";
    this.#prefix = prefix;
  }

  for(source: Source): string {
    const key = keyOf(source);
    const index = this.#indexes.get(key) ?? this.#sources.push(source) - 1;
    this.#indexes.set(key, index);
    return `${this.#prefix}n${index}x`;
  }

  /** Returns the text with something else in place of each mark. */
  replaced(text: string, by: (source: Source) => string): string {
    return text.replaceAll(this.#pattern(), (mark, index: string) => {
      const source = this.#sources[Number(index)];
      return source ? by(source) : mark;
    });
  }

  /** Returns the source of a text that is one mark. */
  whole(text: string): Source | undefined {
    const [, index] = new RegExp(`^${this.#pattern().source}$`).exec(text) ?? [];
    return index === undefined ? undefined : this.#sources[Number(index)];
  }

  in(text: string): readonly Source[] {
    return [...text.matchAll(this.#pattern())].flatMap(([, index]) => this.#sources[Number(index)] ?? []);
  }

  #pattern(): RegExp {
    return new RegExp(`${this.#prefix}n(\\d+)x`, "g");
  }
}

/** A text from the person is one value wherever it is used; equal texts of different outputs are not. */
export function keyOf(source: Source): string {
  if (source.kind === "output") return JSON.stringify([source.call, source.path ?? null]);
  return JSON.stringify([
    source.kind === "varied" ? "said" : source.kind,
    source.text === "" && source.kind === "secret" ? source.use.name : source.text,
  ]);
}

/** A text that is replaced where it is found. */
export interface Candidate {
  readonly source: Source;
  /** Only where it is the whole value. */
  readonly isWholeOnly?: boolean;
}

export const EMBEDDED_LENGTH_MIN = 3;
function outputsOf(calls: readonly RecordedCall[]): readonly Candidate[] {
  return calls.flatMap(({ number, output }): readonly Candidate[] => {
    if (output === "") return [];
    const data = dataIn(output);
    if (data === undefined)
      return [
        {
          source: { kind: "output", text: output, call: number },
          isWholeOnly: output.length < EMBEDDED_LENGTH_MIN && !/^\d+$/.test(output),
        },
      ];
    return leavesOf(data).flatMap(({ value, path }): readonly Candidate[] => {
      const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
      if (text === "" || !path.every((segment) => /^[A-Za-z0-9_-]+$/.test(String(segment)))) return [];
      return [{ source: { kind: "output", text, call: number, path }, isWholeOnly: text.length < EMBEDDED_LENGTH_MIN }];
    });
  });
}

/** Returns the data that an output is, if it is a list or an object. */
export function dataIn(output: string): Json | undefined {
  if (!/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output) as Json;
  } catch {
    return undefined;
  }
}

type IsFree = (candidate: Candidate) => boolean;

/** Finds outputs in texts. The first call that gave a text is its origin. */
export class Outputs {
  readonly #byText = new Map<string, Candidate>();
  /** Whole outputs that are too long to be looked up at each place; the longest first. */
  readonly #long: readonly Candidate[];

  constructor(calls: readonly RecordedCall[]) {
    const all = outputsOf(calls);
    for (const one of all) if (!this.#byText.has(one.source.text)) this.#byText.set(one.source.text, one);
    this.#long = all
      .filter(({ source }) => source.kind === "output" && !source.path && source.text.length > LOOKED_UP_LENGTH_MAX)
      .sort((one, other) => other.source.text.length - one.source.text.length);
  }

  whole(text: string, call: RecordedCall, isFree: IsFree): Candidate | undefined {
    const found = this.#byText.get(text);
    return found && isBefore(found, call) && isFree(found) ? found : undefined;
  }

  /** Returns a search for the longest output at a place of the text. */
  within(text: string, call: RecordedCall, isFree: IsFree): (at: number) => Candidate | undefined {
    const long = this.#long.filter((one) => text.includes(one.source.text) && isBefore(one, call) && isFree(one));
    return (at) => {
      if (isInWord(text, at)) return undefined;
      const whole = long.find((one) => text.startsWith(one.source.text, at) && fits(one, text, at));
      if (whole) return whole;
      for (let end = Math.min(text.length, at + LOOKED_UP_LENGTH_MAX); end > at; end--) {
        if (isInWord(text, end)) continue;
        const found = this.#byText.get(text.slice(at, end));
        if (found && found.isWholeOnly !== true && fits(found, text, at) && isBefore(found, call) && isFree(found))
          return found;
      }
      return undefined;
    };
  }
}

const LOOKED_UP_LENGTH_MAX = 80;

/** Whether a word goes on at this index. */
function isInWord(text: string, index: number): boolean {
  return isWordCode(text.charCodeAt(index)) && isWordCode(text.charCodeAt(index - 1));
}

/** Whether it is a letter of ASCII, a digit or `_`. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95;
}

function isBefore({ source }: Candidate, call: RecordedCall): boolean {
  return source.kind === "output" && source.call < call.number;
}

interface MarkOptions {
  readonly marks: Marks;
  readonly whole: (text: string) => Candidate | undefined;
  readonly within: (text: string) => (at: number) => Candidate | undefined;
}

/** Replaces candidates and outputs in a text, the longest where several begin. */
export function marked(text: string, candidates: readonly Candidate[], { marks, ...outputs }: MarkOptions): string {
  const whole = candidates.find(({ source }) => source.text === text) ?? outputs.whole(text);
  if (whole) return marks.for(whole.source);
  const inside = candidates
    .filter(({ source, isWholeOnly }) => isWholeOnly !== true && source.text !== "" && text.includes(source.text))
    .sort((one, other) => other.source.text.length - one.source.text.length);
  const outputAt = outputs.within(text);
  let done = "";
  for (let at = 0; at < text.length; ) {
    const named = inside.find((one) => text.startsWith(one.source.text, at) && fits(one, text, at));
    const output = outputAt(at);
    const found = output && output.source.text.length > (named?.source.text.length ?? 0) ? output : named;
    done += found ? marks.for(found.source) : (text[at] ?? "");
    at += found ? found.source.text.length : 1;
  }
  return done;
}

function fits({ source }: Candidate, text: string, at: number): boolean {
  return isApart(text, at, source.text.length) && fitsAddress(text, at, source.text.length);
}

export function isFoundIn(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
    if (isApart(text, at, value.length)) return true;
  return false;
}

/** Whether no word and no number goes on at either end. */
function isApart(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + length, at + length + 2);
  const [first = "", last = ""] = [text[at], text[at + length - 1]];
  return !(
    (/\w/.test(first) && /\w$/.test(before)) ||
    (/\w/.test(last) && /^\w/.test(after)) ||
    (/\d/.test(first) && /\d\.$/.test(before)) ||
    (/\d/.test(last) && /^\.\d/.test(after))
  );
}

/** A value inside an address is percent-encoded, and an address cannot be a part of one. */
function fitsAddress(text: string, at: number, length: number): boolean {
  const value = text.slice(at, at + length);
  if (/^https?:\/\//.test(value)) return !/^(?:[\w/?#&%=-]|\.\w)/.test(text.slice(at + length));
  return !/https?:\/\/[^\s"'`]*$/.test(text.slice(0, at)) || encodeURIComponent(value) === value;
}

interface Leaf {
  readonly value: Json;
  readonly path: readonly Segment[];
}

function leavesOf(value: Json, path: readonly Segment[] = []): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => leavesOf(item, [...path, index]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, name]));
  return [{ value, path }];
}

export function textsIn(value: Json): readonly string[] {
  return leavesOf(value).flatMap(({ value: leaf }) => (typeof leaf === "string" ? [leaf] : []));
}
