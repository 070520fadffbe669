// `arguments`: each is a variable for the steps, with its flag on the command line.
import type { Parameter, ParameterSchema } from "../../../core/schema/parameter.ts";
import type { Span } from "../../../core/text/source.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import { withNumbers } from "../custom-tools/parameter-schema.ts";
import { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import type { YamlNode } from "../node.ts";
import { readTypedParameter } from "../parameter-fields.ts";
import { argumentKeys } from "./keys.ts";

export interface ReadArguments {
  readonly parameters: readonly Declaration[];
  /** All names, also those with mistakes, so that their uses are not reported. */
  readonly known: readonly Declaration[];
}

export function readArguments(tool: Fields): ReadArguments {
  const parameters: Declaration[] = [];
  const known: Declaration[] = [];
  const taken = new Map<string, Span>();
  for (const item of tool.list("arguments")) {
    if (item.kind !== "map") tool.wrong(item, "arguments", "a list of maps, each with `variable`");
    const fields = item.kind === "map" ? new Fields(item, argumentKeys, tool.findings) : undefined;
    const named = fields && readNames(fields, item);
    if (!fields || !named) continue;
    const first = taken.get(named.variable) ?? taken.get(named.option);
    if (first) {
      tool.findings.error("duplicate-parameter", `duplicate argument \`${named.variable}\``, {
        at: named.span,
        related: [{ span: first, text: "first given here" }],
      });
      continue;
    }
    for (const name of [named.variable, named.option]) taken.set(name, named.span);
    const parameter = readParameter(fields, named);
    if (parameter) parameters.push({ parameter, span: named.span });
    known.push({
      parameter: parameter ?? { name: named.variable, description: "", schema: { type: "string" }, required: false },
      span: named.span,
    });
  }
  return { parameters, known };
}

interface Names {
  readonly variable: string;
  /** The name on the command line, without `--`. */
  readonly option: string;
  readonly span: Span;
}

/** Reads both names, of which one is enough: `--max-words` is the variable `max_words`. */
function readNames(fields: Fields, item: YamlNode): Names | undefined {
  const variable = fields.text("variable");
  const flag = fields.text("flag");
  if (!variable && !flag) {
    if (!fields.has("variable") && !fields.has("flag"))
      fields.findings.error("missing-name", "this argument has no name", {
        at: { ...item.span, end: Math.min(item.span.end, item.span.start + 1) },
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
  const span = variable?.span ?? flag?.span ?? item.span;
  return isName("argument name", { text: name, span }, fields.findings)
    ? { variable: name, option: option ?? name, span }
    : undefined;
}

function readParameter(fields: Fields, { variable: name, option, span }: Names): Parameter | undefined {
  const parameter = readTypedParameter(fields, {
    name,
    span,
    noun: "argument",
    narrowed: (schema) => withChoices(schema, fields),
  });
  if (!parameter) return undefined;
  return {
    ...parameter,
    ...(option === name || option === name.replaceAll("_", "-") ? {} : { option }),
    ...(name === "input" ? { fromStdin: true as const } : {}),
  };
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
