// Decimal numbers as text, compared exactly: ids of 19 digits may differ only in the last one, which no JavaScript
// number can hold.
import type { Json } from "../schema/json.ts";

/**
 * Matches digits, perhaps with `-` before and a fraction after them. `1e5` does not match, since it may be the
 * beginning of a commit's name.
 */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Returns the digits of a value that is a number, or text of one with or without white space around it. */
export function decimalOf(value: Json): string | undefined {
  if (typeof value === "number") return digitsOf(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return DECIMAL.test(text) ? text : undefined;
}

/** Writes a number without an exponent. */
function digitsOf(value: number): string | undefined {
  const [, sign, whole = "", fraction = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  if (exponent === undefined) return undefined;
  const point = 1 + Number(exponent);
  const digits = `${whole}${fraction}`;
  return point <= 0
    ? `${sign}0.${"0".repeat(-point)}${digits}`
    : `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point)}0`;
}

/** Returns a number below, at or above zero if the first is less than, equal to or greater than the second. */
export function compareDecimals(first: string, second: string): number {
  const one = normal(first);
  const other = normal(second);
  if (one.isNegative !== other.isNegative) return one.isNegative ? -1 : 1;
  const larger =
    one.whole.length - other.whole.length ||
    compareTexts(one.whole, other.whole) ||
    compareTexts(one.fraction, other.fraction);
  return one.isNegative ? -larger : larger;
}

interface NormalDecimal {
  readonly isNegative: boolean;
  /** Without leading zeros. */
  readonly whole: string;
  /** Without trailing zeros, so that the order of characters is that of the numbers. */
  readonly fraction: string;
}

function normal(decimal: string): NormalDecimal {
  const [before = "", behind = ""] = decimal.replace("-", "").split(".");
  const whole = withoutZeros(before, "start");
  const fraction = withoutZeros(behind, "end");
  return { isNegative: decimal.startsWith("-") && whole + fraction !== "", whole, fraction };
}

// A pattern such as /0+$/ takes quadratic time where zeros stand in the middle.
function withoutZeros(digits: string, at: "start" | "end"): string {
  let start = 0;
  let end = digits.length;
  while (at === "start" && start < end && digits[start] === "0") start++;
  while (at === "end" && end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
