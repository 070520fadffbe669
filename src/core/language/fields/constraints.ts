// Options that narrow what a parameter accepts: `min`, `max`, `pattern`, `reject`, `unique` and the transforms.
import { withBounds } from "../../schema/bounds.ts";
import { isAny, type ParameterSchema, type StringSchema } from "../../schema/parameter.ts";
import { typeText } from "../../schema/describe.ts";
import type { Analysis } from "../analysis.ts";
import type { Option, Options } from "./options.ts";
import { textOfValue } from "./values.ts";
import { convertText } from "../../schema/convert-text.ts";

const transforms = ["trim", "lower", "upper"] as const;

export function withConstraints(plain: ParameterSchema, options: Options): ParameterSchema {
  const narrow = new Narrowing(options);
  return narrow.unique(narrow.text(narrow.range(plain)));
}

class Narrowing {
  readonly #options: Options;
  readonly #analysis: Analysis;

  constructor(options: Options) {
    this.#options = options;
    this.#analysis = options.analysis;
  }

  /** Applies `min` and `max` to numbers, lengths of strings and items of arrays. */
  range(schema: ParameterSchema): ParameterSchema {
    const minimum = this.#bound("min", schema);
    const maximum = this.#bound("max", schema);
    const late = this.#options.get("max");
    if (minimum !== undefined && maximum !== undefined && minimum > maximum && late) {
      this.#analysis.error("malformed-option", `the minimum ${minimum} is greater than the maximum ${maximum}`, {
        at: (late.value ?? late.name).text.span,
      });
      return schema;
    }
    return withBounds(schema, [minimum, maximum]);
  }

  #bound(which: "min" | "max", schema: ParameterSchema): number | undefined {
    const option = this.#options.get(which);
    if (!option?.value) return undefined;
    if (schema.type === "boolean" || schema.type === "object" || isAny(schema)) return this.#misfit(option, schema);
    const text = textOfValue(option.value);
    const isNumber = schema.type === "integer" || schema.type === "number";
    if (isNumber ? convertText({ type: "number" }, text).value !== undefined : /^\d{1,15}$/.test(text))
      return Number(text);
    const expected = isNumber ? "a number" : schema.type === "string" ? "a number of characters" : "a number of items";
    this.#analysis.error("malformed-option", `\`${which}\` of \`${this.#options.owner.name}\` must be ${expected}`, {
      at: option.value.text.span,
      label: `expected ${isNumber ? "a number" : "a whole number"}`,
    });
    return undefined;
  }

  /** Applies the options for a string, or for the strings in an array. */
  text(schema: ParameterSchema): ParameterSchema {
    const pattern = this.#options.pattern("pattern");
    const reject = this.#options.pattern("reject");
    const written = (transform: (typeof transforms)[number]): number =>
      this.#options.get(transform)?.name.text.span.start ?? 0;
    const applied = transforms
      .filter((transform) => this.#options.has(transform))
      .sort((one, other) => written(one) - written(other));
    const first = ["pattern", "reject", ...transforms]
      .map((option) => this.#options.get(option))
      .find((option) => option !== undefined);
    if (!first) return schema;
    const narrowed = onStrings(schema, (text) => ({
      ...text,
      ...(pattern ? { pattern } : {}),
      ...(reject ? { reject } : {}),
      ...(applied.length > 0 ? { transforms: applied } : {}),
    }));
    if (narrowed) return narrowed;
    this.#misfit(first, schema);
    return schema;
  }

  unique(schema: ParameterSchema): ParameterSchema {
    const option = this.#options.get("unique");
    if (!option) return schema;
    if (schema.type === "array") return { ...schema, unique: true };
    this.#misfit(option, schema);
    return schema;
  }

  #misfit(option: Option, schema: ParameterSchema): undefined {
    this.#analysis.error("malformed-option", `\`${option.name.text.text}\` is not supported for ${typeText(schema)}`, {
      at: option.name.text.span,
    });
  }
}

export function onStrings(
  schema: ParameterSchema,
  change: (text: StringSchema) => StringSchema,
): ParameterSchema | undefined {
  if (schema.type === "string") return isAny(schema) ? undefined : change(schema);
  const items = schema.type === "array" ? onStrings(schema.items, change) : undefined;
  return items && schema.type === "array" ? { ...schema, items } : undefined;
}
