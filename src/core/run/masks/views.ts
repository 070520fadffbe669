// All the ways of reading what is shown: as it is, with escapes decoded once or twice, as hexadecimal digits and as
// base64.
import { Base64Reader, DumpReader, HexReader } from "./digit-readers.ts";
import { Decoder } from "./decoder.ts";
import type { SearchedForms } from "./forms.ts";
import { type Found, Track } from "./track.ts";
import { asRead, isBlank } from "./visible-bytes.ts";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export class Views {
  readonly #plain: Reading;
  readonly #decoder: Decoder;
  readonly #decoded: Reading;
  readonly #twice: Decoder;
  readonly #decodedTwice: Reading;
  readonly #hex: HexReader | undefined;
  readonly #dump: DumpReader | undefined;
  readonly #base64: Base64Reader | undefined;

  /** `inDump` gets bytes in a line of a dump, which has their characters after them. */
  constructor(forms: SearchedForms, found: Found, inDump: Found) {
    this.#plain = new Reading(forms, found);
    this.#decoded = new Reading(forms, found);
    this.#decodedTwice = new Reading(forms, found);
    this.#hex = forms.hex && new HexReader(forms.hex, found);
    this.#dump = forms.hex && new DumpReader(forms.hex, inDump);
    this.#base64 = forms.base64 && new Base64Reader(forms.base64, found);
    this.#twice = new Decoder((byte, start, end) => this.#decodedTwice.read(byte, start, end));
    this.#decoder = new Decoder((byte, start, end) => {
      this.#decoded.read(byte, start, end);
      this.#twice.read(byte, start, end);
      this.#hex?.read(byte, start, end);
      this.#dump?.read(byte, start, end);
      this.#base64?.read(byte, start, end);
    });
  }

  /** Whether nothing has begun, so that most bytes change nothing: see forms.ts. */
  get isIdle(): boolean {
    return (
      this.#plain.isIdle &&
      this.#decoder.isIdle &&
      this.#decoded.isIdle &&
      this.#twice.isIdle &&
      this.#decodedTwice.isIdle &&
      this.#hex?.isIdle !== false &&
      this.#dump?.isIdle !== false &&
      this.#base64?.isIdle !== false
    );
  }

  /** The start of an escape alone decides nothing. */
  get openFrom(): number {
    const digits = [this.#hex, this.#dump, this.#base64].map((reader) => reader?.openFrom ?? Infinity);
    const decoded = Math.min(this.#decoded.openFrom, ...digits);
    const twice = this.#decodedTwice.openFrom;
    return Math.min(
      this.#plain.openFrom,
      decoded,
      twice,
      this.#decoder.openFrom(decoded < Infinity || twice < Infinity),
      this.#twice.openFrom(twice < Infinity),
    );
  }

  read(byte: number, start: number, end: number): void {
    this.#plain.read(byte, start, end);
    this.#decoder.read(byte, start, end);
  }

  /** Says that the next byte stands elsewhere in the line. */
  interrupt(): void {
    this.#plain.interrupt();
    this.#decoded.interrupt();
    this.#decodedTwice.interrupt();
  }

  end(): void {
    this.#decoder.end();
    this.#twice.end();
    this.#hex?.end();
  }

  reset(): void {
    for (const part of [
      this.#plain,
      this.#decoder,
      this.#decoded,
      this.#twice,
      this.#decodedTwice,
      this.#hex,
      this.#dump,
      this.#base64,
    ])
      part?.reset();
  }
}

/** Reads text: short secrets line by line, long ones across lines. */
class Reading {
  readonly #short: Track | undefined;
  readonly #long: Track | undefined;
  /** Indexed by byte. 1 means that while nothing has begun, the byte changes nothing. */
  readonly #plain: Uint8Array;
  #isBehindLine = false;
  isIdle = true;

  constructor({ short, long }: SearchedForms, found: Found) {
    this.#short = short && new Track(short, found);
    this.#long = long && new Track(long, found);
    const begins = (byte: number): boolean =>
      [short, long].some((automaton) => automaton !== undefined && automaton.first[asRead(byte)] !== 0);
    this.#plain = Uint8Array.from({ length: 256 }, (_value, byte) =>
      byte === NEWLINE || byte === CARRIAGE_RETURN || begins(byte) ? 0 : 1,
    );
  }

  get openFrom(): number {
    return Math.min(this.#short?.openFrom(false) ?? Infinity, this.#long?.openFrom(this.#isBehindLine) ?? Infinity);
  }

  read(byte: number, start: number, end: number): void {
    if (this.isIdle && this.#plain[byte] === 1) return;
    const read = asRead(byte);
    this.#short?.read(read, start, end);
    if (byte === NEWLINE || byte === CARRIAGE_RETURN) this.#isBehindLine = true;
    else if (!this.#isBehindLine || !isBlank(byte)) {
      this.#isBehindLine = false;
      this.#long?.read(read, start, end);
    }
    this.isIdle = this.#short?.isIdle !== false && this.#long?.isIdle !== false;
  }

  interrupt(): void {
    this.#short?.reset();
  }

  reset(): void {
    this.#short?.reset();
    this.#long?.reset();
    this.#isBehindLine = false;
    this.isIdle = true;
  }
}
