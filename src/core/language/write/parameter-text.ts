// Parameters and their types as `@param`, `@type` and `@property` lines.
import type { Json } from "../../schema/json.ts";
import { boundsOf } from "../../schema/bounds.ts";
import type { ObjectSchema, Parameter, ParameterSchema, Pattern, StringSchema } from "../../schema/parameter.ts";
import { typeText } from "../../schema/describe.ts";

/** Returns `name {type} [options] words`, without the keyword. */
export function declarationText(parameter: Parameter, kind: "param" | "property"): string {
  const written = Object.values(options).flatMap((option) => option(parameter, kind));
  const words = parameter.description === "" ? "" : ` ${parameter.description}`;
  return `${parameter.name} {${typeText(parameter.schema)}}${written.length === 0 ? "" : ` [${written.join(", ")}]`}${words}`;
}

/** Returns named object types, each after those that it uses. */
export function namedTypesIn(
  parameters: readonly Parameter[],
  returns: ParameterSchema | undefined,
): readonly ObjectSchema[] {
  const found = new Map<string, ObjectSchema>();
  const visit = (schema: ParameterSchema): void => {
    if (schema.type === "array") visit(schema.items);
    if (schema.type !== "object") return;
    for (const property of schema.properties) visit(property.schema);
    if (schema.typeName !== undefined && !found.has(schema.typeName)) found.set(schema.typeName, schema);
  };
  for (const { schema } of parameters) visit(schema);
  if (returns) visit(returns);
  return [...found.values()];
}

type Options = {
  readonly [Key in keyof Required<Parameter>]: (parameter: Parameter, kind: "param" | "property") => readonly string[];
};

const options: Options = {
  // The name and the description are outside of the brackets.
  name: () => [],
  description: () => [],
  required: (parameter, kind) =>
    parameter.required
      ? kind === "param"
        ? ["required"]
        : []
      : kind === "property" && parameter.default === undefined
        ? ["optional"]
        : [],
  default: (parameter) =>
    parameter.default === undefined ? [] : [`default=${JSON.stringify(parameter.default satisfies Json)}`],
  schema: ({ schema }) => constraintsOf(schema),
  flags: ({ flags }) => (flags ? ["flags"] : []),
  flag: ({ flag }) => (flag === undefined ? [] : [`flag=${JSON.stringify(flag)}`]),
  option: ({ option }) => (option === undefined ? [] : [`option=${option}`]),
  secret: ({ secret }) => (secret ? ["secret"] : []),
  environment: ({ environment }) => (environment === undefined ? [] : [`env=${environment}`]),
  fromStdin: ({ fromStdin }) => (fromStdin ? ["stdin"] : []),
  hidden: ({ hidden }) => (hidden ? ["hidden"] : []),
  example: ({ example }) => (example === undefined ? [] : [`example=${JSON.stringify(example)}`]),
  otherExamples: ({ otherExamples = [] }) => otherExamples.map((one) => `example=${JSON.stringify(one)}`),
  help: ({ help }) => (help === undefined ? [] : [`help=${JSON.stringify(help)}`]),
  transform: ({ transform }) => (transform === undefined ? [] : [`transform=${JSON.stringify(transform)}`]),
};

function constraintsOf(schema: ParameterSchema): readonly string[] {
  const [least, most] = boundsOf(schema);
  return [
    ...(least === undefined ? [] : [`min=${least}`]),
    ...(most === undefined ? [] : [`max=${most}`]),
    ...(schema.type === "array" && schema.unique ? ["unique"] : []),
    ...itemOptions(schema),
  ];
}

/** Writes options for a string, or for the strings in a list. */
function itemOptions(items: ParameterSchema): readonly string[] {
  if (items.type === "array") return itemOptions(items.items);
  return items.type === "string" ? textOptions(items) : [];
}

function textOptions({ pattern, reject, transforms = [] }: StringSchema): readonly string[] {
  return [
    ...(pattern ? [`pattern=${patternText(pattern)}`] : []),
    ...(reject ? [`reject=${patternText(reject)}`] : []),
    ...transforms,
  ];
}

export function patternText({ source, flags }: Pattern): string {
  return `/${source}/${flags}`;
}
