// The searched forms of secrets: as given, as a terminal shows them, and the digits that stand for them.
import { Buffer } from "node:buffer";
import { Automaton } from "./automaton.ts";
import { base64Digits } from "./digit-readers.ts";
import { plainPairs } from "./plain-pairs.ts";
import { visibleBytes } from "./visible-bytes.ts";

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
  /** See plain-pairs.ts. It takes a millisecond, once. */
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
