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

/** Returns the outputs of calls, and the values of those that are JSON. The first call that gave a text is its origin. */
export function outputsOf(calls: readonly RecordedCall[]): readonly Candidate[] {
  const all = calls.flatMap(({ number, output }): readonly Candidate[] => {
    const data = dataIn(output);
    const isShort = output.length < EMBEDDED_LENGTH_MIN && !/^\d+$/.test(output);
    if (data === undefined) return [{ source: { kind: "output", text: output, call: number }, isWholeOnly: isShort }];
    return leavesOf(data).flatMap(({ value, path }): readonly Candidate[] => {
      const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
      if (text === "" || !path.every((segment) => /^[A-Za-z0-9_-]+$/.test(String(segment)))) return [];
      return [{ source: { kind: "output", text, call: number, path }, isWholeOnly: text.length < EMBEDDED_LENGTH_MIN }];
    });
  });
  return [...new Map(all.reverse().map((one) => [one.source.text, one])).values()].reverse();
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

/** Replaces candidates in a text: one that is all of it, or the longest where several begin; the first of equal ones. */
export function marked(text: string, candidates: readonly Candidate[], marks: Marks): string {
  const whole = candidates.find(({ source }) => source.text === text);
  if (whole) return marks.for(whole.source);
  const inside = candidates
    .filter(({ source, isWholeOnly }) => isWholeOnly !== true && source.text !== "" && text.includes(source.text))
    .sort((one, other) => other.source.text.length - one.source.text.length);
  let done = "";
  for (let at = 0; at < text.length; ) {
    const found = inside.find((one) => text.startsWith(one.source.text, at) && fits(one, text, at));
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
