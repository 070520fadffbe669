// Limits for values that another program puts into the text of a shell: characters that no shell, make or just reads.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";

const PATTERN = { source: "[\\w.,:@%+=\\/][\\w.,:@%+=\\/-]*", flags: "" };

export const PLAIN_NOTE =
  "values may only have letters, digits and `_ . , : @ % + = / -`, because the program lets a shell read them";

/** A default of the source stays even if it has other characters: it is the author's. */
export function plainWords(parameter: Parameter): Parameter {
  const isFine =
    parameter.default === undefined ||
    [parameter.default]
      .flat()
      .every((text) => typeof text === "string" && new RegExp(`^(?:${PATTERN.source})$`).test(text));
  const { default: _given, flags: _flags, ...others } = parameter;
  return {
    ...others,
    ...(isFine && parameter.default !== undefined ? { default: parameter.default } : {}),
    schema: limited(parameter.schema),
  };
}

function limited(schema: ParameterSchema): ParameterSchema {
  if (schema.type === "array") return { ...schema, items: limited(schema.items) };
  return schema.type === "string" ? { ...schema, pattern: PATTERN } : schema;
}
