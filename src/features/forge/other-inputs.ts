// Inputs that are like those of the tests of a tool and not among them, and the values that stand in its code.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import type { TestCase } from "./request.ts";

/** Whether all its values can be named: what tests have of these may be all that there is. */
export function isClosed(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "boolean":
      return true;
    case "string":
    case "integer":
    case "number":
      return schema.choices !== undefined;
    case "array":
      return false;
    case "object":
      return !schema.open && schema.properties.every((property) => isClosed(property.schema));
  }
}

/** Returns inputs with other values of the same shape, from each case in turn. */
export function mutated(
  cases: readonly TestCase[],
  parameters: readonly Parameter[],
  most: number,
): readonly JsonObject[] {
  const rounds = Math.ceil(most / cases.length);
  return Array.from({ length: rounds }, (_, round) =>
    cases.map(({ input }) => otherObject(input, { properties: parameters, round })),
  )
    .flat()
    .slice(0, most);
}

interface Mutation {
  readonly schema: ParameterSchema | undefined;
  readonly round: number;
}

function otherObject(
  value: JsonObject,
  { properties, round }: { readonly properties: readonly Parameter[]; readonly round: number },
): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, own], index) => {
      const schema = properties.find((one) => one.name === name)?.schema;
      return [name, other(own, { schema, round: round + index })];
    }),
  );
}

function other(value: Json, { schema, round }: Mutation): Json {
  if (schema && schema.type !== "object" && isClosed(schema)) return value;
  if (typeof value === "number") return value + (STEPS[round % STEPS.length] ?? 1);
  if (typeof value === "string") return otherText(value, round);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item, index) =>
      other(item, { schema: schema?.type === "array" ? schema.items : undefined, round: round + index }),
    );
    return round % 2 === 1 && items.length > 1 ? items.slice(0, -1) : items;
  }
  if (isJsonObject(value))
    return otherObject(value, { properties: schema?.type === "object" ? schema.properties : [], round });
  return value;
}

const STEPS = [1, 3, 10, 2] as const;

/** A date stays a date, and an address an address: digits become other digits; letters, if there are none, letters. */
function otherText(text: string, round: number): string {
  if (text === "") return "abc".slice(0, (round % 3) + 1);
  const step = (round % 4) + 1;
  if (/\d/.test(text) && round % 2 === 0)
    return text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + step) % 10));
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(base + ((letter.charCodeAt(0) - base + step) % 26));
  });
}

/** Whether each part of the value stands in the code. */
export function holds(code: string, value: Json): boolean {
  return leavesOf(value).every((leaf) => {
    if (typeof leaf === "string") return code.includes(leaf) || code.includes(JSON.stringify(leaf).slice(1, -1));
    return (
      leaf === null ||
      new RegExp(`(?<![\\w.])${String(leaf).replace("-", "").replaceAll(".", "\\.")}(?![\\w.])`).test(code)
    );
  });
}

function leavesOf(value: Json): readonly (string | number | boolean | null)[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(leavesOf);
  return isJsonObject(value) ? Object.values(value).flatMap(leavesOf) : [value as string | number | boolean | null];
}

const LITERALS_MAX = 1_000;
/**
 * Texts, numbers, and names before a colon, as in a table. A text without an end is matched too, so that the time stays
 * linear.
 */
const LITERAL =
  /"((?:\\.|[^"\\\n])*)"?|'((?:\\.|[^'\\\n])*)'?|(?<![\w.$])(\d+(?:\.\d+)?)(?![\w.])|(?<![\w$])([A-Za-z_$][\w$]{0,63})(?![\w$])(?=\s*:)/g;

/** Returns the texts and numbers of the code that no test has. */
export function otherLiterals(code: string, cases: readonly TestCase[]): readonly (string | number)[] {
  const known = new Set<Json>(
    cases.flatMap(({ input, expectedOutput = null }) => [
      ...[...leavesOf(input), ...leavesOf(expectedOutput)].map((leaf) =>
        typeof leaf === "number" ? Math.abs(leaf) : leaf,
      ),
      ...namesIn(input),
      ...namesIn(expectedOutput),
    ]),
  );
  // `2,3` and `{"a":2,"b":3}` are of the tests if all their parts are.
  const isOfTests = (text: string): boolean =>
    text.split(/[^\w.]+/).every((part) => part === "" || known.has(part) || known.has(Number(part)));
  const found = new Set<string | number>();
  for (const [, double, single, digits, name] of code.matchAll(LITERAL)) {
    if (found.size >= LITERALS_MAX) break;
    const literal = digits === undefined ? (double ?? single ?? name ?? "") : Number(digits);
    if (!known.has(literal) && !(typeof literal === "string" && isOfTests(literal))) found.add(literal);
  }
  return [...found];
}

function namesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(namesIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, own]) => [name, ...namesIn(own)]) : [];
}

interface Literals {
  readonly others: readonly (string | number)[];
  readonly parameters: readonly Parameter[];
  readonly most: number;
}

/** Returns inputs of the first case in which a text or number of the code stands for the test's. */
export function withLiterals(
  [first]: readonly TestCase[],
  { others, parameters, most }: Literals,
): readonly JsonObject[] {
  if (!first) return [];
  return others
    .flatMap((literal) =>
      parameters.flatMap(({ name, schema }) =>
        !isClosed(schema) && Object.hasOwn(first.input, name) && typeof first.input[name] === typeof literal
          ? [{ ...first.input, [name]: literal }]
          : [],
      ),
    )
    .slice(0, most);
}
