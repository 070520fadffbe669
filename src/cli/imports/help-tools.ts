// A program as tools, from what it prints for `--help`: one for each of its commands, or one for the program.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import { type HelpOperand, type HelpOption, type HelpText, readHelp } from "./help-text.ts";
import {
  type ImportedSource,
  type ImportedTool,
  parameterNameOf,
  stringParameter,
  wordsParameter,
} from "./imported-tool.ts";

const COMMANDS_MAX = 60;

/** Returns what the program prints for these words and `--help`; undefined if it prints nothing. */
export type AskHelp = (words: readonly string[]) => Promise<string | undefined>;

/** Returns undefined if the program has no help. */
export async function helpTools(words: readonly string[], ask: AskHelp): Promise<ImportedSource | undefined> {
  const text = await ask(words);
  if (text === undefined) return undefined;
  const help = readHelp(text);
  const commands = help.commands
    .filter(({ name }) => !/^(?:help|completions?|version)$/.test(name))
    .slice(0, COMMANDS_MAX);
  const tools: ImportedTool[] = [];
  for (const { name, about } of commands) {
    const own = await ask([...words, name]);
    tools.push(toolOf([...words, name], own === undefined ? undefined : readHelp(own), about));
  }
  if (commands.length === 0) tools.push(toolOf(words, help, help.about));
  return {
    format: "help",
    tools: tools.map((tool) => ({ name: tool.name, candidates: [tool, withWords(tool)] })),
    notes: [],
  };
}

function toolOf(words: readonly string[], help: HelpText | undefined, about: string): ImportedTool {
  const names = new Set<string>();
  const options = (help?.options ?? []).map((option) => optionParameter(option, names));
  const operands = help?.operands;
  const own = operands?.map((operand) => operandParameter(operand, names)) ?? [];
  const isUnread = operands === undefined || operands.length + options.length === 0;
  const others = isUnread ? [wordsParameter(freeName("args", names), "Further words")] : [];
  const parameters = [...options, ...own, ...others];
  return {
    name: words.map((word) => word.replace(/^.*\//, "")).join("-"),
    description: about === "" ? `Run \`${words.join(" ")}\`.` : about,
    parameters,
    runs: { kind: "command", words: [...words, ...parameters.map(({ name }) => ({ parameter: name }))] },
    requires: words.slice(0, 1).filter((word) => !word.includes("/")),
    notes: ["made from what the program prints for `--help`: look at its parameters before you rely on it"],
  };
}

/** Where an option of its own cannot be declared, all words are a list. */
function withWords(tool: ImportedTool): ImportedTool {
  if (tool.runs.kind !== "command") return tool;
  const fixed = tool.runs.words.filter((word) => typeof word === "string");
  return {
    ...tool,
    parameters: [wordsParameter("args", "Its options and words")],
    runs: { kind: "command", words: [...fixed, { parameter: "args" }] },
  };
}

function optionParameter({ name, joint, choices, about }: HelpOption, names: Set<string>): Parameter {
  const free = freeName(parameterNameOf(name.replace(/^-+/, "")), names);
  if (joint === undefined)
    return { name: free, description: about, schema: { type: "boolean" }, required: false, flag: name };
  return {
    ...stringParameter(free, about),
    ...(choices ? { schema: { type: "string", choices } } : {}),
    flag: `${name}${joint}{value}`,
  };
}

function operandParameter({ name, isRequired, isList }: HelpOperand, names: Set<string>): Parameter {
  const free = freeName(parameterNameOf(name.toLowerCase()), names);
  const isPath = /file|path|dir/i.test(name);
  const one: ParameterSchema = isPath ? { type: "string", format: "path" } : { type: "string" };
  return { name: free, description: "", schema: isList ? { type: "array", items: one } : one, required: isRequired };
}

function freeName(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted}_${number}`;
  names.add(name);
  return name;
}
