// Matches the regular expressions that authors, callers and models write, so that none of them holds up the program.
// What backtracks little runs as it is; everything else in linear time. Only what has none, such as a reference back,
// needs a time limit around it.
import { compileLinear } from "./linear-pattern.ts";
import type { Pattern } from "./parameter.ts";
import { type PatternNode, type ReadPattern, readPattern } from "./pattern-syntax.ts";

export interface PatternMatch {
  /** As `RegExp.test` says. */
  isIn(text: string): boolean;
  /**
   * In UTF-16 units: a text that is not longer takes a few milliseconds. Infinity: so does any text; -1: not even the
   * empty one.
   */
  readonly safeLength: number;
  /** Why there is no linear time for it, such as "`\\1` has no linear time". */
  readonly unbounded?: string;
}

/** The length of a text times the instructions of an expression that take a few milliseconds. */
const STEPS_MAX = 100_000;
/** What a backtracking engine may do at one place of a text, and once for a whole text. */
const TRIES_MAX = 200;
const TRIES_ONCE_MAX = 100_000;
const REMEMBERED_MAX = 200;

const remembered = new Map<string, PatternMatch>();

/** `pattern` compiles. */
export function patternMatch(pattern: Pattern): PatternMatch {
  const key = `${pattern.flags}/${pattern.source}`;
  const known = remembered.get(key);
  if (known) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const made = makeMatch(pattern);
  remembered.set(key, made);
  return made;
}

/** Fits where `pattern` fits the whole text, so `m` has no meaning. */
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
  return unread === undefined ? "it is too large for linear time" : `\`${unread}\` has no linear time`;
}

function backtracksLittle(node: PatternNode, flags: string): boolean {
  const { degree, steps } = triesOf(node);
  const first = node.kind === "sequence" ? node.items[0] : undefined;
  const isAtStart = first?.kind === "place" && first.place === "^" && !flags.includes("m");
  return degree <= (isAtStart ? 1 : 0) && steps <= (isAtStart && degree === 0 ? TRIES_ONCE_MAX : TRIES_MAX);
}

/**
 * How a backtracking engine goes through an expression: both numbers × the length of the text to the power of `degree`.
 */
interface Tries {
  /** Ways. */
  readonly count: number;
  /** Characters that are compared in all of them. */
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

/** What is tried behind each way of what stands before. */
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

/** What goes through in one way alone, and takes a character, does so however often it repeats. */
function repeated(
  item: Tries,
  { countMin, countMax }: { readonly countMin: number; readonly countMax: number },
): Tries {
  const isPlain = item.count === 1 && item.degree === 0 && item.steps > 0;
  if (!isPlain) return countMin === 0 && countMax === 1 ? { ...item, count: item.count + 1 } : UNKNOWN;
  if (countMax === Infinity) return { count: 1, steps: item.steps * (countMin + 1), degree: 1 };
  return { count: countMax - countMin + 1, steps: item.steps * countMax, degree: 0 };
}
