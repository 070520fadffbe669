// A number that was sent in another form: as text, with a unit, out of range, with a fraction.
import type { NumberSchema, Parameter } from "../../core/schema/parameter.ts";

/** A number with the word or sign that stood behind it. */
interface Quantity {
  readonly number: number;
  readonly unit: string;
}

type Named = Pick<Parameter, "name" | "description">;

interface Wanted extends Named {
  readonly schema: NumberSchema;
  /** Set if no other number may stand for the one that was sent. */
  readonly isExact: boolean;
}

/** Returns candidates, the best one first. Some may not fit the schema. */
export function repairedNumbers(given: unknown, { name, description, schema, isExact }: Wanted): readonly number[] {
  const quantity = quantityOf(given);
  const number = quantity && numberOf(quantity, { name, description });
  if (number === undefined || Number.isNaN(number)) return [];
  // One choice never stands for another number.
  if (schema.choices || isExact) return [number];
  const whole = schema.type === "integer" ? Math.round(number) : number;
  return [number, whole, ...inOtherUnits(number, { name, description }, schema), inRange(whole, schema)];
}

/** A number past the range may be in milliseconds where seconds belong, or a percentage where a share belongs. */
function inOtherUnits(number: number, named: Named, { type, maximum = Infinity }: NumberSchema): readonly number[] {
  if (number <= maximum) return [];
  const unit = units.get(unitOf(named) ?? "");
  if (unit?.kind === "time" && unit.factor === 1_000) return [number / 1_000];
  return type === "number" && maximum === 1 && number <= 100 ? [number / 100] : [];
}

/** Returns the nearest declared bound. The largest possible number does not count as one. */
function inRange(number: number, { type, minimum = -Infinity, maximum = Infinity }: NumberSchema): number {
  const [low, high] = type === "integer" ? [Math.ceil(minimum), Math.floor(maximum)] : [minimum, maximum];
  return Math.min(Math.max(number, low), high);
}

interface Unit {
  readonly kind: "time" | "size";
  readonly factor: number;
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

/** Returns the unit in `timeout_s`, `max_bytes`, or the description. */
function unitOf({ name, description }: Named): string | undefined {
  const ending = /_([a-z]+)$/.exec(name)?.[1];
  if (ending !== undefined && units.has(ending)) return ending;
  return description
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.find((word) => word.length > 1 && units.has(word));
}

export function quantityOf(given: unknown): Quantity | undefined {
  if (typeof given === "number" || typeof given === "bigint") return { number: Number(given), unit: "" };
  if (typeof given !== "string") return undefined;
  // `1,5` may be one and a half.
  const [, digits, unit = ""] =
    /^([+-]?(?:\d{1,3}(?:[,_]\d{3})+|\d+)?\.?\d*(?:e[+-]?\d{1,3})?)\s*([a-z]*|%)$/i.exec(given.trim().slice(0, 100)) ??
    [];
  if (digits === undefined || !/\d/.test(digits)) return undefined;
  return { number: Number(digits.replaceAll(/[,_]/g, "")), unit: unit.toLowerCase() };
}

/** Returns the number in the unit of the parameter, or undefined if the parameter does not have the unit that is given. */
function numberOf({ number, unit }: Quantity, named: Named): number | undefined {
  if (unit === "" || wordsOf(named.name).includes(unit)) return number;
  const [given, own] = [units.get(unit), units.get(unitOf(named) ?? "")];
  return given && own?.kind === given.kind ? (number * given.factor) / own.factor : undefined;
}

/** `lines` of `max_lines`, also as `line`. */
function wordsOf(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[-_]/)
    .filter((word) => word.length > 1)
    .flatMap((word) => [word, word.replace(/s$/, ""), `${word}s`]);
}

export function sameQuantity(sent: Quantity | undefined, got: number, named: Named): boolean {
  return sent !== undefined && numberOf(sent, named) === got;
}
