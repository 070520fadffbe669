// The amount that a test tries: in every run the same part, and in `npm run test:long` everything, each time from
// another seed.
import process from "node:process";
import { FEW_VARIABLE, SEED_VARIABLE } from "./run-variables.ts";

const longSeed = process.env[SEED_VARIABLE];

/**
 * The limit of whatever else would hang, of a program or of a wait: longer than any of them takes on a machine that is
 * thirty times too busy. A test has twice that.
 */
export const HANG_MS_MAX = 300_000;

export const isLong = longSeed !== undefined;
/** The seed of all generated values. */
export const seed = longSeed === undefined ? 20_261_121 : Number(longSeed);

export function amount(short: number, long: number): number {
  return isLong ? long : short;
}

/** Returns every `step`th item, from the `offset`th on. */
export function someOf<T>(all: readonly T[], step: number, offset = 0): readonly T[] {
  return isLong ? all : all.filter((_one, index) => index % step === offset % step);
}

/** Returns all items with CI_FULL and in long runs, and otherwise every `step`th, from the `offset`th on. */
export function sampleOf<T>(all: readonly T[], step: number, offset = 0): readonly T[] {
  return process.env["CI_FULL"] ? all : someOf(all, step, offset);
}

/** Returns every `step`th item where each costs a start of the program from its sources, as in Deno on each push. */
export function fewOf<T>(all: readonly T[], step: number): readonly T[] {
  return process.env[FEW_VARIABLE] === undefined ? all : all.filter((_one, index) => index % step === 0);
}
