// What a Python script takes, where argparse or click is told so by literals, or `sys.argv` has a fixed number of words.
import type { Parameter } from "../../core/schema/parameter.ts";
import { parameterNameOf, type Part } from "./imported-tool.ts";
import { type PythonCall, pythonCalls } from "./python-calls.ts";
import { argparseRow, clickRow, type PythonRow, type TakenRow } from "./python-rows.ts";

export interface ScriptInterface {
  readonly parameters: readonly Parameter[];
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
}

export interface PythonScript {
  readonly docstring: string;
  /** Whether it is more than a module that others import. */
  readonly isProgram: boolean;
  /** Undefined if it cannot be read with certainty. */
  readonly takes: ScriptInterface | undefined;
}

const CALLS = /(?:^|\.)(?:add_argument|ArgumentParser|option|argument|command|group)$/;
const BEYOND =
  /(?:^|\.)(?:add_subparsers|parse_known_args|parse_known_intermixed_args|getopt)$|^(?:typer|fire|docopt|tyro)\b/;

const CHARACTERS_MAX = 200_000;

export function readPython(text: string): PythonScript {
  if (text.length > CHARACTERS_MAX) return { docstring: "", isProgram: true, takes: undefined };
  const { calls, names, docstring } = pythonCalls(text, CALLS);
  const has = (name: string): boolean => names.has(name);
  const isProgram = text.startsWith("#!") || calls.length > 0 || has("__name__") || has("sys.argv");
  const called = (pattern: RegExp): readonly PythonCall[] => calls.filter(({ call }) => pattern.test(call));
  const parsers = called(/(?:^|\.)ArgumentParser$/);
  const isBeyond = [...names].some((name) => BEYOND.test(name));
  let takes: ScriptInterface | undefined;
  if (isBeyond) takes = undefined;
  else if (parsers.length === 1) {
    const isPlain = !["parents", "prefix_chars", "fromfile_prefix_chars"].some((key) => parsers[0]?.keywords.has(key));
    takes = isPlain ? interfaceOf(called(/\.add_argument$/).map(argparseRow)) : undefined;
  } else if (parsers.length === 0 && has("click.command") && !has("click.group"))
    // The decorators of a function stand from its first argument on.
    takes = interfaceOf(called(/^click\.(?:option|argument)$/).map(clickRow));
  else if (parsers.length === 0 && !has("click")) takes = fixedWords(text);
  return { docstring, isProgram, takes };
}

function interfaceOf(rows: readonly PythonRow[]): ScriptInterface | undefined {
  const taken = rows.filter((row) => row !== null);
  if (taken.some((row) => row === undefined)) return undefined;
  const all = taken.filter((row) => row !== undefined);
  // An option that is left out cannot take its own word with it.
  const offered = all.filter(({ isGreedy, parameter }) => !isGreedy || parameter.required);
  const options = offered.filter(({ option }) => option !== undefined);
  const operands = offered.filter(({ option }) => option === undefined);
  if (new Set(offered.map(({ parameter }) => parameter.name)).size < offered.length) return undefined;
  const word = ({ option = "", isGreedy, parameter: { name } }: TakenRow): readonly Part[] =>
    isGreedy ? [option, { parameter: name }] : [{ parameter: name }];
  return {
    parameters: offered.map(({ parameter }) => parameter),
    parts: [...options.flatMap(word), ...(operands.length === 0 ? [] : ["--"]), ...operands.flatMap(word)],
    notes: all
      .filter((row) => !offered.includes(row))
      .map(({ option = "" }) => `\`${option}\` takes several words at once, and is not offered`),
  };
}

/** `len(sys.argv) != 3` beside `sys.argv[1]` and `sys.argv[2]`; names are those of the usage that it prints. */
function fixedWords(text: string): ScriptInterface | undefined {
  const uses = [...text.matchAll(/len\(sys\.argv\)\s*(\S+)\s*(\d+)|sys\.argv(?:\[(\d+)\])?/g)];
  if (uses.length === 0) return { parameters: [], parts: [], notes: [] };
  const counts = uses.flatMap(([, operator, count]) => (operator === undefined ? [] : [`${operator} ${count}`]));
  const [, wanted] = /^!= (\d+)$/.exec(counts[0] ?? "") ?? [];
  const isFixed = uses.every(
    ([, operator, , index]) => operator !== undefined || (index !== undefined && Number(index) < Number(wanted)),
  );
  if (wanted === undefined || counts.length !== 1 || !isFixed) return undefined;
  const [, usage = ""] = /[Uu]sage: *(?:python3? +)?\S+\.py +([^"'\n\\]*)/.exec(text) ?? [];
  const words = usage.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? [];
  const parameters = Array.from({ length: Number(wanted) - 1 }, (_, index): Parameter => {
    const [, variable = ""] =
      new RegExp(String.raw`^\s*(\w+) *= *[\w.(]*sys\.argv\[${index + 1}\]`, "m").exec(text) ?? [];
    const word = words.length === Number(wanted) - 1 ? (words[index] ?? "") : variable;
    const name = parameterNameOf(word.replaceAll(/^[[<]|[\]>]$/g, ""));
    return {
      name: /\w/.test(word) ? name : `argument${index + 1}`,
      description: "",
      schema: { type: "string" },
      required: true,
    };
  });
  if (new Set(parameters.map(({ name }) => name)).size < parameters.length) return undefined;
  return { parameters, parts: parameters.map(({ name }) => ({ parameter: name })), notes: [] };
}
