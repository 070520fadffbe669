// What one call of `add_argument` of argparse, or of `click.option` and `click.argument`, declares.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { parameterNameOf } from "./imported-tool.ts";
import type { Literal, PythonCall } from "./python-calls.ts";

/** A row that only Python can read is undefined; one that is no parameter is `null`. */
export type PythonRow = TakenRow | null | undefined;

export interface TakenRow {
  /** The option; undefined for an operand. */
  readonly option: string | undefined;
  readonly parameter: Parameter;
  /** Whether one occurrence of the option takes all values. */
  readonly isGreedy: boolean;
}

export function argparseRow({ positional, keywords }: PythonCall): PythonRow {
  const names = positional.map(textIn);
  const forms = names.flatMap((name) => name ?? []);
  if (forms.length < names.length || forms.length === 0) return undefined;
  // A type that is a function of the script reads a text.
  for (const key of ["action", "nargs", "choices", "required"])
    if (keywords.has(key) && !keywords.get(key)) return undefined;
  const get = (key: string): Literal | undefined => keywords.get(key);
  const action = nameIn(get("action")) ?? textIn(get("action")) ?? "store";
  if (/^(?:help|version)$/.test(action) || nameIn(get("help")) === "argparse.SUPPRESS") return null;
  const isFlag = /^(?:store_true|store_false|store_const|append_const|count|argparse\.BooleanOptionalAction)$/.test(
    action,
  );
  if (!isFlag && !/^(?:store|append|extend)$/.test(action)) return undefined;
  const nargs = textIn(get("nargs")) ?? numberIn(get("nargs")) ?? nameIn(get("nargs"));
  if (nargs === "argparse.REMAINDER" || nargs === "...") return undefined;
  const count =
    typeof nargs === "number" ? { minimumItems: nargs, maximumItems: nargs } : nargs === "+" ? { minimumItems: 1 } : {};
  const isMany = nargs !== undefined && nargs !== "?" && nargs !== "None";
  return rowOf(forms, {
    help: textIn(get("help")),
    isFlag,
    isMany: isMany || action !== "store",
    isGreedy: isMany,
    count,
    item: itemOf(nameIn(get("type")), get("choices")),
    required: nameIn(get("required")) === "True",
    isOptional: nargs === "?" || nargs === "*",
    fallback: get("default"),
  });
}

export function clickRow({ call, positional, keywords }: PythonCall): PythonRow {
  const names = positional.map(textIn);
  const forms = names.flatMap((name) => name ?? []);
  if (forms.length < names.length || forms.length === 0) return undefined;
  for (const key of ["is_flag", "multiple", "nargs", "required", "count"])
    if (keywords.has(key) && !keywords.get(key)) return undefined;
  const is = (key: string): boolean => nameIn(keywords.get(key)) === "True";
  const nargs = numberIn(keywords.get("nargs")) ?? 1;
  const type = keywords.get("type");
  const isArgument = call === "click.argument";
  if ((!isArgument && nargs !== 1) || ["callback", "cls", "flag_value"].some((key) => keywords.has(key)))
    return undefined;
  const [own] = forms.flatMap((form) => (form.startsWith("-") ? (form.split("/")[0] ?? []) : isArgument ? form : []));
  const fallback = keywords.get("default");
  return rowOf(
    isArgument
      ? forms
      : [own ?? "", ...forms.filter((form) => /^-/.test(form)).map((form) => form.split("/")[0] ?? "")],
    {
      help: textIn(keywords.get("help")),
      isFlag:
        is("is_flag") ||
        is("count") ||
        forms.some((form) => form.includes("/")) ||
        /^(?:True|False)$/.test(nameIn(fallback) ?? ""),
      isMany: nargs !== 1 || is("multiple"),
      isGreedy: false,
      count: nargs > 1 ? { minimumItems: nargs, maximumItems: nargs } : {},
      item:
        type !== undefined && "call" in type && type.call === "click.Choice"
          ? itemOf(undefined, type.positional[0])
          : itemOf(nameIn(type), undefined),
      required: is("required"),
      isOptional: nargs < 0 || nameIn(keywords.get("required")) === "False" || fallback !== undefined,
      fallback,
    },
  );
}

interface Facts {
  readonly help: string | undefined;
  readonly isFlag: boolean;
  readonly isMany: boolean;
  readonly isGreedy: boolean;
  readonly count: object;
  readonly item: ParameterSchema;
  readonly required: boolean;
  readonly isOptional: boolean;
  readonly fallback: Literal | undefined;
}

function rowOf(forms: readonly string[], facts: Facts): PythonRow {
  const option = forms.find((form) => form.startsWith("--")) ?? forms.find((form) => form.startsWith("-"));
  if (forms.some((form) => !/^-{0,2}[A-Za-z_][\w-]*$/.test(form))) return undefined;
  const name = parameterNameOf((option ?? forms[0] ?? "").replace(/^-+/, ""));
  const said = textIn(facts.fallback) ?? numberIn(facts.fallback);
  const help = (facts.help ?? "").replaceAll("%(default)s", String(said ?? "its own")).replaceAll("%%", "%");
  const left = said === undefined || said === "" || /default/i.test(help) ? "" : ` (\`${said}\` if it is left out)`;
  const description = `${help}${left}`.trim();
  if (facts.isFlag)
    return option === undefined
      ? undefined
      : {
          option,
          isGreedy: false,
          parameter: { name, description, schema: { type: "boolean" }, required: false, flag: option },
        };
  const schema: ParameterSchema = facts.isMany ? { type: "array", items: facts.item, ...facts.count } : facts.item;
  const required = option === undefined ? !facts.isOptional : facts.required;
  const joint = option?.startsWith("--") ? "=" : " ";
  const flag = option === undefined || facts.isGreedy ? {} : { flag: `${option}${joint}{value}` };
  return {
    option,
    isGreedy: facts.isGreedy && option !== undefined,
    parameter: { name, description, schema, required, ...flag },
  };
}

function itemOf(type: string | undefined, choices: Literal | undefined): ParameterSchema {
  const listed = choices !== undefined && "list" in choices ? choices.list : [];
  const texts = listed.flatMap((one) => textIn(one) ?? []);
  if (texts.length > 0 && texts.length === listed.length) return { type: "string", choices: texts };
  const numbers = listed.flatMap((one) => numberIn(one) ?? []);
  const isInteger = type === "int" || type === "click.INT";
  if (isInteger || type === "float" || type === "click.FLOAT")
    return {
      type: isInteger ? "integer" : "number",
      ...(numbers.length > 0 && numbers.length === listed.length ? { choices: numbers } : {}),
    };
  return /(?:^|\.)Path$/.test(type ?? "") ? { type: "string", format: "path" } : { type: "string" };
}

function textIn(value: Literal | undefined): string | undefined {
  return value !== undefined && "text" in value ? value.text : undefined;
}

function numberIn(value: Literal | undefined): number | undefined {
  return value !== undefined && "number" in value ? value.number : undefined;
}

function nameIn(value: Literal | undefined): string | undefined {
  return value !== undefined && "name" in value ? value.name : undefined;
}
