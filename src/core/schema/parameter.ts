// What a parameter accepts: plain data that a definition holds, validate.ts checks against, and json-schema.ts exports.
import type { Json } from "./json.ts";

/** A regular expression as written between slashes. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

export interface StringSchema {
  readonly type: "string";
  /**
   * `path`: made safe as a word and checked against `@writes`. `url`: http or https. `json`: text that is JSON, of a
   * value that no other schema describes. `code`: a program for the place where it stands. `any`: any JSON value, which
   * is checked wherever it goes as the text that it can be; it has no further limits.
   */
  readonly format?: "path" | "url" | "json" | "code" | "any";
  readonly choices?: readonly string[];
  /** Must match the whole value. */
  readonly pattern?: Pattern;
  /** A value that matches is refused. */
  readonly reject?: Pattern;
  /** Counted in Unicode code points, as in JSON Schema. */
  readonly minimumLength?: number;
  readonly maximumLength?: number;
  /** Applied in this order before every other check. */
  readonly transforms?: readonly ("trim" | "lower" | "upper")[];
  /**
   * Set if the value only goes into a file or to a program's standard input. No word of a command line and no variable
   * can hold NUL.
   */
  readonly mayHoldNul?: true;
}

/** Whether it takes any JSON value. */
export function isAny(schema: ParameterSchema | undefined): boolean {
  return schema?.type === "string" && schema.format === "any";
}

export interface NumberSchema {
  /** `integer`: a safe integer. `number`: finite. */
  readonly type: "integer" | "number";
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only numbers that it takes. */
  readonly choices?: readonly number[];
}

interface BooleanSchema {
  readonly type: "boolean";
}

export interface ArraySchema {
  readonly type: "array";
  readonly items: ParameterSchema;
  readonly minimumItems?: number;
  readonly maximumItems?: number;
  readonly unique?: true;
}

export interface ObjectSchema {
  readonly type: "object";
  /** The `@type` it comes from. */
  readonly typeName?: string;
  readonly properties: readonly Parameter[];
  /** Set if any further properties with any JSON value are allowed. */
  readonly open: boolean;
}

export type ParameterSchema = StringSchema | NumberSchema | BooleanSchema | ArraySchema | ObjectSchema;

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly required: boolean;
  readonly default?: Json;
  /** Set by `[flags]`: its words may start with `-`. */
  readonly flags?: true;
  /** Its name on the command line, if that is different. */
  readonly option?: string;
  /** The words of `[flag="--depth {value}"]`, as written, which a present value becomes. */
  readonly flag?: string;
  /** Set if the value is never logged or shown. */
  readonly secret?: true;
  /** The environment variable that gives the default. */
  readonly environment?: string;
  /** Set if a call without it takes the piped input of the program. */
  readonly fromStdin?: true;
  /** Set if it is accepted but not offered to callers. */
  readonly hidden?: true;
  readonly example?: Json;
  readonly otherExamples?: readonly Json[];
  /**
   * More text for people who ask about this tool alone; it may have several lines. Messages of patterns show the first.
   */
  readonly help?: string;
  /**
   * The JavaScript of `[transform="…"]`. It sees the value as `value`, and its result is checked and used. It runs in
   * the sandbox.
   */
  readonly transform?: string;
}
