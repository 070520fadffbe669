// How much a test tries: in every run a part that is always the same, and all of it, from another seed each time, in
// `npm run test:long`.
import process from "node:process";
import { SEED_VARIABLE } from "./run-variables.ts";

const longSeed = process.env[SEED_VARIABLE];

export const isLong = longSeed !== undefined;
/** For everything that is generated. */
export const seed = longSeed === undefined ? 20_261_121 : Number(longSeed);

export function amount(short: number, long: number): number {
  return isLong ? long : short;
}

/** Every `step`th, from the `offset`th on. */
export function someOf<T>(all: readonly T[], step: number, offset = 0): readonly T[] {
  return isLong ? all : all.filter((_one, index) => index % step === offset % step);
}
