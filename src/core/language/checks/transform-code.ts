// A transform that cannot give what its parameter takes, or is no JavaScript.
import { isAny, type ParameterSchema } from "../../schema/parameter.ts";

interface TransformProblem {
  readonly message: string;
  readonly help: readonly string[];
}

const TEXTUAL =
  /^value\s*\+\s*["'`]|["'`]\s*\+\s*value$|^`[^]*`$|^String\([^()]*\)$|\.(?:toString|toFixed|toUpperCase|toLowerCase|trim|padStart|padEnd|join|replace|replaceAll)\([^()]*\)$/;
const NUMERIC = /^(?:Number|parseInt|parseFloat)\([^()]*\)$|^value(?:\.trim\(\))?\.length$|^\+value$/;

/** Returns what is certainly wrong with a transform of a value of this type. */
export function transformProblem(code: string, schema: ParameterSchema): TransformProblem | undefined {
  const text = code.trim().replace(/;$/, "");
  if (/^(?!value\b|true$|false$|null$)[A-Za-z_]\w*(?:\(\))?$/.test(text))
    return {
      message: `the transform \`${text.slice(0, 80)}\` does not use \`value\``,
      help: ["write JavaScript that makes a new value of `value`, such as `value.toLowerCase()` or `value.trim()`"],
    };
  const isNumber = schema.type === "integer" || schema.type === "number";
  if ((isNumber || schema.type === "boolean") && TEXTUAL.test(text))
    return {
      message: `the transform \`${text.slice(0, 80)}\` gives a text, and the type is ${schema.type}`,
      help: ["declare the parameter as a string, or return a value of its type"],
    };
  if (schema.type === "string" && !isAny(schema) && NUMERIC.test(text))
    return {
      message: `the transform \`${text.slice(0, 80)}\` gives a number, and the type is string`,
      help: [`write \`String(${text})\`, or declare the parameter as a number`],
    };
  return undefined;
}
