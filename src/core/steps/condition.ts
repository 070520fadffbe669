// Decides the condition of a step from values. A value that looks like a condition is only text.
import type { Json } from "../schema/json.ts";
import type { Pattern } from "../schema/parameter.ts";
import { patternMatch } from "../schema/pattern-match.ts";
import { type Comparison, type Condition, type Operand, referencesIn } from "../tool/condition.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { Host } from "../tool/host.ts";
import type { Reference } from "../tool/reference.ts";

/** The time limit of all patterns in one condition. */
const MATCHING_MS_MAX = 1_000;

interface ConditionValues {
  /** Returns the value or its default. Undefined and `null` stand for the empty text. */
  readonly valueOf: (reference: Reference) => Json | undefined;
  readonly runBounded: Host["runBounded"];
}

export type ConditionResult =
  | { readonly holds: boolean; readonly failure?: undefined }
  | { readonly holds?: undefined; readonly failure: Failure };

/** Returns a failure if a pattern takes too long. */
export function conditionHolds(condition: Condition, { valueOf, runBounded }: ConditionValues): ConditionResult {
  const values = new Map(referencesIn(condition).map((reference) => [reference.text, valueOf(reference) ?? ""]));
  const deciding = new Deciding(values);
  if (!hasPattern(condition)) return { holds: deciding.holds(condition) };
  try {
    return { holds: runBounded(() => deciding.holds(condition), MATCHING_MS_MAX) };
  } catch (error) {
    if (codeOf(error) !== "ETIMEDOUT") throw error;
    return {
      failure: {
        kind: "rejected",
        reason: `the pattern \`${deciding.tried}\` of the condition timed out after ${MATCHING_MS_MAX} ms`,
        help: ["write the pattern without a backreference such as `\\1`"],
      },
    };
  }
}

function hasPattern(condition: Condition): boolean {
  switch (condition.kind) {
    case "or":
    case "and":
      return condition.conditions.some(hasPattern);
    case "not":
      return hasPattern(condition.condition);
    case "matches":
      return true;
    case "compare":
    case "holds":
      return false;
  }
}

class Deciding {
  /** The last pattern that was tried, for the message about one that takes too long. */
  tried = "";
  readonly #values: ReadonlyMap<string, Json>;

  constructor(values: ReadonlyMap<string, Json>) {
    this.#values = values;
  }

  holds(condition: Condition): boolean {
    switch (condition.kind) {
      case "or":
        return condition.conditions.some((each) => this.holds(each));
      case "and":
        return condition.conditions.every((each) => this.holds(each));
      case "not":
        return !this.holds(condition.condition);
      case "compare":
        return isTrue(condition.comparison, this.#valueOf(condition.left), this.#valueOf(condition.right));
      case "matches":
        return this.#matches(textOf(this.#valueOf(condition.operand)), condition.pattern);
      case "holds":
        return saysYes(this.#valueOf(condition.operand));
    }
  }

  #matches(text: string, { source, flags }: Pattern): boolean {
    this.tried = `/${source}/${flags}`;
    return patternMatch({ source, flags }).isIn(text);
  }

  #valueOf(operand: Operand): Json {
    switch (operand.kind) {
      case "reference":
        return this.#values.get(operand.reference.text) ?? "";
      case "text":
        return operand.text;
      case "number":
        return operand.decimal;
      case "boolean":
        return operand.value;
    }
  }
}

function isTrue(comparison: Comparison, left: Json, right: Json): boolean {
  switch (comparison) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
      return order(left, right) < 0;
    case "<=":
      return order(left, right) <= 0;
    case ">":
      return order(left, right) > 0;
    case ">=":
      return order(left, right) >= 0;
    case "contains":
      return isList(left) ? left.some((item) => isEqual(item, right)) : textOf(left).includes(textOf(right));
  }
}

function isEqual(left: Json, right: Json): boolean {
  return order(left, right) === 0;
}

/** Compares two decimals by their value, everything else by UTF-16 code units. */
function order(left: Json, right: Json): number {
  const numbers = [decimalOf(left), decimalOf(right)] as const;
  if (numbers[0] !== undefined && numbers[1] !== undefined) return compareDecimals(numbers[0], numbers[1]);
  const [one, other] = [textOf(left), textOf(right)];
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Whether a value counts as true: every value except the empty text, the empty list, `false` and zero. */
function saysYes(value: Json): boolean {
  const decimal = decimalOf(value);
  if (decimal !== undefined) return compareDecimals(decimal, "0") !== 0;
  const text = isList(value) && value.length === 0 ? "" : textOf(value).trim();
  return text !== "" && text !== "false";
}

/** Returns a value as text. Lists and objects are JSON. */
function textOf(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

// Decimal numbers as text, compared exactly: ids of 19 digits may differ only in the last one, which no JavaScript
// number can hold.

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
  /** The digits without leading zeros. */
  readonly whole: string;
  /** The digits without trailing zeros, so that characters and numbers have the same order. */
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
