// uvu with a time limit for each test, so that a hang is a failure with a name.
import process from "node:process";
import { suite as uvuSuite } from "uvu";
import * as uvuAssert from "uvu/assert";
import { LeftOut, leftOut } from "./programs-needed.ts";

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

const TEST_MS_MAX = 60_000;

export interface Suite {
  (name: string, body: () => void | Promise<void>): void;
  run(): void;
}

export function suite(name: string, options: { readonly testMsMax?: number } = {}): Suite {
  const inner = uvuSuite(name);
  const limitMs = options.testMsMax ?? TEST_MS_MAX;
  const add = (testName: string, body: () => void | Promise<void>): void => {
    inner(testName, async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`${testName}: not done after ${limitMs} ms`)), limitMs);
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

const GROWTH = 8;
/** The limit of growth: three times that of linear work, and less than half of that of quadratic work. */
const GROWTH_MAX = 24;
const TRIES_MAX = 3;
/** Shorter times mean nothing: the clock, the compiler and the garbage collector weigh more. */
const MEASURABLE_MS = 4;

/**
 * Fails if eight times the size takes more than 24 times the processor time. It compares two measurements of this
 * process and asserts no duration, so that a slow or busy machine makes no difference.
 */
export function assertLinear(what: string, length: number, work: (length: number) => void): void {
  const growths: string[] = [];
  for (let time = 0; time < TRIES_MAX; time++) {
    const largeMs = processorMs(() => work(length * GROWTH));
    // Then no small time would make a difference.
    if (largeMs <= GROWTH_MAX * MEASURABLE_MS) return;
    const smallMs = processorMs(() => work(length));
    if (largeMs <= GROWTH_MAX * smallMs) return;
    growths.push(`${smallMs.toFixed(1)} to ${largeMs.toFixed(1)} ms`);
  }
  throw new Error(`${what}: ${GROWTH} times the size took ${growths.join(", ")}`);
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
