// Bytes with the escapes of addresses, JSON, JavaScript, C, HTML and mail decoded, as far as they stand for a
// character. The first byte of an incomplete escape stands for itself, and the bytes after it are read again.
import { Buffer } from "node:buffer";

type Reader = (byte: number, start: number, end: number) => void;

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

export function beginsEscape(byte: number): boolean {
  return byte === PERCENT || byte === AMPERSAND || byte === EQUALS || byte === BACKSLASH;
}

/** Whether `second` may continue what `first` begins. */
export function isEscape(first: number, second: number): boolean {
  return decodedEscape(String.fromCharCode(first, second)) !== "none";
}

interface Place {
  readonly byte: number;
  readonly start: number;
  readonly end: number;
}

export class Decoder {
  readonly #reader: Reader;
  #pending: Place[] = [];
  #text = "";

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  get isIdle(): boolean {
    return this.#text === "";
  }

  /** Returns where the unfinished part began, or Infinity. `isBegun` says that the text before it may continue. */
  openFrom(isBegun: boolean): number {
    return isBegun || this.#pending.length > 1 ? (this.#pending[0]?.start ?? Infinity) : Infinity;
  }

  read(byte: number, start: number, end: number): void {
    if (this.#text === "" && !beginsEscape(byte)) return this.#reader(byte, start, end);
    this.#pending.push({ byte, start, end });
    this.#text += String.fromCharCode(byte);
    this.#settle();
  }

  /** Ends the input: an unfinished part stands for itself. */
  end(): void {
    while (this.#pending.length > 0) this.#giveUp();
  }

  reset(): void {
    this.#pending = [];
    this.#text = "";
  }

  #settle(): void {
    const decoded = decodedEscape(this.#text);
    if (decoded === "more") return;
    if (decoded === "none") return this.#giveUp();
    const start = this.#pending[0]?.start ?? 0;
    const end = this.#pending.at(-1)?.end ?? 0;
    this.reset();
    for (const byte of decoded) this.#reader(byte, start, end);
  }

  #giveUp(): void {
    const [first, ...rest] = this.#pending;
    this.reset();
    if (first) this.#reader(first.byte, first.start, first.end);
    for (const { byte, start, end } of rest) this.read(byte, start, end);
  }
}

type Decoded = readonly number[] | "more" | "none";

const NAMED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&sol;": "/",
  "&nbsp;": " ",
};
const LETTERS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: 27 };
const NOTHING: readonly number[] = [];

/** Decodes an escape: to its bytes, to `more` if it may become one, or to `none`. */
function decodedEscape(text: string): Decoded {
  switch (text.charCodeAt(0)) {
    case PERCENT:
      return hexadecimal(text.slice(1), 2);
    case EQUALS:
      // In mail, a line that ends with `=` continues.
      if (text === "=\n" || text === "=\r\n") return NOTHING;
      return text === "=\r" ? "more" : hexadecimal(text.slice(1), 2);
    case AMPERSAND:
      return entity(text);
    default:
      return backslashed(text.slice(1));
  }
}

/** Decodes two digits to a byte, and more digits to a character. */
function hexadecimal(text: string, digits: number): Decoded {
  if (!/^[0-9a-fA-F]*$/.test(text)) return "none";
  if (text.length < digits) return "more";
  return digits === 2 ? [Number.parseInt(text, 16)] : character(Number.parseInt(text, 16));
}

function character(codePoint: number): Decoded {
  return codePoint > 0x10ffff ? "none" : [...Buffer.from(String.fromCodePoint(codePoint))];
}

function entity(text: string): Decoded {
  const named = NAMED[text];
  if (named !== undefined) return character(named.charCodeAt(0));
  if (text === "&" || /^&#[xX]?$/.test(text)) return "more";
  const [, hex, decimal, end] = /^&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))(;?)$/.exec(text) ?? [];
  if (hex !== undefined || decimal !== undefined)
    return end === "" ? "more" : character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  return Object.keys(NAMED).some((name) => name.startsWith(text)) ? "more" : "none";
}

function backslashed(text: string): Decoded {
  const kind = text[0];
  if (kind === undefined) return "more";
  const rest = text.slice(1);
  switch (kind) {
    case "\n":
      return NOTHING;
    case "x":
      return rest.startsWith("{") ? braced(rest) : hexadecimal(rest, 2);
    case "u":
      return rest.startsWith("{") ? braced(rest) : unit(rest);
    case "U":
      return hexadecimal(rest, 8);
    default:
      if (/[0-7]/.test(kind)) return octal(text);
      if (/[A-Za-z89]/.test(kind)) return LETTERS[kind] === undefined ? "none" : [LETTERS[kind]];
      return kind.charCodeAt(0) < 0x80 ? [kind.charCodeAt(0)] : "none";
  }
}

function octal(text: string): Decoded {
  if (!/^[0-7]{1,3}$/.test(text)) return "none";
  return text.length < 3 ? "more" : [Number.parseInt(text, 8) & 0xff];
}

function braced(text: string): Decoded {
  if (/^\{[0-9a-fA-F]{0,6}$/.test(text)) return "more";
  return /^\{[0-9a-fA-F]{1,6}\}$/.test(text) ? character(Number.parseInt(text.slice(1), 16)) : "none";
}

/** Decodes four digits. For half of a character, the other half is in another `\u`. */
function unit(text: string): Decoded {
  const first = hexadecimal(text.slice(0, 4), 4);
  const high = Number.parseInt(text.slice(0, 4), 16);
  if (first === "more" || first === "none" || high < 0xd800 || high > 0xdbff) return first;
  const low = text.slice(4);
  if (!/^(?:\\(?:u[0-9a-fA-F]{0,4})?)?$/.test(low)) return "none";
  return low.length < 6 ? "more" : [...Buffer.from(String.fromCharCode(high, Number.parseInt(low.slice(2), 16)))];
}
