// `arguments`: each is a variable for the steps, with its flag on the command line.
import type { ParameterSchema } from "../../../core/schema/parameter.ts";
import type { Span } from "../../../core/text/source.ts";
import { withNumbers } from "../custom-tools/parameter-schema.ts";
import type { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { type ReadParameters, readTypedParameters } from "../parameter-fields.ts";

export function readArguments(tool: Fields): ReadParameters {
  return readTypedParameters(tool, ["arguments", "argument"], (fields) => {
    const names = readNames(fields);
    if (!names) return undefined;
    const { variable: name, option, span } = names;
    const also = {
      ...(option === name || option === name.replaceAll("_", "-") ? {} : { option }),
      ...(name === "input" ? { fromStdin: true as const } : {}),
    };
    return { name, span, also, alsoTaken: option, narrowed: (schema) => withChoices(schema, fields) };
  });
}

interface Names {
  readonly variable: string;
  /** The name on the command line, without `--`. */
  readonly option: string;
  readonly span: Span;
}

/** Reads both names, of which one is enough: `--max-words` is the variable `max_words`. */
function readNames(fields: Fields): Names | undefined {
  const variable = fields.text("variable");
  const flag = fields.text("flag");
  if (!variable && !flag) {
    if (!fields.has("variable") && !fields.has("flag"))
      fields.findings.error("missing-name", "this argument has no name", {
        at: fields.start,
        help: ["add `variable:`, so that the steps can read it"],
      });
    return undefined;
  }
  const option = flag && /^--([A-Za-z_][A-Za-z0-9_-]{0,63})$/.exec(flag.text)?.[1];
  if (flag && option === undefined)
    return void fields.findings.error("wrong-value", "`flag` must be `--` and a name", {
      at: flag.span,
      label: "expected a flag such as `--language`",
    });
  const name = variable?.text ?? option?.replaceAll("-", "_") ?? "";
  const span = variable?.span ?? flag?.span ?? fields.map.span;
  return isName("argument name", { text: name, span }, fields.findings)
    ? { variable: name, option: option ?? name, span }
    : undefined;
}

function withChoices(schema: ParameterSchema, fields: Fields): ParameterSchema | undefined {
  if (!fields.has("choices")) return schema;
  if (schema.type === "number" || schema.type === "integer") return withNumbers(schema, fields, "choices");
  const choices = [...new Set(fields.texts("choices").map(({ text }) => text))];
  if (schema.type === "string") return choices.length === 0 ? schema : { ...schema, choices };
  if (schema.type === "array") return { ...schema, items: { type: "string", choices } };
  return void fields.findings.error("wrong-value", `\`choices\` is not supported for \`type: ${schema.type}\``, {
    at: fields.place("choices"),
    help: ["remove `choices` or `type`"],
  });
}
