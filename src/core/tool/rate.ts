// The rate of calls of a tool, as people write it: `10/min`.
import { rowOf } from "../text/row-of.ts";

export interface Rate {
  readonly calls: number;
  readonly perMs: number;
}

export const RATE_CALLS_MAX = 10_000;

const units: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, day: 86_400_000 };
const names: Readonly<Record<string, string>> = { s: "second", min: "minute", h: "hour", day: "day" };
export const RATE_FORM = "such as `10/min`: a whole number, a slash, and `s`, `min`, `h` or `day`";

export function parseRate(text: string): Rate | undefined {
  const [, count = "", unit = ""] = /^(\d{1,5})\/([a-z]+)$/.exec(text) ?? [];
  const perMs = rowOf(units, unit);
  const calls = Number(count);
  return perMs === undefined || calls < 1 || calls > RATE_CALLS_MAX ? undefined : { calls, perMs };
}

/** Returns a rate in the form that `parseRate` reads. */
export function rateText({ calls, perMs }: Rate): string {
  return `${calls}/${unitOf(perMs)}`;
}

/** `10 times a minute` */
export function rateWords({ calls, perMs }: Rate): string {
  const name = rowOf(names, unitOf(perMs)) ?? "";
  return `${calls === 1 ? "once" : `${calls} times`} ${name === "hour" ? "an" : "a"} ${name}`;
}

function unitOf(perMs: number): string {
  return Object.entries(units).find(([, ms]) => ms === perMs)?.[0] ?? "s";
}
