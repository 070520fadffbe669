// uvu with a time limit for each test, so that a hang is a failure with a name.
import process from "node:process";
import { suite as uvuSuite } from "uvu";
import * as uvuAssert from "uvu/assert";
import { HANG_MS_MAX, isLong } from "./amount.ts";
import { useFeatures } from "../src/core/tool/feature.ts";
import { features } from "../src/features/index.ts";
import { LeftOut, leftOut } from "./programs-needed.ts";

useFeatures(features);

export const assert: typeof uvuAssert =
  process.platform === "win32"
    ? {
        ...uvuAssert,
        is: Object.assign(slashed(uvuAssert.is), uvuAssert.is),
        equal: slashed(uvuAssert.equal),
        match: slashed(uvuAssert.match),
      }
    : uvuAssert;

/** On Windows, what is compared has `/` for `\`: tests have paths as other systems write them. */
function slashed<Compare extends (actual: never, expected: never, message?: string) => void>(
  compare: Compare,
): Compare {
  return ((actual: never, expected: never, message?: string) =>
    compare(withSlashes(actual) as never, withSlashes(expected) as never, message)) as Compare;
}

function withSlashes(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\\", "/");
  if (Array.isArray(value)) return value.map(withSlashes);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [withSlashes(key), withSlashes(one)]));
}

/** So that a hang is a failure; nothing else reaches it on a slow machine. With `--long` some tests try for an hour. */
const TEST_MS_MAX = (isLong ? 12 : 2) * HANG_MS_MAX;

export interface Suite {
  (name: string, body: () => void | Promise<void>): void;
  run(): void;
}

export function suite(name: string): Suite {
  const inner = uvuSuite(name);
  const add = (testName: string, body: () => void | Promise<void>): void => {
    inner(testName, async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`${testName}: not done after ${TEST_MS_MAX} ms`)), TEST_MS_MAX);
      });
      const ended = Promise.race([Promise.resolve().then(body), late]).finally(() => clearTimeout(timer));
      await ended.catch((error: unknown) => {
        if (!(error instanceof LeftOut)) throw error;
        leftOut.push(`${name}: ${testName}: ${error.message}`);
      });
    });
  };
  return Object.assign(add, { run: () => inner.run() });
}

/** Returns `value`, which the test needs. Fails if it is null or undefined. */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`there is no value: ${value}`);
  return value;
}

/** Of the largest of the three sizes that are compared; each is twice the one before it. */
const GROWTH = 8;
/** Linear work takes twice as long with each doubling, quadratic work four times. */
const DOUBLING_MAX = 2.8;
const RUNS_MAX = 5;
/** Shorter times mean nothing: the clock, the compiler and the garbage collector weigh more. */
const MEASURABLE_MS = 4;
/** Less than that for the largest size is no growth that anybody could notice. */
const NOTICEABLE_MS = 24 * MEASURABLE_MS;

/**
 * Fails if work grows faster than its size: if each of two doublings takes more than 2.8 times the processor time, also
 * by the best of five runs of each size. It asserts no duration, so that a slow or busy machine makes no difference.
 */
export function assertLinear(what: string, length: number, work: (length: number) => void): void {
  const sizes = [GROWTH / 4, GROWTH / 2, GROWTH].map((factor) => factor * length);
  const bestMs = sizes.map(() => Infinity);
  for (let run = 0; run < RUNS_MAX; run++) {
    // The largest is often quick enough.
    for (const index of [2, 1, 0]) {
      bestMs[index] = Math.min(
        bestMs[index] ?? Infinity,
        processorMs(() => work(sizes[index] ?? 0)),
      );
      if (index === 2 && (bestMs[2] ?? 0) <= NOTICEABLE_MS) return;
    }
    const [first = 0, second = 0, third = 0] = bestMs;
    if (second <= DOUBLING_MAX * first || third <= DOUBLING_MAX * second) return;
  }
  throw new Error(`${what}: sizes ${sizes.join(", ")} took ${bestMs.map((ms) => ms.toFixed(1)).join(", ")} ms at best`);
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
