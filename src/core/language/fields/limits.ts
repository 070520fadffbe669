// `@timeout`, `@limit` and `@retry`: the limits of a call, and the number of attempts.
import type { DeclaredLimits } from "../../tool/definition.ts";
import { RATE_CALLS_MAX, type Rate, parseRate, rateText } from "../../tool/rate.ts";
import { type Analysis, nearestOf, partOf, partsOf, replacing } from "../analysis.ts";
import type { Annotation, MappedText } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";
import { durationText, sizeQuantity } from "../write/quantity-text.ts";
import { type MatchProblem, type Part, matchRule } from "../syntax/grammar.ts";

export const ATTEMPTS_MAX = 100;
/** The most that Linux numbers. */
export const PROCESSES_MOST = 4_194_304;

type NamedLimits = Omit<DeclaredLimits, "timeoutMs" | "retries">;

interface LimitCodec<Value> {
  readonly name: string;
  read(text: MappedText, analysis: Analysis): Value | undefined;
  write(value: Value): string;
}

/** The limits of `@limit`: `output=10MiB`. */
const namedLimits: { readonly [Field in keyof NamedLimits]-?: LimitCodec<NonNullable<NamedLimits[Field]>> } = {
  outputBytesMax: { name: "output", read: sizeBytes, write: sizeQuantity },
  memoryBytesMax: { name: "memory", read: sizeBytes, write: sizeQuantity },
  cpuMsMax: { name: "cpu", read: durationMs, write: durationText },
  processesMax: { name: "processes", read: readProcesses, write: String },
  rate: { name: "rate", read: readRate, write: rateText },
};
const limitRows = Object.entries(namedLimits) as readonly (readonly [keyof NamedLimits, LimitCodec<unknown>])[];
const limitNames: readonly string[] = limitRows.map(([, { name }]) => name);

export function readNamedLimits(analysis: Analysis): NamedLimits {
  const found = new Map<string, Part>();
  for (const annotation of analysis.all("limit")) {
    const part = analysis.read(annotation, "limits");
    for (const limit of part ? partsOf(part, "limit") : []) addLimit(found, limit, analysis);
  }
  return Object.fromEntries(
    limitRows.flatMap(([field, { name, read }]) => {
      const text = found.get(name)?.text;
      const value = text && read(text, analysis);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

export function limitsText(limits: DeclaredLimits): string {
  return limitRows
    .flatMap(([field, { name, write }]) => (limits[field] === undefined ? [] : [`${name}=${write(limits[field])}`]))
    .join(" ");
}

function addLimit(found: Map<string, Part>, limit: Part, analysis: Analysis): void {
  const name = partOf(limit, "limitName");
  const value = partOf(limit, "limitValue");
  if (!name || !value) return;
  const known = found.get(name.text.text);
  if (!limitNames.includes(name.text.text)) {
    analysis.unknown("malformed-option", `unknown limit \`${name.text.text}\``, {
      at: name.text.span,
      meant: nearestOf(name.text.text, limitNames),
      help: [`the limits are ${limitNames.join(", ")}; how long a call may take is \`@timeout 10m\``],
    });
  } else if (known)
    analysis.error("malformed-option", `duplicate limit \`${name.text.text}\``, {
      at: name.text.span,
      related: [{ span: known.text.span, text: "first given here" }],
    });
  else found.set(name.text.text, value);
}

function readProcesses(mapped: MappedText, analysis: Analysis): number | undefined {
  const count = /^\d{1,7}$/.test(mapped.text) ? Number(mapped.text) : 0;
  if (count >= 1 && count <= PROCESSES_MOST) return count;
  analysis.error(
    "malformed-option",
    `\`processes\` must be a number between 1 and ${PROCESSES_MOST.toLocaleString("en")}, such as \`processes=100\``,
    { at: mapped.span },
  );
  return undefined;
}

export function readRetry(annotation: Annotation, analysis: Analysis): DeclaredLimits["retries"] {
  const part = analysis.read(annotation, "retry");
  const attempts = part && partOf(part, "attempts");
  if (!part || !attempts) return undefined;
  const delay = partOf(part, "delayValue");
  const delayMs = delay ? durationMs(delay.text, analysis) : 0;
  const count = Number(attempts.text.text);
  if (count >= 1 && count <= ATTEMPTS_MAX) return { attempts: count, delayMs: delayMs ?? 0 };
  analysis.error("malformed-option", `the number of attempts must be between 1 and ${ATTEMPTS_MAX}`, {
    at: attempts.text.span,
  });
  return undefined;
}

export function durationMs(mapped: MappedText, analysis: Findings): number | undefined {
  const { value, problem } = readQuantity(mapped, duration);
  if (value !== undefined) return value;
  if (problem === "out-of-range")
    analysis.error("bad-duration", "a duration must be between 1 ms and 24 days", { at: mapped.span });
  else if (/^[1-9]\d{0,5}$/.test(mapped.text))
    analysis.error("bad-duration", "a duration needs a unit", {
      at: mapped.span,
      // Nobody means a limit of less than a second, and few one of over an hour.
      ...(Number(mapped.text) <= 3_600
        ? { fix: replacing(mapped.span, `${mapped.text}s`) }
        : { help: [`write \`${mapped.text}ms\` or \`${mapped.text}s\``] }),
    });
  else if (problem)
    analysis.unreadable(
      "bad-duration",
      "a duration must be a number and a unit, such as `60s`; the longest is `576h`",
      problem,
    );
  return undefined;
}

export function sizeBytes(mapped: MappedText, analysis: Findings): number | undefined {
  const { value, problem } = readQuantity(mapped, size);
  if (value !== undefined) return value;
  if (problem === "out-of-range")
    analysis.error("bad-size", "a size must be between 1 byte and 1024 GiB", { at: mapped.span });
  else if (problem) analysis.unreadable("bad-size", "a size must be a number and a unit, such as `10MiB`", problem);
  return undefined;
}

export function readRate(mapped: MappedText, analysis: Findings): Rate | undefined {
  const rate = parseRate(mapped.text.trim());
  if (!rate)
    analysis.error(
      "malformed-option",
      `\`rate\` must be a number of calls (at most ${RATE_CALLS_MAX.toLocaleString("en")}), a slash, and s, min, h or day, such as \`rate=10/min\``,
      { at: mapped.span },
    );
  return rate;
}

/** Reads an annotation whose text is one of a few words. */
export function readChoice<Word extends string>(
  annotation: Annotation,
  choices: readonly Word[],
  analysis: Analysis,
): Word | undefined {
  const word = annotation.text.text;
  const chosen = choices.find((one) => one === word);
  if (chosen !== undefined) return chosen;
  analysis.unknown(
    "malformed-annotation",
    `\`@${annotation.keyword}\` must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`,
    { at: word === "" ? annotation.keywordSpan : annotation.text.span, meant: nearestOf(word, choices) },
  );
  return undefined;
}

/** The longest time that a timer can wait: 2^31 - 1 ms. */
const DURATION_MS_MAX = 2_147_483_647;
const SIZE_BYTES_MAX = 1_099_511_627_776;

interface Measure {
  readonly rule: "duration" | "size";
  readonly units: Readonly<Record<string, number>>;
  readonly largest: number;
}

/** Units as people write them in words, behind a blank or not. */
const WORDED = /^(\d+(?:\.\d+)?)[ \t]*([a-z]+)$/i;
const WORDS: readonly (readonly [words: RegExp, unit: string])[] = [
  [/^(?:msecs?|milliseconds?|millis|ms)$/, "ms"],
  [/^(?:s|secs?|seconds?)$/, "s"],
  [/^(?:m|mins?|minutes?)$/, "m"],
  [/^(?:h|hrs?|hours?)$/, "h"],
  [/^(?:b|bytes?)$/, "B"],
  [/^kb$/, "KB"],
  [/^mb$/, "MB"],
  [/^gb$/, "GB"],
  [/^kib$/, "KiB"],
  [/^mib$/, "MiB"],
  [/^gib$/, "GiB"],
];

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

type Quantity =
  | { readonly value: number; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: MatchProblem | "out-of-range" };

function readQuantity(mapped: MappedText, measure: Measure): Quantity {
  const { part, problem } = matchRule(measure.rule, mapped);
  const [decimal, unit] = part ? part.parts.map(({ text }) => text.text) : worded(mapped.text, measure);
  if (problem && decimal === undefined) return { problem };
  const value = Math.round(Number(decimal) * (measure.units[unit ?? ""] ?? 0));
  return value >= 1 && value <= measure.largest ? { value } : { problem: "out-of-range" };
}

function worded(text: string, { units }: Measure): readonly string[] {
  const [, decimal = "", word = ""] = WORDED.exec(text.trim()) ?? [];
  const unit = WORDS.find(([words]) => words.test(word.toLowerCase()))?.[1] ?? "";
  return Object.hasOwn(units, unit) ? [decimal, unit] : [];
}
