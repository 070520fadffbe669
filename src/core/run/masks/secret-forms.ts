// The searched forms of secrets, as texts with one character for each byte: as given, and the digits that stand for them.
import { Buffer } from "node:buffer";
import { withoutBreaks } from "./views.ts";

/** The minimum length. Shorter values occur in too many unrelated places. */
export const SEARCHED_CHARACTERS_MIN = 4;
/** The length from which no other text equals a secret by chance, even with lines joined and digits decoded. */
const LONG_BYTES_MIN = 8;
/** The limit of secrets whose digits are searched for: each is read with as much as it may be long before it. */
const ENCODED_BYTES_MAX = 16 * 1024;
const LINE_BYTES_MIN = 16;
/** Bytes of output that a byte of a secret may take: `\u0068`, or digits with colours between. */
const BYTES_EACH_MAX = 8;

export interface SecretForms {
  readonly isEmpty: boolean;
  /** Short secrets, searched for line by line. */
  readonly short: readonly string[];
  /** Long secrets and their lines, without line ends and the blanks after them. */
  readonly long: readonly string[];
  /** Lower-case hexadecimal digits of long secrets. */
  readonly hex: readonly string[];
  /** Long secrets in base64, in its first alphabet. */
  readonly base64: readonly string[];
  /** The length of the output before a byte in which a secret that it ends may have begun. */
  readonly contextBytes: number;
}

export function secretForms(values: readonly string[]): SecretForms {
  const texts = [...new Set(values.flatMap(shapesOf))]
    .filter((value) => value.length >= SEARCHED_CHARACTERS_MIN)
    .map((value) => Buffer.from(value));
  const long = texts.filter((bytes) => bytes.length >= LONG_BYTES_MIN);
  const short = texts.filter((bytes) => bytes.length < LONG_BYTES_MIN);
  const encoded = long.filter((bytes) => bytes.length <= ENCODED_BYTES_MAX);
  const longest = Math.max(0, ...texts.map((bytes) => bytes.length));
  return {
    isEmpty: texts.length === 0,
    short: spaced([...short, ...short.flatMap(wholeDigits)]),
    long: spaced(long.flatMap((bytes) => [bytes, ...linesOf(bytes)])).map(withoutBreaks),
    hex: encoded.map((bytes) => bytes.toString("hex")),
    base64: encoded.flatMap(base64Cores),
    contextBytes: longest <= ENCODED_BYTES_MAX ? longest * BYTES_EACH_MAX : longest,
  };
}

/** Returns a secret without the white space around it, and with its quotes doubled as shells and tables do. */
function shapesOf(value: string): readonly string[] {
  return [value, value.trim(), value.replaceAll("'", `'\\''`), value.replaceAll('"', '""')];
}

/** A form has `+` for a blank. */
function spaced(texts: readonly Buffer[]): readonly string[] {
  return texts.map((bytes) => bytes.toString("latin1").replaceAll("+", " "));
}

/** Returns the lines of a secret, because keys have lines and are shown line by line. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  if (!bytes.includes("\n")) return [];
  const lines = bytes.toString().split("\n");
  return lines.map((line) => Buffer.from(line.trim())).filter((line) => line.length >= LINE_BYTES_MIN);
}

/** Returns only the whole digits of a few bytes, since a part of them occurs in every other text. */
function wholeDigits(bytes: Buffer): readonly Buffer[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase(), bytes.toString("base64"), bytes.toString("base64url")].map((text) =>
    Buffer.from(text),
  );
}

/**
 * Returns the digits that do not depend on the text around: at each of three positions, and with its end if nothing
 * follows.
 */
function base64Cores(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const digits = whole.toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((whole.length * 8) / 6);
    return [digits.slice(from, to), digits.replace(/=+$/, "").slice(from), digits.slice(from)];
  });
}
