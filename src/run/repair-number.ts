// A number that was sent in another form: as text, with a unit, out of range, with a fraction.
import type { NumberSchema, Parameter } from "../schema/parameter.ts";

/** Returns candidates, the best one first. Some may not fit the schema. */
export function repairedNumbers(
  { name, description, schema }: Pick<Parameter, "name" | "description" | "schema">,
  given: unknown,
): readonly number[] {
  if (schema.type !== "integer" && schema.type !== "number") return [];
  const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  const number =
    typeof one === "number"
      ? one
      : typeof one === "bigint"
        ? Number(one)
        : typeof one === "string"
          ? numberIn(one, unitOf(name, description))
          : undefined;
  if (number === undefined || Number.isNaN(number)) return [];
  // One choice never stands for another number.
  if (schema.choices) return [number];
  const inUnits = otherUnits(number, { name, description, schema });
  const whole = schema.type === "integer" ? Math.round(number) : number;
  return [number, whole, ...inUnits, inRange(whole, schema)];
}

/** A number past the range may be in milliseconds where seconds belong, or a percentage where a share belongs. */
function otherUnits(
  number: number,
  { name, description, schema }: Pick<Parameter, "name" | "description"> & { readonly schema: NumberSchema },
): readonly number[] {
  const { maximum = Infinity } = schema;
  if (number <= maximum) return [];
  const unit = unitOf(name, description) ?? "";
  if (units.get(unit)?.kind === "time" && units.get(unit)?.factor === 1_000) return [number / 1_000];
  return schema.type === "number" && maximum === 1 && number > 1 && number <= 100 ? [number / 100] : [];
}

/** Returns the nearest declared bound. The largest possible number does not count as one. */
function inRange(number: number, { type, minimum = -Infinity, maximum = Infinity }: NumberSchema): number {
  const [low, high] = type === "integer" ? [Math.ceil(minimum), Math.floor(maximum)] : [minimum, maximum];
  return Math.min(Math.max(number, low), high);
}

/** Units, in the smallest one of their kind. */
const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ["ms msec millisecond milliseconds", "time", 1],
      ["s sec secs second seconds", "time", 1_000],
      ["min mins minute minutes", "time", 60_000],
      ["h hour hours", "time", 3_600_000],
      ["b byte bytes", "size", 1],
      ["kb kib kilobytes", "size", 1_024],
      ["mb mib megabytes", "size", 1_048_576],
      ["gb gib gigabytes", "size", 1_073_741_824],
    ] as const
  ).flatMap(([names, kind, factor]) => names.split(" ").map((name) => [name, { kind, factor }])),
);

interface Unit {
  readonly kind: "time" | "size";
  readonly factor: number;
}

/** Returns the unit in `timeout_s`, `max_bytes`, or the description. */
function unitOf(name: string, description: string): string | undefined {
  const ending = /_([a-z]+)$/.exec(name)?.[1];
  if (ending !== undefined && units.has(ending)) return ending;
  return description
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.find((word) => word.length > 1 && units.has(word));
}

function numberIn(text: string, wanted: string | undefined): number | undefined {
  const [, digits, unit] =
    /^([+-]?(?:\d[\d,_]*)?\.?\d*(?:e[+-]?\d{1,3})?)\s*([a-z]*|%)$/i.exec(text.trim().slice(0, 100)) ?? [];
  if (digits === undefined || !/\d/.test(digits)) return undefined;
  const number = Number(digits.replaceAll(/[,_]/g, ""));
  if (unit === undefined || unit === "" || unit.toLowerCase() === wanted) return number;
  const given = units.get(unit.toLowerCase());
  const target = wanted === undefined ? undefined : units.get(wanted);
  // `5 lines` and `50%` stand for their number; a time of unknown unit does not.
  if (!given) return number;
  return target?.kind === given.kind ? (number * given.factor) / target.factor : undefined;
}
