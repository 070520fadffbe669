// Digits that stand for bytes: two hexadecimal ones for each, with any text between them, in lines with an offset
// before them; or base64. The result is the digits alone.
import type { Automaton } from "./automaton.ts";
import { type Found, Track } from "./track.ts";

const NEWLINE = 0x0a;
const BLANK = 0x20;
const COLON = 0x3a;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** The lower-case digit, or 0 if it is none. */
export const hexDigits = mapOf("0123456789abcdefABCDEF", "0123456789abcdefabcdef");
const betweenHex = mapOf(" \t\r\n:,;._-|'\"\\", " \t\r\n:,;._-|'\"\\");
/** The digit in base64's first alphabet, or 0 if it is none. */
export const base64Digits = mapOf(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/+/=",
);
const betweenBase64 = mapOf(" \t\r\n", " \t\r\n");

/** Whether digits may continue after the byte. */
export function isBetweenHex(byte: number): boolean {
  return betweenHex[byte] !== 0 || isX(byte);
}

export function isBetweenBase64(byte: number): boolean {
  return betweenBase64[byte] !== 0;
}

function isX(byte: number): boolean {
  return byte === 0x78 || byte === 0x58;
}

function mapOf(from: string, to: string): Uint8Array {
  const map = new Uint8Array(256);
  for (let index = 0; index < from.length; index++) map[from.charCodeAt(index)] = to.charCodeAt(index);
  return map;
}

interface Zero {
  readonly start: number;
  readonly end: number;
}

export class HexReader {
  readonly #track: Track;
  readonly #holdsZero: boolean;
  /** A zero with which `0x` may begin. */
  #zero: Zero | undefined;
  #last = 0;

  constructor(automaton: Automaton, found: Found) {
    this.#track = new Track(automaton, found);
    this.#holdsZero = automaton.first[ZERO] !== 0;
  }

  get isIdle(): boolean {
    return this.#zero === undefined && this.#track.isIdle;
  }

  get openFrom(): number {
    const isBegun = this.#holdsZero || !this.#track.isIdle;
    return Math.min(this.#track.openFrom(this.#last === NEWLINE), isBegun ? (this.#zero?.start ?? Infinity) : Infinity);
  }

  read(byte: number, start: number, end: number): void {
    const before = this.#last;
    this.#last = byte;
    if (isX(byte) && (this.#zero || before === BACKSLASH)) return void (this.#zero = undefined);
    this.end();
    if (byte === ZERO) this.#zero = { start, end };
    else if (hexDigits[byte] !== 0) this.#track.read(hexDigits[byte] ?? 0, start, end);
    else if (betweenHex[byte] === 0) this.#track.reset();
  }

  end(): void {
    if (this.#zero) this.#track.read(ZERO, this.#zero.start, this.#zero.end);
    this.#zero = undefined;
  }

  reset(): void {
    this.#zero = undefined;
    this.#track.reset();
  }
}

const OFFSET_DIGITS_MIN = 4;
const OFFSET_DIGITS_MAX = 16;
const LINE_DIGITS = 32;

/** Reads lines of `xxd`, `hexdump -C` and `od -t x1`: an offset, sixteen bytes, and their characters. */
export class DumpReader {
  readonly #track: Track;
  #part: "offset" | "bytes" | "rest" = "offset";
  #digits = 0;

  constructor(automaton: Automaton, found: Found) {
    this.#track = new Track(automaton, found);
  }

  get isIdle(): boolean {
    return this.#part === "rest";
  }

  get openFrom(): number {
    return this.#track.openFrom(this.#part === "offset" && this.#digits === 0);
  }

  read(byte: number, start: number, end: number): void {
    if (byte === NEWLINE) {
      this.#part = "offset";
      this.#digits = 0;
    } else if (this.#part === "offset") this.#readOffset(byte);
    else if (this.#part === "bytes") this.#readByte(byte, start, end);
  }

  #readOffset(byte: number): void {
    const isBlank = byte === BLANK || byte === COLON;
    if (hexDigits[byte] !== 0 && this.#digits < OFFSET_DIGITS_MAX) this.#digits++;
    else if (isBlank && this.#digits >= OFFSET_DIGITS_MIN) this.#begin("bytes");
    else if (byte !== BLANK || this.#digits > 0) this.reset();
  }

  #readByte(byte: number, start: number, end: number): void {
    if (hexDigits[byte] !== 0) {
      this.#track.read(hexDigits[byte] ?? 0, start, end);
      if (++this.#digits === LINE_DIGITS) this.#begin("rest");
    } else if (byte !== BLANK) this.#begin("rest");
  }

  #begin(part: "bytes" | "rest"): void {
    this.#part = part;
    this.#digits = 0;
  }

  reset(): void {
    this.#begin("rest");
    this.#track.reset();
  }
}

export class Base64Reader {
  readonly #track: Track;
  #isBehindLine = false;

  constructor(automaton: Automaton, found: Found) {
    this.#track = new Track(automaton, found);
  }

  get isIdle(): boolean {
    return this.#track.isIdle;
  }

  get openFrom(): number {
    return this.#track.openFrom(this.#isBehindLine);
  }

  read(byte: number, start: number, end: number): void {
    this.#isBehindLine = byte === NEWLINE;
    if (base64Digits[byte] !== 0) this.#track.read(base64Digits[byte] ?? 0, start, end);
    else if (betweenBase64[byte] === 0) this.#track.reset();
  }

  reset(): void {
    this.#track.reset();
  }
}
