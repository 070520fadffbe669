// Matches the regular expressions that authors, callers and models write, without blocking the program. Patterns that
// hardly backtrack run unchanged, and all others in linear time. Only those that cannot, such as patterns with a
// back-reference, need a time limit.
import { compileLinear } from "./linear-pattern.ts";
import type { Pattern } from "./parameter.ts";
import { type PatternNode, type ReadPattern, readPattern } from "./pattern-syntax.ts";

export interface PatternMatch {
  /** Returns the same as `RegExp.test`. */
  isIn(text: string): boolean;
  /**
   * The length, in UTF-16 units, of the longest text that takes only a few milliseconds. Infinity means any text, -1
   * not even the empty one.
   */
  readonly safeLength: number;
  /** Why it cannot run in linear time, such as "`\\1` cannot be matched in linear time". */
  readonly unbounded?: string;
}

/** The length of a text times the instructions of an expression that take a few milliseconds. */
const STEPS_MAX = 100_000;
/** The limits of a backtracking engine's tries: at one place of a text, and once for a whole text. */
const TRIES_MAX = 200;
const TRIES_ONCE_MAX = 100_000;
const REMEMBERED_MAX = 200;

const remembered = new Map<string, PatternMatch>();

/** `pattern` must compile. */
export function patternMatch(pattern: Pattern): PatternMatch {
  const key = `${pattern.flags}/${pattern.source}`;
  const known = remembered.get(key);
  if (known) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const made = makeMatch(pattern);
  remembered.set(key, made);
  return made;
}

/** Matches if `pattern` matches the whole text, so `m` has no meaning. */
export function wholePattern({ source, flags }: Pattern): Pattern {
  return { source: `^(?:${source})$`, flags: flags.replace("m", "") };
}

function makeMatch(pattern: Pattern): PatternMatch {
  const { source, flags } = pattern;
  const read = readPattern(pattern);
  const isQuick = read.node !== undefined && backtracksLittle(read.node, flags);
  const linear = read.node && !isQuick ? compileLinear(read.node, flags) : undefined;
  if (linear) return { isIn: (text) => linear.test(text), safeLength: Math.floor(STEPS_MAX / linear.instructions) };
  // `g` and `y` would make `test` remember where it stopped.
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ""));
  const isIn = (text: string): boolean => expression.test(text);
  return isQuick ? { isIn, safeLength: Infinity } : { isIn, safeLength: -1, unbounded: unboundedBy(read) };
}

function unboundedBy({ unread }: ReadPattern): string {
  return unread === undefined
    ? "it is too large to match in linear time"
    : `\`${unread}\` cannot be matched in linear time`;
}

function backtracksLittle(node: PatternNode, flags: string): boolean {
  const { degree, steps } = triesOf(node);
  const first = node.kind === "sequence" ? node.items[0] : undefined;
  const isAtStart = first?.kind === "place" && first.place === "^" && !flags.includes("m");
  return degree <= (isAtStart ? 1 : 0) && steps <= (isAtStart && degree === 0 ? TRIES_ONCE_MAX : TRIES_MAX);
}

/** The tries of a backtracking engine: both numbers × the length of the text to the power of `degree`. */
interface Tries {
  readonly count: number;
  /** The number of characters that are compared in all of them. */
  readonly steps: number;
  readonly degree: number;
}

const UNKNOWN: Tries = { count: Infinity, steps: Infinity, degree: Infinity };
const NOTHING: Tries = { count: 1, steps: 0, degree: 0 };

function triesOf(node: PatternNode): Tries {
  switch (node.kind) {
    case "one":
      return { count: 1, steps: 1, degree: 0 };
    case "place":
      return NOTHING;
    case "look":
      return UNKNOWN;
    case "sequence":
      return node.items.map(triesOf).reduce(followed, NOTHING);
    case "either":
      return node.options.map(triesOf).reduce(oneOf);
    case "repeat":
      return repeated(triesOf(node.item), node);
  }
}

/** Combines a part with the part after it, which is tried for each way of the first. */
function followed(one: Tries, other: Tries): Tries {
  return {
    count: one.count * other.count,
    steps: one.steps + one.count * other.steps,
    degree: one.degree + other.degree,
  };
}

function oneOf(one: Tries, other: Tries): Tries {
  return { count: one.count + other.count, steps: one.steps + other.steps, degree: Math.max(one.degree, other.degree) };
}

/**
 * Returns the tries of a repeated part. A part that matches in only one way and takes a character still does when it is
 * repeated.
 */
function repeated(
  item: Tries,
  { countMin, countMax }: { readonly countMin: number; readonly countMax: number },
): Tries {
  const isPlain = item.count === 1 && item.degree === 0 && item.steps > 0;
  if (!isPlain) return countMin === 0 && countMax === 1 ? { ...item, count: item.count + 1 } : UNKNOWN;
  if (countMax === Infinity) return { count: 1, steps: item.steps * (countMin + 1), degree: 1 };
  return { count: countMax - countMin + 1, steps: item.steps * countMax, degree: 0 };
}
