// Commands of a bash script whose comments declare them for argc (https://github.com/sigoden/argc). The script is
// called: argc takes values as words, and no shell reads them.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { type ImportedSource, type ImportedTool, parameterNameOf, type SourceText } from "./imported-tool.ts";

interface ArgcCommand {
  description: string;
  readonly parameters: ArgcParameter[];
  /** The words of the command; empty for the script itself. */
  words: readonly string[];
}

interface ArgcParameter {
  readonly parameter: Parameter;
  /** A value without a name before it. */
  readonly isPositional: boolean;
}

const TAG = /^#\s*@(\w+)\s*(.*)$/;
const FUNCTION = /^\s*(?:function\s+)?([A-Za-z_][\w:@.-]*)\s*(?:\(\s*\)|\{|$)/;

export function readArgcScript({ text, fileName }: SourceText): ImportedSource {
  const root: ArgcCommand = { description: "", parameters: [], words: [] };
  const commands: ArgcCommand[] = [];
  let current: ArgcCommand | undefined;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const [, tag, rest = ""] = TAG.exec(line) ?? [];
    const [, name] = FUNCTION.exec(line) ?? [];
    if (tag === "describe") root.description = rest;
    else if (tag === "cmd") current = { description: rest, parameters: [], words: [] };
    else if (tag !== undefined) addParameter(current ?? root, { tag, rest });
    else if (name !== undefined && !line.startsWith("#")) {
      if (current) commands.push({ ...current, words: name.split("::") });
      current = undefined;
    }
  }
  const isGroup = (one: ArgcCommand): boolean =>
    commands.some(
      ({ words }) => words.length > one.words.length && one.words.every((word, index) => words[index] === word),
    );
  const callable = commands.length === 0 ? [root] : commands.filter((one) => !isGroup(one));
  return {
    format: "argc script",
    tools: callable.map((command) => {
      const tool = toolOf(command, { fileName, shared: commands.length === 0 ? [] : root.parameters });
      return { name: tool.name, candidates: [tool] };
    }),
    notes: [],
  };
}

function toolOf(
  { description, parameters, words }: ArgcCommand,
  { fileName, shared }: { readonly fileName: string; readonly shared: readonly ArgcParameter[] },
): ImportedTool {
  const all = [...shared.filter(({ isPositional }) => !isPositional), ...parameters];
  const named = all.filter(({ isPositional }) => !isPositional);
  const positional = all.filter(({ isPositional }) => isPositional);
  const name = words.length === 0 ? fileName.replace(/\.\w+$/, "") : words.join("-");
  return {
    name,
    description: description === "" ? `Run \`${[fileName, ...words].join(" ")}\`.` : description,
    parameters: all.map(({ parameter }) => parameter),
    runs: {
      kind: "command",
      words: [
        ...(fileName === "Argcfile.sh" ? ["argc"] : ["bash", fileName]),
        ...words,
        ...[...named, ...positional].map(({ parameter }) => ({ parameter: parameter.name })),
      ],
    },
    requires: fileName === "Argcfile.sh" ? ["argc"] : ["argc", "bash"],
    notes: [],
  };
}

function addParameter(command: ArgcCommand, { tag, rest }: { readonly tag: string; readonly rest: string }): void {
  const read =
    tag === "arg" ? positionalOf(rest) : tag === "option" ? optionOf(rest) : tag === "flag" ? flagOf(rest) : undefined;
  if (read) command.parameters.push(read);
}

/** `name!`, `name*[a|b]`, `name="x"`, each with `$VARIABLE`, `<NOTATION>` and a description behind it. */
const VALUE =
  /^([\w.:-]+?)(~|[!*+]?,?)?(\[[^\]]*\]|=(?:"[^"]*"|'[^']*'|`[^`]*`|\S+))?(?:\s+\$(?:\$|\w+))?((?:\s+<[^>]+>)*)(?:\s+(.*))?$/;

function positionalOf(rest: string): ArgcParameter | undefined {
  const declared = declarationOf(rest);
  return declared && { parameter: declared.parameter, isPositional: true };
}

function optionOf(rest: string): ArgcParameter | undefined {
  const [, long] = /^(?:-\w\s+)?(--?[\w][^]*)$/.exec(rest) ?? [];
  if (long === undefined) return undefined;
  const declared = declarationOf(long.replace(/^--?/, ""));
  const dashes = /^-*/.exec(long)?.[0] ?? "--";
  return (
    declared && {
      isPositional: false,
      parameter: {
        ...declared.parameter,
        flag: dashes === "--" ? `--${declared.name}={value}` : `-${declared.name} {value}`,
      },
    }
  );
}

function flagOf(rest: string): ArgcParameter | undefined {
  const [, short, long, description = ""] = /^(?:(-\w)\s*)?(?:(--?[\w][\w.:-]*)[*]?)?(?:\s+(.*))?$/.exec(rest) ?? [];
  const option = long ?? short;
  if (option === undefined) return undefined;
  return {
    isPositional: false,
    parameter: {
      name: parameterNameOf(option.replace(/^-+/, "")),
      description,
      schema: { type: "boolean" },
      required: false,
      flag: option,
    },
  };
}

function declarationOf(rest: string): { readonly name: string; readonly parameter: Parameter } | undefined {
  const [, name, mark = "", value = "", notation = "", description = ""] = VALUE.exec(rest) ?? [];
  if (name === undefined) return undefined;
  const one = choicesOf(value) ?? (/<(?:PATH|FILE|DIR)>/i.test(notation) ? PATH : TEXT);
  const isList = /^[*+~]/.test(mark);
  const given = defaultOf(value);
  return {
    name,
    parameter: {
      name: parameterNameOf(name),
      description,
      schema: isList ? { type: "array", items: one, ...(mark.startsWith("+") ? { minimumItems: 1 } : {}) } : one,
      required: (mark.startsWith("!") || mark.startsWith("+")) && given === undefined,
      ...(given === undefined || isList ? {} : { default: given }),
      ...(isList ? { flags: true as const } : {}),
    },
  };
}

const TEXT = { type: "string" } as const satisfies ParameterSchema;
const PATH = { type: "string", format: "path" } as const satisfies ParameterSchema;

/** `[a|b]` or `[=a|b]`; choices that a function finds are any text. */
function choicesOf(value: string): ParameterSchema | undefined {
  const [, inside] = /^\[[=?]?([^\]`]+)\]$/.exec(value) ?? [];
  return inside === undefined ? undefined : { type: "string", choices: inside.split("|") };
}

function defaultOf(value: string): string | undefined {
  const [, first] = /^\[=([^|\]]+)/.exec(value) ?? [];
  if (first !== undefined) return first;
  const [, written] = /^=([^`]+)$/s.exec(value) ?? [];
  return written?.replace(/^(["'])(.*)\1$/s, "$2");
}
