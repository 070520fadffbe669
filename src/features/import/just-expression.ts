// Values of just's expressions that do not depend on the machine: texts, variables, `+` and `/`, and the functions that
// read the environment.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Expansions } from "./expansions.ts";
import { type Part, parameterNameOf, stringParameter } from "./imported-tool.ts";
import { type Justfile, splitOutside } from "./just-file.ts";

/** What an expression gives, or undefined if only just can tell. */
export type Value = readonly Part[] | undefined;

/** Names within an expression. */
export interface Names {
  readonly file: Justfile;
  /** Values of the recipe's parameters. */
  readonly bound: ReadonlyMap<string, Value>;
  /** Takes parameters that `env("X")` asks for. */
  readonly asked: Map<string, Parameter>;
  readonly expansions: Expansions;
}

const DEPTH_MAX = 50;

export function valueOf(expression: string, names: Names, depth = 0): Value {
  names.expansions.take(expression);
  if (depth > DEPTH_MAX) return undefined;
  const text = expression.trim();
  const sum = splitOutside(text, "+");
  if (sum.length > 1) return joined(sum.map((one) => valueOf(one, names, depth + 1)));
  const path = splitOutside(text, "/");
  if (path.length > 1 && !text.startsWith("/"))
    return joined(path.flatMap((one, index) => [...(index === 0 ? [] : [["/"]]), valueOf(one, names, depth + 1)]));
  if (/^\([^]*\)$/.test(text)) return valueOf(text.slice(1, -1), names, depth + 1);
  return literalOf(text) ?? namedValue(text, names, depth) ?? environmentValue(text, names, depth);
}

function joined(values: readonly Value[]): Value {
  return values.includes(undefined) ? undefined : values.flatMap((value) => value ?? []);
}

function literalOf(text: string): Value {
  const [, raw3, raw, cooked3, cooked] =
    /^(?:'''([^]*)'''|'([^']*)'|"""([^]*)"""|"((?:\\.|[^"\\])*)")$/.exec(text) ?? [];
  if (raw !== undefined) return [raw];
  if (raw3 !== undefined) return [withoutIndent(raw3)];
  const written = cooked ?? (cooked3 === undefined ? undefined : withoutIndent(cooked3));
  return written === undefined ? undefined : [unescaped(written)];
}

function unescaped(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };
  return text.replaceAll(/\\(?:u\{([0-9A-Fa-f]{1,6})\}|([^]))/g, (_all, code: string | undefined, letter: string) =>
    code === undefined
      ? (escapes[letter] ?? letter)
      : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
  );
}

/** A text of three quotes that begins with a line end loses the common indent. */
function withoutIndent(text: string): string {
  if (!text.startsWith("\n")) return text;
  const lines = text.slice(1).split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(indent))).join("\n");
}

function namedValue(text: string, names: Names, depth: number): Value {
  if (!/^[A-Za-z_][\w-]*$/.test(text)) return undefined;
  const bound = names.bound.get(text);
  if (bound) names.expansions.take(bound);
  if (names.bound.has(text)) return bound;
  const variable = names.file.variables.get(text);
  return variable && valueOf(variable.expression, { ...names, bound: new Map() }, depth + 1);
}

function environmentValue(text: string, names: Names, depth: number): Value {
  const [, inside] = /^(?:env|env_var|env_var_or_default)\(([^]*)\)$/.exec(text) ?? [];
  if (inside === undefined) return undefined;
  const [key, fallback] = splitOutside(inside, ",").map((argument) => valueOf(argument, names, depth + 1));
  const [variable] = key ?? [];
  if (key?.length !== 1 || typeof variable !== "string" || !/^[A-Za-z_]\w*$/.test(variable)) return undefined;
  const given = fallback?.every((part) => typeof part === "string") ? fallback.join("") : undefined;
  if (splitOutside(inside, ",").length > 1 && given === undefined) return undefined;
  const name = parameterNameOf(variable.toLowerCase());
  if (names.bound.has(name)) return undefined;
  names.asked.set(
    name,
    stringParameter(name, `Read from \`${variable}\``, {
      environment: variable,
      ...(given === undefined ? { required: true } : { default: given }),
    }),
  );
  return [{ parameter: name }];
}
