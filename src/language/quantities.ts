// Durations and sizes as authors write them: `1.5m`, `10MiB`.
import { matchRule, type MatchProblem } from "./grammar.ts";
import type { MappedText } from "./ast.ts";

const millisecondsOf: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const bytesOf: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };

/** What a timer can wait: 2^31 - 1 ms. */
export const DURATION_MS_MAX = 2_147_483_647;
export const SIZE_BYTES_MAX = 1_099_511_627_776;

export type Quantity = { readonly value: number; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: MatchProblem | "out-of-range" };

export function readDurationMs(mapped: MappedText): Quantity {
  return readQuantity("duration", mapped, millisecondsOf, DURATION_MS_MAX);
}

export function readSizeBytes(mapped: MappedText): Quantity {
  return readQuantity("size", mapped, bytesOf, SIZE_BYTES_MAX);
}

function readQuantity(rule: "duration" | "size", mapped: MappedText, units: Readonly<Record<string, number>>, largest: number): Quantity {
  const { part, problem } = matchRule(rule, mapped);
  if (!part) return { problem };
  const [decimal, unit] = part.parts;
  const value = Math.round(Number(decimal?.text.text) * (units[unit?.text.text ?? ""] ?? 0));
  return value >= 1 && value <= largest ? { value } : { problem: "out-of-range" };
}
