// Checks arguments against the parameters of a tool: types as declared without guessing, and all problems together.
import { nearestNames } from "../text/suggest.ts";
import type { ArgumentIssue } from "./argument-issue.ts";
import { convertText } from "./convert-text.ts";
import { countText, MASK, typeText, valueText } from "./describe.ts";
import { type Giver, givenParameters, secretSourceOf } from "./given-parameters.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import {
  type ArraySchema,
  isAny,
  type NumberSchema,
  type ObjectSchema,
  type Parameter,
  type ParameterSchema,
  type Pattern,
  type StringSchema,
} from "./parameter.ts";
import { type PatternMatch, patternMatch, wholePattern } from "./pattern-match.ts";
import { hasSecrets } from "./secrets.ts";

const VALUE_DEPTH_MAX = 100;
/** The limit of names that are compared; finding the nearest of ten thousand takes a second. */
const EXPLAINED_NAMES_MAX = 100;

interface ValidationOptions {
  /** The name in messages: `glob` has no such parameter. */
  readonly owner: string;
  /** Returns a variable, for parameters whose default comes from the environment. */
  environment(name: string): string | undefined;
  /** Default: person. */
  readonly giver?: Giver;
  /**
   * Skips patterns that could take very long with a text, for values of an author. The gate tries them under a time
   * limit.
   */
  readonly skipsSlowPatterns?: true;
}

interface Validated {
  /** The arguments, transformed and with defaults, in the order declared. Present if there are no issues. */
  readonly arguments?: JsonObject;
  readonly issues: readonly ArgumentIssue[];
}

export function validateArguments(
  parameters: readonly Parameter[],
  value: unknown,
  options: ValidationOptions,
): Validated {
  if (!isJsonObject(value))
    return {
      issues: [
        {
          path: "",
          message: `expected an object with the arguments, got ${hasSecrets(parameters) ? MASK : valueText(value)}`,
        },
      ],
    };
  const issues: ArgumentIssue[] = [];
  const entries: [string, Json][] = [];
  for (const parameter of parameters) {
    const given = Object.hasOwn(value, parameter.name) ? value[parameter.name] : undefined;
    const source = options.giver === "model" ? secretSourceOf(parameter) : undefined;
    if (source !== undefined && given !== undefined) {
      issues.push({ path: parameter.name, message: notGiven(source) });
      continue;
    }
    const checked =
      given === undefined
        ? defaultOf(parameter, options, issues)
        : checkValue(parameter.schema, given, spotOf(parameter, options, issues));
    if (checked !== undefined) entries.push([parameter.name, checked]);
    else if (given === undefined && parameter.required && !issues.some((issue) => isWithin(issue.path, parameter.name)))
      issues.push({ path: parameter.name, message: nothingGiven(parameter) });
  }
  const unknown = Object.keys(value).filter((name) => !parameters.some((parameter) => parameter.name === name));
  const given = givenParameters(parameters, options.giver ?? "person");
  for (const [index, name] of unknown.entries())
    issues.push({
      path: name,
      message: unknownParameter(name, index < EXPLAINED_NAMES_MAX ? given : undefined, options.owner),
    });
  return issues.length > 0 ? { issues } : { arguments: Object.fromEntries(entries), issues };
}

/** Checks one value against one schema, like `validateArguments`. Patterns that could take very long are skipped. */
export function validateValue(
  schema: ParameterSchema,
  value: unknown,
  path: string,
): { readonly value?: Json; readonly issues: readonly ArgumentIssue[] } {
  const issues: ArgumentIssue[] = [];
  const checked = checkValue(schema, value, {
    path,
    issues,
    depth: 0,
    skipsSlowPatterns: true,
    isSecret: false,
    help: undefined,
  });
  return checked === undefined ? { issues } : { value: checked, issues };
}

function notGiven(variable: string): string {
  return `the value comes from the environment variable \`${variable}\`, and no model gives it; leave it out`;
}

function nothingGiven({ schema, environment }: Parameter): string {
  return `expected ${typeText(schema)}, got nothing${environment === undefined ? "" : `; give it, or set ${environment}`}`;
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
}

/** `parameters` are left out if the message already names enough of them. */
function unknownParameter(name: string, parameters: readonly Parameter[] | undefined, owner: string): string {
  if (!parameters) return `\`${owner}\` has no such parameter`;
  const offered = parameters.filter((parameter) => !parameter.hidden).map((parameter) => parameter.name);
  const has = offered.length === 0 ? "it has none" : `it has ${offered.map((known) => `\`${known}\``).join(", ")}`;
  const near = nearestNames(name, offered)[0];
  return `\`${owner}\` has no such parameter; ${near === undefined ? has : `did you mean \`${near}\`?`}`;
}

function defaultOf(parameter: Parameter, options: ValidationOptions, issues: ArgumentIssue[]): Json | undefined {
  const text = parameter.environment === undefined ? undefined : options.environment(parameter.environment);
  if (text === undefined) return parameter.default;
  const converted = convertText(parameter.schema, text);
  if (converted.value === undefined) {
    issues.push({
      path: parameter.name,
      message: `expected ${typeText(parameter.schema)} in the environment variable \`${parameter.environment}\``,
    });
    return undefined;
  }
  return checkValue(parameter.schema, converted.value, spotOf(parameter, options, issues));
}

function spotOf(parameter: Parameter, options: ValidationOptions, issues: ArgumentIssue[]): Spot {
  const { name, secret: isSecret = false, help } = parameter;
  return { path: name, issues, depth: 0, skipsSlowPatterns: options.skipsSlowPatterns ?? false, isSecret, help };
}

interface Spot {
  readonly path: string;
  readonly issues: ArgumentIssue[];
  readonly depth: number;
  readonly skipsSlowPatterns: boolean;
  /** Set if no message may name the value, or anything in it. */
  readonly isSecret: boolean;
  /** The author's explanation, because a pattern says little about what is accepted. */
  readonly help: string | undefined;
}

function shown(value: unknown, spot: Spot): string {
  return spot.isSecret ? MASK : valueText(value);
}

function checkValue(schema: ParameterSchema, value: unknown, spot: Spot): Json | undefined {
  switch (schema.type) {
    case "string":
      if (isAny(schema)) return isPlainJson(value, spot) ? (value as Json) : undefined;
      return checkString(schema, value, spot);
    case "integer":
    case "number":
      return checkNumber(schema, value, spot);
    case "boolean":
      return typeof value === "boolean" ? value : mismatch(schema, value, spot);
    case "array":
      return checkArray(schema, value, spot);
    case "object":
      return checkObject(schema, value, spot);
  }
}

function mismatch(schema: ParameterSchema, value: unknown, spot: Spot): undefined {
  spot.issues.push({ path: spot.path, message: `expected ${typeText(schema)}, got ${shown(value, spot)}` });
}

function checkString(schema: StringSchema, value: unknown, spot: Spot): string | undefined {
  if (typeof value !== "string") return mismatch(schema, value, spot);
  let text = value;
  for (const transform of schema.transforms ?? [])
    text = transform === "trim" ? text.trim() : transform === "lower" ? text.toLowerCase() : text.toUpperCase();
  const refuse = (message: string): undefined => void spot.issues.push({ path: spot.path, message });
  if (spot.isSecret && (text === MASK || text === `<${spot.path}>`))
    return refuse("expected the secret itself, not what stands for it in a message");
  if (!schema.mayHoldNul && text.includes("\0"))
    return refuse("contains a NUL character, which cannot be passed to a program");
  if (!text.isWellFormed()) return refuse("contains a lone surrogate; send well-formed Unicode");
  if (schema.choices && !schema.choices.includes(text)) return mismatch(schema, text, spot);
  if (schema.format === "url" && !isWebAddress(text))
    return refuse(`expected an http or https address, got ${shown(text, spot)}`);
  if (schema.format === "json" && !isJsonText(text))
    return refuse(`expected JSON, such as "text" in quotes or {"name": 1}, got ${shown(text, spot)}`);
  const length = schema.minimumLength === undefined && schema.maximumLength === undefined ? 0 : [...text].length;
  if (schema.minimumLength !== undefined && length < schema.minimumLength)
    return refuse(`expected at least ${countText(schema.minimumLength, "character")}, got ${length}`);
  if (schema.maximumLength !== undefined && length > schema.maximumLength)
    return refuse(`expected at most ${countText(schema.maximumLength, "character")}, got ${length}`);
  const isTried = ({ safeLength }: PatternMatch): boolean => !spot.skipsSlowPatterns || text.length <= safeLength;
  const help = spot.help === undefined ? "" : `; ${spot.help.split("\n", 1)[0]}`;
  const wanted = schema.pattern && patternMatch(wholePattern(schema.pattern));
  if (schema.pattern && wanted && isTried(wanted) && !wanted.isIn(text)) {
    return refuse(`expected text that matches ${patternText(schema.pattern)}, got ${shown(text, spot)}${help}`);
  }
  const refused = schema.reject && patternMatch(schema.reject);
  if (schema.reject && refused && isTried(refused) && refused.isIn(text)) {
    return refuse(`${shown(text, spot)} is not accepted here (it matches ${patternText(schema.reject)})${help}`);
  }
  return text;
}

function checkNumber(schema: NumberSchema, value: unknown, spot: Spot): number | undefined {
  // Also in a text, as from a command line.
  const isHuge =
    schema.type === "integer" &&
    (typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && /^[+-]?\d+$/.test(value)) &&
    !Number.isSafeInteger(Number(value));
  if (isHuge)
    return void spot.issues.push({
      path: spot.path,
      message: `expected an integer between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`,
    });
  if (typeof value !== "number" || !Number.isFinite(value)) return mismatch(schema, value, spot);
  if (schema.type === "integer" && !Number.isInteger(value)) return mismatch(schema, value, spot);
  if (schema.choices && !schema.choices.includes(value)) return mismatch(schema, value, spot);
  if (schema.minimum !== undefined && value < schema.minimum)
    spot.issues.push({
      path: spot.path,
      message: `expected at least ${schema.minimum}, got ${spot.isSecret ? MASK : value}`,
    });
  else if (schema.maximum !== undefined && value > schema.maximum)
    spot.issues.push({
      path: spot.path,
      message: `expected at most ${schema.maximum}, got ${spot.isSecret ? MASK : value}`,
    });
  else return value;
}

function checkArray(schema: ArraySchema, value: unknown, spot: Spot): Json | undefined {
  if (!Array.isArray(value)) return mismatch(schema, value, spot);
  const before = spot.issues.length;
  const items: readonly unknown[] = value;
  // `map` skips holes, which JSON does not have.
  const hole = items.findIndex((_item, index) => !(index in items));
  if (hole !== -1) return mismatch(schema.items, undefined, { ...spot, path: `${spot.path}[${hole}]` });
  const checked = items.map((item, index) =>
    checkValue(schema.items, item, { ...spot, path: `${spot.path}[${index}]`, depth: spot.depth + 1 }),
  );
  const refuse = (message: string): void => void spot.issues.push({ path: spot.path, message });
  if (schema.minimumItems !== undefined && items.length < schema.minimumItems)
    refuse(`expected at least ${countText(schema.minimumItems, "item")}, got ${items.length}`);
  if (schema.maximumItems !== undefined && items.length > schema.maximumItems)
    refuse(`expected at most ${countText(schema.maximumItems, "item")}, got ${items.length}`);
  if (
    schema.unique &&
    spot.issues.length === before &&
    new Set(checked.map((item) => JSON.stringify(item))).size < items.length
  )
    refuse("expected no duplicate items");
  return spot.issues.length > before ? undefined : checked.filter((item) => item !== undefined);
}

function checkObject(schema: ObjectSchema, value: unknown, spot: Spot): Json | undefined {
  if (!isJsonObject(value)) return mismatch(schema, value, spot);
  const before = spot.issues.length;
  const entries: [string, Json][] = [];
  const inside = (name: string, help?: string): Spot => ({
    ...spot,
    path: `${spot.path}.${name}`,
    depth: spot.depth + 1,
    help,
  });
  for (const property of schema.properties) {
    const given = Object.hasOwn(value, property.name) ? value[property.name] : property.default;
    if (given === undefined) {
      if (property.required)
        spot.issues.push({
          path: `${spot.path}.${property.name}`,
          message: `expected ${typeText(property.schema)}, got nothing`,
        });
      continue;
    }
    const isSecret = spot.isSecret || (property.secret ?? false);
    const checked = checkValue(property.schema, given, { ...inside(property.name, property.help), isSecret });
    if (checked !== undefined) entries.push([property.name, checked]);
  }
  for (const [index, [name, extra]] of Object.entries(value).entries()) {
    if (schema.properties.some((property) => property.name === name)) continue;
    if (!schema.open)
      spot.issues.push({
        path: `${spot.path}.${name}`,
        message: unknownParameter(name, index < EXPLAINED_NAMES_MAX ? schema.properties : undefined, spot.path),
      });
    else if (isPlainJson(extra, inside(name))) entries.push([name, extra]);
  }
  return spot.issues.length > before ? undefined : Object.fromEntries(entries);
}

/** Checks open objects, which take any JSON: strings in it must be sendable, and nothing may be endless. */
function isPlainJson(value: unknown, spot: Spot): boolean {
  if (spot.depth > VALUE_DEPTH_MAX) {
    spot.issues.push({ path: spot.path, message: `nested deeper than ${VALUE_DEPTH_MAX} levels` });
    return false;
  }
  if (typeof value === "string") return checkString({ type: "string" }, value, spot) !== undefined;
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return checkNumber({ type: "number" }, value, spot) !== undefined;
  if (Array.isArray(value))
    return [...(value as readonly unknown[])].every((item, index) =>
      isPlainJson(item, { ...spot, path: `${spot.path}[${index}]`, depth: spot.depth + 1 }),
    );
  if (typeof value === "object")
    return Object.entries(value).every(([name, item]) =>
      isPlainJson(item, { ...spot, path: `${spot.path}.${name}`, depth: spot.depth + 1 }),
    );
  return mismatch({ type: "object", properties: [], open: true }, value, spot) !== undefined;
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function patternText(pattern: Pattern): string {
  return `/${pattern.source}/${pattern.flags}`;
}
