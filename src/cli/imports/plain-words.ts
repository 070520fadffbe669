// Limits for values that another program puts into the text of a shell: characters that no shell, make or task reads.
import type { Parameter, ParameterSchema, Pattern } from "../../schema/parameter.ts";

/** In an argument, as of `just`, and in a variable, as of `make`. */
const patterns = {
  argument: { source: "[\\w.,:@%+=\\/][\\w.,:@%+=\\/-]*", flags: "" },
  variable: { source: "[A-Za-z0-9_.][A-Za-z0-9_.-]*", flags: "" },
} as const satisfies Readonly<Record<string, Pattern>>;

type PlainPlace = keyof typeof patterns;

export function plainNote(place: PlainPlace): string {
  const signs = place === "argument" ? "_ . , : @ % + = / -" : "_ . -";
  return `values may only have letters, digits and \`${signs}\`, because the program lets a shell read them`;
}

/** A default of the source stays even if it has other characters: it is the author's. */
export function plainWords(parameter: Parameter, place: PlainPlace): Parameter {
  const pattern = patterns[place];
  const isFine =
    parameter.default === undefined ||
    [parameter.default]
      .flat()
      .every((text) => typeof text === "string" && new RegExp(`^(?:${pattern.source})$`).test(text));
  const { default: _given, flags: _flags, ...others } = parameter;
  return {
    ...others,
    ...(isFine && parameter.default !== undefined ? { default: parameter.default } : {}),
    schema: limited(parameter.schema, pattern),
  };
}

function limited(schema: ParameterSchema, pattern: Pattern): ParameterSchema {
  if (schema.type === "array") return { ...schema, items: limited(schema.items, pattern) };
  return schema.type === "string" ? { ...schema, pattern } : schema;
}
