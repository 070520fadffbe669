// Parameters in TypeScript, for base tools and plugins: the same data as a `@param` line, with inferred types of the
// arguments.
import type { Json, JsonObject } from "./json.ts";
import type { Parameter, ParameterSchema, Pattern } from "./parameter.ts";

/** `Given` says that there is a value in every call, because the parameter is required or has a default. */
export interface Declared<Value, Given extends boolean> {
  readonly parameter: Omit<Parameter, "name">;
  /** Never set; it carries types for the compiler. */
  readonly of?: (value: Value, given: Given) => void;
}

export type DeclaredParameters = Readonly<Record<string, { readonly parameter: Omit<Parameter, "name"> }>>;

export type ArgumentsOf<P extends DeclaredParameters> = {
  readonly [K in keyof P]: P[K] extends Declared<infer Value, infer Given>
    ? Given extends true
      ? Value
      : Value | undefined
    : never;
};

interface CommonOptions<Value> {
  readonly required?: boolean;
  readonly default?: Value;
  readonly hidden?: true;
  readonly secret?: true;
  /** The environment variable that gives the default. */
  readonly environment?: string;
  /** The example of an object may lack optional properties. */
  readonly example?: Json;
}
/** An object without known properties. */
type None = Record<never, never>;
type IsGiven<O> = O extends { readonly required: true }
  ? true
  : O extends { readonly default: NonNullable<unknown> }
    ? true
    : false;

interface StringOptions extends CommonOptions<string> {
  readonly pattern?: RegExp;
  readonly reject?: RegExp;
  readonly minimumLength?: number;
  readonly maximumLength?: number;
  /** Set if the value only goes into a file or to a program's standard input. */
  readonly mayHoldNul?: true;
}
interface NumberOptions extends CommonOptions<number> {
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only numbers that it takes. */
  readonly choices?: readonly number[];
}
interface ArrayOptions<Value> extends CommonOptions<readonly Value[]> {
  readonly minimumItems?: number;
  readonly maximumItems?: number;
}

export function string<const O extends StringOptions = None>(
  description: string,
  options?: O,
): Declared<string, IsGiven<O>> {
  return declared(description, stringSchema(options), options);
}
/** A file or folder. */
export function path<const O extends StringOptions = None>(
  description: string,
  options?: O,
): Declared<string, IsGiven<O>> {
  return declared(description, { ...stringSchema(options), format: "path" }, options);
}
/** http or https. */
export function url<const O extends StringOptions = None>(
  description: string,
  options?: O,
): Declared<string, IsGiven<O>> {
  return declared(description, { ...stringSchema(options), format: "url" }, options);
}
export function choice<const C extends readonly string[], const O extends CommonOptions<C[number]> = None>(
  choices: C,
  description: string,
  options?: O,
): Declared<C[number], IsGiven<O>> {
  return declared(description, { type: "string", choices }, options);
}
export function integer<const O extends NumberOptions = None>(
  description: string,
  options?: O,
): Declared<number, IsGiven<O>> {
  return declared(description, numberSchema("integer", options), options);
}
export function number<const O extends NumberOptions = None>(
  description: string,
  options?: O,
): Declared<number, IsGiven<O>> {
  return declared(description, numberSchema("number", options), options);
}
export function boolean<const O extends CommonOptions<boolean> = None>(
  description: string,
  options?: O,
): Declared<boolean, IsGiven<O>> {
  return declared(description, { type: "boolean" }, options);
}
/** An array of what `items` declares. */
export function array<Value, const O extends ArrayOptions<Value> = None>(
  items: Declared<Value, never>,
  description: string,
  options?: O,
): Declared<readonly Value[], IsGiven<O>> {
  const schema: ParameterSchema = {
    type: "array",
    items: items.parameter.schema,
    ...(options?.minimumItems === undefined ? {} : { minimumItems: options.minimumItems }),
    ...(options?.maximumItems === undefined ? {} : { maximumItems: options.maximumItems }),
  };
  return declared(description, schema, options as CommonOptions<Json> | undefined);
}
export function object<const P extends DeclaredParameters, const O extends CommonOptions<JsonObject> = None>(
  properties: P,
  description: string,
  options?: O,
): Declared<ArgumentsOf<P>, IsGiven<O>> {
  return declared(description, { type: "object", properties: toParameters(properties), open: false }, options);
}
export function anyObject<const O extends CommonOptions<JsonObject> = None>(
  description: string,
  options?: O,
): Declared<JsonObject, IsGiven<O>> {
  return declared(description, { type: "object", properties: [], open: true }, options);
}

/** Any JSON value. */
export function anyValue<const O extends CommonOptions<Json> = None>(
  description: string,
  options?: O,
): Declared<Json, IsGiven<O>> {
  return declared(description, { type: "string", format: "any" }, options);
}

export function toParameters(declarations: DeclaredParameters): readonly Parameter[] {
  return Object.entries(declarations).map(([name, declaration]) => ({ name, ...declaration.parameter }));
}

function declared<Value, Given extends boolean>(
  description: string,
  schema: ParameterSchema,
  options: CommonOptions<Json> | undefined,
): Declared<Value, Given> {
  const { required, default: fallback, hidden, secret, environment, example } = options ?? {};
  return {
    parameter: {
      description,
      schema,
      required: required ?? false,
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(hidden ? { hidden } : {}),
      ...(secret ? { secret } : {}),
      ...(environment === undefined ? {} : { environment }),
      ...(example === undefined ? {} : { example }),
    },
  };
}

function stringSchema(options: StringOptions | undefined): ParameterSchema & { type: "string" } {
  const { pattern, reject, minimumLength, maximumLength, mayHoldNul } = options ?? {};
  return {
    type: "string",
    ...(pattern ? { pattern: toPattern(pattern) } : {}),
    ...(reject ? { reject: toPattern(reject) } : {}),
    ...(minimumLength === undefined ? {} : { minimumLength }),
    ...(maximumLength === undefined ? {} : { maximumLength }),
    ...(mayHoldNul ? { mayHoldNul } : {}),
  };
}

function numberSchema(type: "integer" | "number", options: NumberOptions | undefined): ParameterSchema {
  return {
    type,
    ...(options?.minimum === undefined ? {} : { minimum: options.minimum }),
    ...(options?.maximum === undefined ? {} : { maximum: options.maximum }),
    ...(options?.choices ? { choices: options.choices } : {}),
  };
}

function toPattern(expression: RegExp): Pattern {
  return { source: expression.source, flags: expression.flags };
}
