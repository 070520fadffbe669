// Constraints of MCPShell about one parameter as limits of it: a schema says them to models, and a value that can only be
// a plain word may stand where another could become program text.
import type { Parameter } from "../../schema/parameter.ts";

interface Limited {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The constraints that no limit says. */
  readonly constraints: readonly string[];
}

/** `x == '' || …`: a parameter that may be left out. */
const OPTIONAL = /^\s*(\w+)\s*==\s*(?:''|"")\s*\|\|\s*/;
const CHOICES =
  /^\(?\s*\[((?:\s*'[\w.:/-]+'\s*,?)+)\]\.exists\((\w+),\s*(?:\2\s*==\s*(\w+)|(\w+)\s*==\s*\2)\s*\)\s*\)?$/;
const MATCHES = /^\(?\s*(\w+)\.matches\(\s*(?:'\^((?:[^'\\]|\\.)*)\$'|"\^((?:[^"\\]|\\.)*)\$")\s*\)\s*\)?$/;

export function withLimits(declared: ReadonlyMap<string, Parameter>, constraints: readonly string[]): Limited {
  const parameters = new Map(declared);
  const left = constraints.filter((text) => {
    const optional = OPTIONAL.exec(text);
    const said = text.slice(optional?.[0].length ?? 0).trim();
    const limited = limitedBy(said, parameters);
    if (!limited || (optional && optional[1] !== limited.name)) return true;
    parameters.set(limited.name, limited);
    // Without a value, MCPShell compares an empty text.
    return !(limited.required || (optional && limited.default === undefined));
  });
  return { parameters, constraints: left };
}

function limitedBy(text: string, parameters: ReadonlyMap<string, Parameter>): Parameter | undefined {
  const [, list, , left, right] = CHOICES.exec(text) ?? [];
  const [, matched = "", single, double] = MATCHES.exec(text) ?? [];
  const parameter = parameters.get(left ?? right ?? matched);
  if (parameter?.schema.type !== "string") return undefined;
  const { schema } = parameter;
  if (list !== undefined) {
    const choices = [...list.matchAll(/'([^']+)'/g)].map(([, choice = ""]) => choice);
    return schema.choices || schema.pattern ? undefined : { ...parameter, schema: { ...schema, choices } };
  }
  const source = (single ?? double)?.replaceAll(/\\(["'\\])/g, "$1").replaceAll(/(?<!\\)\//g, String.raw`\/`);
  return source === undefined || schema.choices || schema.pattern || !isPattern(source)
    ? undefined
    : { ...parameter, schema: { ...schema, pattern: { source, flags: "" } } };
}

/** Whether it means the same here: Go knows some more, such as `(?i)`. */
function isPattern(source: string): boolean {
  try {
    return RegExp(source, "u").source !== "" && !/\(\?|\\[pPQE]|\[\[:/.test(source);
  } catch {
    return false;
  }
}
