// The searched forms of secrets: as given, as a terminal shows them, and the digits that stand for them.
import { Buffer } from "node:buffer";
import { Automaton } from "./automaton.ts";
import { base64Digits, hexDigits, isBetweenBase64, isBetweenHex } from "./digit-readers.ts";
import { visibleBytes, asRead } from "./visible-bytes.ts";
import { beginsEscape, isEscape } from "./decoder.ts";

/** The minimum length. Shorter values occur in too many unrelated places. */
export const SEARCHED_CHARACTERS_MIN = 4;
/**
 * The length from which no other text equals a secret by chance, even with lines joined, blanks removed and digits
 * decoded.
 */
const LONG_BYTES_MIN = 8;
/** The limit of secrets whose digits are searched for. Those of longer ones would take too much memory. */
const ENCODED_BYTES_MAX = 64 * 1024;
const LINE_BYTES_MIN = 16;

export interface SearchedForms {
  /** Short secrets, searched for line by line. */
  readonly short?: Automaton;
  /** Long secrets, without line ends and the blanks after them. */
  readonly long?: Automaton;
  /** Lower-case hexadecimal digits. */
  readonly hex?: Automaton;
  /** Secrets in base64, in its first alphabet, without blanks. */
  readonly base64?: Automaton;
  /** It takes a millisecond to make, once. */
  plain(): Uint8Array;
}

export function searchedForms(values: readonly string[]): SearchedForms {
  const wanted = [...new Set(values.flatMap(shapesOf))].filter((value) => value.length >= SEARCHED_CHARACTERS_MIN);
  const texts = wanted.map((value) => Buffer.from(value));
  const long = texts.filter(isLong);
  const encoded = long.filter((bytes) => bytes.length <= ENCODED_BYTES_MAX);
  const short = texts.filter((bytes) => !isLong(bytes)).flatMap((bytes) => [bytes, ...wholeDigits(bytes)]);
  const automata: Omit<SearchedForms, "plain"> = {
    ...automatonOf(
      "short",
      short.map((bytes) => visibleBytes(bytes, { keepsLines: true })),
    ),
    ...automatonOf(
      "long",
      long.flatMap((bytes) => [bytes, ...linesOf(bytes)]).map((bytes) => visibleBytes(bytes, { keepsLines: false })),
    ),
    ...automatonOf(
      "hex",
      encoded.map((bytes) => Buffer.from(bytes.toString("hex"))),
    ),
    ...automatonOf("base64", encoded.flatMap(base64Cores)),
  };
  let plain: Uint8Array | undefined;
  return { ...automata, plain: () => (plain ??= plainPairs(automata)) };
}

/** Returns a secret without the white space around it, and with its quotes doubled as shells and tables do. */
function shapesOf(value: string): readonly string[] {
  return [value, value.trim(), value.replaceAll("'", `'\\''`), value.replaceAll('"', '""')];
}

function isLong(bytes: Buffer): boolean {
  return bytes.length >= LONG_BYTES_MIN;
}

/** Returns the lines of a secret, because keys have lines and are shown line by line. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  if (!bytes.includes("\n")) return [];
  return bytes
    .toString()
    .split("\n")
    .map((line) => Buffer.from(line.trim()))
    .filter((line) => line.length >= LINE_BYTES_MIN);
}

/** Returns only the whole digits of a few bytes, since a part of them occurs in every other text. */
function wholeDigits(bytes: Buffer): readonly Buffer[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase(), bytes.toString("base64"), bytes.toString("base64url")].map((digits) =>
    Buffer.from(digits),
  );
}

/**
 * Returns the digits that do not depend on the text around: at each of three positions, and with its end if nothing
 * follows.
 */
function base64Cores(bytes: Buffer): readonly Buffer[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const digits = whole.toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((whole.length * 8) / 6);
    const plain = digits.replace(/=+$/, "");
    return [digits.slice(from, to), plain.slice(from), digits.slice(from)].map(
      (text) => Buffer.from(text).map((byte) => base64Digits[byte] ?? 0) as Buffer,
    );
  });
}

function automatonOf(
  name: "short" | "long" | "hex" | "base64",
  texts: readonly Uint8Array[],
): Omit<SearchedForms, "plain"> {
  const some = texts.filter((text) => text.length >= SEARCHED_CHARACTERS_MIN);
  return some.length === 0 ? {} : { [name]: new Automaton(some) };
}

// Bytes with which no secret begins. Most bytes of a text are such, and are skipped without asking each view.

/** The range of printable bytes. */
const [FIRST, LAST] = [0x20, 0x7e];

/**
 * Indexed by two bytes, `first * 256 + second`. 1 means that while nothing has begun, no view needs the first byte if
 * the second follows.
 */
function plainPairs({ short, long, hex, base64 }: Omit<SearchedForms, "plain">): Uint8Array {
  const plain = new Uint8Array(256 * 256);
  const readings = [
    { automaton: short, read: asRead, passes: never },
    { automaton: long, read: asRead, passes: never },
    { automaton: hex, read: (byte: number) => hexDigits[byte] ?? 0, passes: isBetweenHex },
    { automaton: base64, read: (byte: number) => base64Digits[byte] ?? 0, passes: isBetweenBase64 },
  ];
  for (let first = FIRST; first <= LAST; first++) {
    const row = plain.subarray(first * 256, first * 256 + 256);
    const begun = readings.filter(
      ({ automaton, read }) => automaton !== undefined && automaton.first[read(first)] !== 0,
    );
    const escapes = beginsEscape(first);
    if (begun.length === 0 && !escapes) {
      row.fill(1);
      continue;
    }
    // Bytes that are not printed may stand between.
    row.fill(1, FIRST, LAST + 1);
    for (let second = FIRST; second <= LAST; second++) {
      const goesOn = begun.some(
        ({ automaton, read, passes }) =>
          beginsEscape(second) || passes(second) || automaton?.goesOn(automaton.first[read(first)] ?? 0, read(second)),
      );
      if (goesOn || (escapes && isEscape(first, second))) row[second] = 0;
    }
  }
  return plain;
}

function never(): boolean {
  return false;
}
