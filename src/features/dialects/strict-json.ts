// Parses strict JSON (RFC 8259) from any place in a text to the end of one value. If a key is repeated or digits would
// be lost, it reports a fault, unlike `JSON.parse`: the value of such a call is not what its writer meant.
import { rowOf } from "../../core/text/row-of.ts";
import type { Json } from "../../core/schema/json.ts";

/** The maximum depth of the arguments of a call, see `../../core/schema/validate.ts`, and some levels around them. */
const JSON_DEPTH_MAX = 128;

/** The limit of reported faults; the whole text is sent again anyway. */
const FAULTS_MAX = 100;

interface JsonFault {
  readonly message: string;
  /** The index in the text, from 0. */
  readonly at: number;
  /** Whether the text ends before the value does. */
  readonly isCut?: true;
}

interface JsonRead {
  /** Absent if the structure is broken, so that the end of the value is unknown. */
  readonly value?: Json;
  /** The index after the value. */
  readonly end: number;
  /** The faults in order. If there is a value, its structure is clear in spite of them. */
  readonly faults: readonly JsonFault[];
  /** The objects and arrays that contain a fault, directly if `isOwn`. */
  readonly faulty: ReadonlyMap<object, FaultWithin>;
}

export interface FaultWithin {
  readonly fault: JsonFault;
  readonly isOwn: boolean;
}

/** Reads a value; leading white space is skipped. */
export function readJson(text: string, start = 0): JsonRead {
  const reader = new JsonReader(text, start);
  try {
    const value = reader.value(0);
    return { value, end: reader.at, faults: reader.faults, faulty: reader.faulty };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { end: reader.at, faults: [...reader.faults, error.fault], faulty: reader.faulty };
  }
}

/** Parses the whole text as one value without faults; only white space may follow. */
export function parseStrictJson(text: string): { readonly value: Json } | { readonly problem: string } {
  const { value, end, faults } = readJson(text);
  const rest = value === undefined ? -1 : text.slice(end).search(/[^ \t\r\n]/);
  const [fault] =
    faults.length > 0
      ? faults
      : rest === -1
        ? []
        : [{ message: `unexpected text after the JSON: ${shownAt(text, end + rest)}`, at: end + rest }];
  if (fault) return { problem: faultText(text, fault) };
  return value === undefined ? { problem: "it is empty" } : { value };
}

/** Returns the message, with the place if there are several lines or many characters. */
export function faultText(text: string, { message, at }: JsonFault): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return `${message} (line ${line}, column ${column})`;
}

class Broken extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Words of other languages, and their JSON equivalents. */
const foreignWords: Readonly<Record<string, string>> = {
  NaN: "JSON has no NaN; leave the value out or send a number",
  Infinity: "JSON has no Infinity; send a number",
  undefined: "JSON has no `undefined`; leave the value out",
  None: "JSON has no `None`; use `null`",
  True: "JSON has no `True`; use `true`",
  False: "JSON has no `False`; use `false`",
};

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class JsonReader {
  at: number;
  readonly faults: JsonFault[] = [];
  readonly faulty = new Map<object, FaultWithin>();
  /** Faults that are not yet assigned to an object or array. */
  #loose: JsonFault[] = [];
  readonly #text: string;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  value(depth: number): Json {
    this.#blanks();
    const start = this.#text[this.at];
    if (start === undefined) throw this.#broken("the JSON ends here, before it is complete", true);
    if (depth >= JSON_DEPTH_MAX && (start === "{" || start === "["))
      throw this.#broken(`is nested deeper than ${JSON_DEPTH_MAX} levels`);
    if (start === "{") return this.#object(depth);
    if (start === "[") return this.#array(depth);
    if (start === '"') return this.#string();
    if (start === "-" || (start >= "0" && start <= "9")) return this.#number();
    return this.#word();
  }

  #object(depth: number): Json {
    const opened = this.at++;
    const entries = new Map<string, Json>();
    this.#blanks();
    while (this.#text[this.at] !== "}") {
      const keyAt = this.at;
      if (this.#text[this.at] !== '"') throw this.#unexpected("a key in double quotes", opened);
      const key = this.#string();
      this.#blanks();
      if (this.#text[this.at] !== ":") throw this.#unexpected("`:` after the key", opened);
      this.at++;
      const value = this.value(depth + 1);
      if (entries.has(key)) this.#note(`the key ${JSON.stringify(key)} is repeated in one object; keep one`, keyAt);
      entries.set(key, value);
      this.#separator("}", opened);
    }
    this.at++;
    // `fromEntries` defines `__proto__` as a key like any other.
    return this.#kept(Object.fromEntries(entries), opened);
  }

  #array(depth: number): Json {
    const opened = this.at++;
    const items: Json[] = [];
    this.#blanks();
    while (this.#text[this.at] !== "]") {
      items.push(this.value(depth + 1));
      this.#separator("]", opened);
    }
    this.at++;
    return this.#kept(items, opened);
  }

  #kept<T extends object>(value: T, opened: number): T {
    const fault = this.faults.find(({ at }) => at >= opened);
    const isOwn = this.#loose.some(({ at }) => at >= opened);
    if (fault) this.faulty.set(value, { fault, isOwn });
    if (isOwn) this.#loose = this.#loose.filter(({ at }) => at < opened);
    return value;
  }

  /** Reads what follows an item: a comma and the next one, or the end. */
  #separator(end: "}" | "]", opened: number): void {
    this.#blanks();
    if (this.#text[this.at] === end) return;
    if (this.#text[this.at] !== ",") throw this.#unexpected(`\`,\` or \`${end}\``, opened);
    const comma = this.at++;
    this.#blanks();
    if (this.#text[this.at] === end) this.#note(`JSON does not allow a comma before \`${end}\`; remove it`, comma);
  }

  #string(): string {
    const opened = this.at;
    const stop = /["\\\n\r\t\u0000-\u001f]/g;
    let isPlain = true;
    stop.lastIndex = opened + 1;
    for (let found = stop.exec(this.#text); ; found = stop.exec(this.#text)) {
      if (!found) throw this.#broken("the JSON ends here, within a string", true, this.#text.length);
      if (found[0] === '"') break;
      isPlain = false;
      if (found[0] === "\\") stop.lastIndex = found.index + 2;
      else
        this.#note(
          `a string contains a raw ${rowOf(controlNames, found[0]) ?? "control character"}; write it as ${JSON.stringify(found[0]).slice(1, -1)}`,
          found.index,
        );
    }
    this.at = stop.lastIndex;
    if (isPlain) return this.#text.slice(opened + 1, this.at - 1);
    const source = this.#text
      .slice(opened, this.at)
      .replaceAll(/[\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1));
    try {
      return JSON.parse(source) as string;
    } catch {
      const wrong = /\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(source.replaceAll(/\\\\/g, "__"));
      this.#note(
        `JSON has no escape \`${wrong ? source.slice(wrong.index, wrong.index + 2) : "\\"}\`; a backslash itself is \`\\\\\``,
        opened,
      );
      return "";
    }
  }

  #number(): number {
    const start = this.at;
    const source = /[-+.\w]+/y;
    source.lastIndex = start;
    const text = source.exec(this.#text)?.[0] ?? "";
    this.at += text.length;
    if (text === "-Infinity") this.#note(foreignWords["Infinity"] ?? "", start);
    else if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text))
      this.#note(`\`${text.slice(0, 40)}\` is not a JSON number`, start);
    const value = Number(text);
    // A number that JavaScript writes with other digits would lose some of them.
    if (/^-?\d{16,}$/.test(text) && Number.isFinite(value) && String(value) !== text && BigInt(text) !== BigInt(value))
      this.#note(`\`${text.slice(0, 40)}\` has more digits than a number can hold; send it as a string`, start);
    else if (/^-?\d/.test(text) && !Number.isFinite(value))
      this.#note(`\`${text.slice(0, 40)}\` is out of range for a number`, start);
    return value;
  }

  #word(): Json {
    const start = this.at;
    const source = /[A-Za-z_]+/y;
    source.lastIndex = start;
    const word = source.exec(this.#text)?.[0] ?? "";
    if (word !== "" && start + word.length === this.#text.length && !Object.hasOwn(words, word))
      throw this.#broken("the JSON ends here, within a word", true);
    if (Object.hasOwn(words, word)) {
      this.at += word.length;
      return rowOf(words, word) ?? null;
    }
    if (!Object.hasOwn(foreignWords, word)) throw this.#unexpected("a value", start);
    this.at += word.length;
    this.#note(rowOf(foreignWords, word) ?? "", start);
    return null;
  }

  #blanks(): void {
    const blanks = /[ \t\r\n]*/y;
    blanks.lastIndex = this.at;
    blanks.exec(this.#text);
    this.at = blanks.lastIndex;
  }

  #note(message: string, at: number): void {
    const fault = { message, at };
    if (this.faults.length >= FAULTS_MAX) return;
    this.faults.push(fault);
    this.#loose.push(fault);
  }

  #unexpected(expected: string, opened: number): Broken {
    if (this.at >= this.#text.length)
      return this.#broken(`the JSON ends here, before the closing \`${this.#text[opened] === "[" ? "]" : "}"}\``, true);
    return this.#broken(`expected ${expected}, got ${shownAt(this.#text, this.at)}`);
  }

  #broken(message: string, isCut = false, at = this.at): Broken {
    this.at = at;
    return new Broken({ message, at, ...(isCut ? { isCut } : {}) });
  }
}

const controlNames: Readonly<Record<string, string>> = { "\n": "line break", "\r": "carriage return", "\t": "tab" };

function shownAt(text: string, at: number): string {
  const piece = text.slice(at, at + 20).toWellFormed();
  return `\`${piece.replaceAll(/\s+/g, " ")}${at + 20 < text.length ? "…" : ""}\``;
}
