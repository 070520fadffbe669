// Parameters and properties as maps of the custom-tools YAML.
import { boundsOf } from "../../core/schema/bounds.ts";
import { typeText } from "../../core/schema/describe.ts";
import type {
  NumberSchema,
  ObjectSchema,
  Parameter,
  ParameterSchema,
  Pattern,
  StringSchema,
} from "../../core/schema/parameter.ts";
import { propertyKeys } from "./custom-tools/extension-keys.ts";
import { EXTENSION } from "./described-keys.ts";
import { parameterKeys } from "./custom-tools/keys.ts";
import { plainSchema, typeWordOf, wholePattern } from "./custom-tools/parameter-schema.ts";
import { patternText } from "../../core/language/write/parameter-text.ts";
import { byName, listed, merged, type YamlData, type YamlRecord } from "./yaml-data.ts";

export function parameterRecord(parameter: Parameter): YamlRecord {
  const { schema, default: fallback, transform } = parameter;
  const precise = preciseType(schema);
  return merged([
    parameterKeys.write(parameter),
    {
      type: typeWordOf(schema),
      transform: transform ?? transformText(schema),
      validation: validationOf(schema),
      examples: examplesOf(parameter),
      [EXTENSION]: {
        ...narrowingOf(schema, transform !== undefined),
        // Without a precise type, an empty default is none.
        type: precise ?? (fallback === "" ? "string" : undefined),
      },
    },
  ]);
}

function examplesOf({ example, otherExamples = [] }: Parameter): readonly YamlData[] | undefined {
  return listed([...(example === undefined ? [] : [example]), ...otherExamples]);
}

/** Returns the map `x-dottool.types`: each type with its properties. */
export function typesRecord(types: readonly ObjectSchema[]): YamlRecord | undefined {
  return byName(
    types.map(({ typeName = "", properties }) => [
      typeName,
      byName(properties.map((property) => [property.name, propertyRecord(property)])) ?? {},
    ]),
  );
}

function propertyRecord(property: Parameter): YamlRecord {
  const { schema } = property;
  const type = preciseType(schema) ?? typeText(plainSchema(typeWordOf(schema)));
  return {
    ...propertyKeys.write(property),
    type: type === "string" ? undefined : type,
    validation: validationOf(schema),
    ...narrowingOf(schema, true),
    examples: examplesOf(property),
  };
}

/** Returns the schema of the strings in it, at any depth of arrays. */
function textIn(schema: ParameterSchema): StringSchema | undefined {
  if (schema.type === "array") return textIn(schema.items);
  return schema.type === "string" ? schema : undefined;
}

function isNumeric(schema: ParameterSchema): schema is NumberSchema {
  return schema.type === "integer" || schema.type === "number";
}

/** Whether the choice can be in `enum`, a list of texts that are not empty. */
function isPlainChoice(choice: string): boolean {
  return choice.trim() !== "" && !choice.endsWith("\n");
}

function plainChoices(schema: ParameterSchema): readonly (string | number)[] | undefined {
  if (isNumeric(schema)) return schema.choices;
  const choices = textIn(schema)?.choices;
  return choices?.every(isPlainChoice) ? choices : undefined;
}

/** Returns the type's word for `x-dottool`, or undefined if the format's own word is exact. */
function preciseType(schema: ParameterSchema): string | undefined {
  // All integers are read as integers again.
  if (isNumeric(schema) && schema.choices) return undefined;
  const text = typeText(plainChoices(schema) ? withoutChoices(schema) : schema);
  return text === typeText(plainSchema(typeWordOf(schema))) ? undefined : text;
}

function withoutChoices(schema: ParameterSchema): ParameterSchema {
  if (schema.type === "array") return { ...schema, items: withoutChoices(schema.items) };
  if (schema.type !== "string") return schema;
  const { choices: _choices, ...rest } = schema;
  return rest;
}

function validationOf(schema: ParameterSchema): YamlRecord {
  const pattern = textIn(schema)?.pattern;
  const [least, most] = boundsOf(schema);
  const [low, high] = isNumeric(schema) ? (["minimum", "maximum"] as const) : (["minLength", "maxLength"] as const);
  return { [low]: least, [high]: most, pattern: pattern && searchPattern(pattern), enum: plainChoices(schema) };
}

/** Returns the text that the format reads as this pattern, or undefined if there is none. */
function searchPattern({ source, flags }: Pattern): string | undefined {
  const inner = /^\[\\s\\S\]\*\(\?:([^]*)\)\[\\s\\S\]\*$/.exec(source)?.[1];
  return flags === ""
    ? [inner, `^${source}$`].find(
        (text) => text !== undefined && text.trim() !== "" && !text.endsWith("\n") && wholePattern(text) === source,
      )
    : undefined;
}

const methods = { trim: "trim", lower: "toLowerCase", upper: "toUpperCase" } as const;

/** Returns the transforms of a plain string, each once. */
function transformText(schema: ParameterSchema): string | undefined {
  const transforms = schema.type === "string" ? (schema.transforms ?? []) : [];
  return transforms.length === 0
    ? undefined
    : `value${transforms.map((transform) => `.${methods[transform]}()`).join("")}`;
}

function narrowingOf(schema: ParameterSchema, isExpression: boolean): YamlRecord {
  const text = textIn(schema);
  const pattern = text?.pattern && searchPattern(text.pattern) === undefined ? patternText(text.pattern) : undefined;
  const isPlainText = schema.type === "string" && !isExpression;
  return {
    pattern,
    reject: text?.reject && patternText(text.reject),
    transforms: isPlainText ? undefined : listed(text?.transforms ?? []),
    unique: schema.type === "array" ? schema.unique : undefined,
  };
}
