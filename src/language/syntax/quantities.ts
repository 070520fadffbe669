// Durations and sizes as authors write them: `1.5m`, `10MiB`.
import { matchRule, type MatchProblem } from "./grammar.ts";
import type { MappedText } from "./ast.ts";

/** The longest time that a timer can wait: 2^31 - 1 ms. */
const DURATION_MS_MAX = 2_147_483_647;
const SIZE_BYTES_MAX = 1_099_511_627_776;

interface Measure {
  readonly rule: "duration" | "size";
  readonly units: Readonly<Record<string, number>>;
  readonly largest: number;
}

const duration: Measure = {
  rule: "duration",
  units: { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 },
  largest: DURATION_MS_MAX,
};
const size: Measure = {
  rule: "size",
  units: { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 },
  largest: SIZE_BYTES_MAX,
};

export type Quantity =
  | { readonly value: number; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: MatchProblem | "out-of-range" };

export function readDurationMs(mapped: MappedText): Quantity {
  return readQuantity(mapped, duration);
}

export function readSizeBytes(mapped: MappedText): Quantity {
  return readQuantity(mapped, size);
}

function readQuantity(mapped: MappedText, measure: Measure): Quantity {
  const { part, problem } = matchRule(measure.rule, mapped);
  if (!part) return { problem };
  const [decimal, unit] = part.parts;
  const value = Math.round(Number(decimal?.text.text) * (measure.units[unit?.text.text ?? ""] ?? 0));
  return value >= 1 && value <= measure.largest ? { value } : { problem: "out-of-range" };
}
