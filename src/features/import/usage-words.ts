// What a command of a specification of usage takes: its `flag` and `arg` nodes as parameters, and the words of a call.
import { Node } from "@bgotink/kdl";
import { parseCompat } from "@bgotink/kdl/v1-compat";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { parameterNameOf, type Part, Unreadable } from "./imported-tool.ts";

interface UsageWords {
  readonly parameters: readonly Parameter[];
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
}

/** `hasSeparator`: a `--` before the operands keeps them from being taken for options and commands. */
export function usageWords(
  command: Node,
  given: { readonly options?: readonly UsageOption[]; readonly hasSeparator: boolean },
): UsageWords {
  const names = new Set<string>();
  const named = (parameter: Parameter): Parameter => {
    let name = parameter.name;
    for (let number = 2; names.has(name); number++) name = `${parameter.name}_${number}`;
    names.add(name);
    return { ...parameter, name };
  };
  const all = given.options ?? nodesOf(command, "flag").flatMap(optionsOf);
  const options = all.map((option) => named(option.parameter));
  const args = nodesOf(command, "arg");
  const operands = args.map((node) => named(operandOf(node)));
  const parts: Part[] = operands.map(({ name }) => ({ parameter: name }));
  const modes = args.map(doubleDashOf);
  const late = modes.indexOf("required");
  if (args.length > 0 && !modes.includes("preserve") && (given.hasSeparator || late >= 0))
    parts.splice(Math.max(0, late), 0, "--");
  const isGap = operands.some((one, index) => !one.required && index < operands.length - 1);
  return {
    parameters: [...options, ...operands],
    parts: [...options.map(({ name }): Part => ({ parameter: name })), ...parts],
    notes: isGap ? [`give ${operands.map(({ name }) => `\`${name}\``).join(", ")} in this order, without a gap`] : [],
  };
}

export interface UsageOption {
  readonly name: string;
  readonly isGlobal: boolean;
  readonly parameter: Parameter;
}

/** `-u --user <user>`, with what its children say; several with `negate`. */
export function optionsOf(node: Node): readonly UsageOption[] {
  const [, prefix, head = ""] = /^(?:([\w-]+):\s+)?(.*)$/s.exec(textOf(node.getArgument(0)) ?? "") ?? [];
  const words = head.split(/\s+/);
  const forms = words.filter((word) => word.startsWith("-")).map((word) => word.replace(/(?:\.{3}|…)$/, ""));
  const form = forms.find((word) => word.startsWith("--")) ?? forms[0];
  const name = prefix ?? form?.replace(/^-+/, "");
  if (form === undefined || name === undefined || node.getProperty("hide") === true) return [];
  const action = textOf(node.getProperty("action")) ?? (/^(?:help|version)$/.test(name) ? "help" : "set");
  if (/^(?:help|version)/.test(action)) return [];
  const isGlobal = node.getProperty("global") === true;
  const option = (parameter: Parameter): UsageOption => ({ name, isGlobal, parameter });
  const about = { name: parameterNameOf(name), description: aboutOf(node), required: false };
  const inner = node.children?.findNodeByName("arg");
  const values = inner ? [textOf(inner.getArgument(0)) ?? ""] : words.filter((word) => /^[<[]/.test(word));
  const joint = form.startsWith("--") ? "=" : " ";
  const isList = [node, inner].some((one) => one?.getProperty("var") === true) || /\.{3}|…/.test(`${head}${values}`);
  // Each occurrence would need several words.
  if (values.length > 1 || / /.test(values[0] ?? "")) return [];
  if (values.length === 1) {
    const schema = schemaOf(node, { inner, isList });
    const required = node.getProperty("required") === true && defaultOf(node) === undefined;
    return [option({ ...about, schema, required, flag: `${form}${joint}{value}` })];
  }
  const short = forms.find((word) => /^-\w$/.test(word));
  if (node.getProperty("count") === true && short !== undefined)
    return [option({ ...about, schema: choices([1, 2, 3].map((times) => `-${(short[1] ?? "").repeat(times)}`)) })];
  if (node.getProperty("bool_value") === true)
    return [option({ ...about, schema: choices(["true", "false"]), flag: `${form}={value}` })];
  const negated = textOf(node.getProperty("negate"));
  const boolean = { ...about, schema: { type: "boolean" } as const };
  return [
    ...(negated !== undefined && node.getProperty("default") === true ? [] : [option({ ...boolean, flag: form })]),
    ...(negated !== undefined && /^--?\w/.test(negated)
      ? [option({ ...boolean, name: parameterNameOf(negated.replace(/^-+/, "")), flag: negated })]
      : []),
  ];
}

function choices(texts: readonly string[]): ParameterSchema {
  return { type: "string", choices: texts };
}

/** `<file>`, `[file]…`, `<-- rest>`. */
function operandOf(node: Node): Parameter {
  const text = textOf(node.getArgument(0)) ?? "arg";
  const isList = node.getProperty("var") === true || /\.{3}|…|\s/.test(text.replace(/^[<[]?--\s+/, ""));
  const isOptional = text.startsWith("[") || node.getProperty("required") === false;
  return {
    name: parameterNameOf(text.replaceAll(/^[<[]?--\s+|\.{3}|…|[<>[\]]/g, "").trim()),
    description: aboutOf(node),
    schema: schemaOf(node, { inner: undefined, isList }),
    required: !isOptional && defaultOf(node) === undefined && environmentOf(node).length === 0,
  };
}

function doubleDashOf(node: Node): string | undefined {
  return /^[<[]?--\s/.test(textOf(node.getArgument(0)) ?? "") ? "required" : textOf(node.getProperty("double_dash"));
}

function schemaOf(
  node: Node,
  { inner, isList }: { readonly inner: Node | undefined; readonly isList: boolean },
): ParameterSchema {
  const listed = inner?.children?.findNodeByName("choices") ?? node.children?.findNodeByName("choices");
  const texts = (listed?.getArguments() ?? []).flatMap((value) => textOf(value) ?? []);
  const isClosed = texts.length > 0 && listed?.getProperty("strict") !== false && !listed?.hasProperty("env");
  const items: ParameterSchema = isClosed ? choices(texts) : { type: "string" };
  if (!isList) return items;
  const limit = (key: string): number | undefined => {
    const value = inner?.getProperty(key) ?? node.getProperty(key);
    // A limit of one occurrence is none of all.
    return typeof value === "number" && !inner?.hasProperty(key) ? value : undefined;
  };
  const [minimumItems, maximumItems] = [limit("var_min"), limit("var_max")];
  return {
    type: "array",
    items,
    ...(minimumItems === undefined ? {} : { minimumItems }),
    ...(maximumItems === undefined ? {} : { maximumItems }),
  };
}

/** What it says, with its default and its variable. */
function aboutOf(node: Node): string {
  const own = said(node, "help") ?? said(node, "long_help") ?? "";
  const [given, variables] = [defaultOf(node), environmentOf(node)];
  const more = [
    ...(given === undefined || typeof given === "boolean" ? [] : [`\`${String(given)}\` if it is left out`]),
    ...(variables.length === 0 ? [] : [`or \`${variables.join("`, `")}\``]),
  ];
  return `${own}${more.length === 0 ? "" : `${own === "" ? "" : " "}(${more.join("; ")})`}`;
}

function defaultOf(node: Node): unknown {
  return node.getProperty("default") ?? node.children?.findNodeByName("default")?.getArgument(0);
}

export function environmentOf(node: Node): readonly string[] {
  const given = said(node, "env");
  return given !== undefined && /^\w+$/.test(given) ? [`$${given}`] : [];
}

// Nodes of KDL. What is a property may be a child, too.

/** Returns a node with those of the text in it. Throws `Unreadable`. */
export function kdlRoot(text: string): Node {
  const root = Node.create("cmd");
  try {
    root.children = parseCompat(text);
  } catch {
    throw new Unreadable("it is not KDL");
  }
  return root;
}

export function nodesOf(node: Node, name: string): readonly Node[] {
  return node.children?.findNodesByName(name) ?? [];
}

export function said(node: Node, name: string): string | undefined {
  return textOf(node.getProperty(name) ?? node.children?.findNodeByName(name)?.getArgument(0));
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
