// A program as tools, from what it prints for `--help`: one for each of its commands, or one for the program.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
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
export function withWords(tool: ImportedTool): ImportedTool {
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

// Reads what a program prints for `--help`: the forms of GNU, clap, cobra, argparse and others that put one option or
// command on a line, with its description behind two blanks or on the next line.

interface HelpText {
  /** The first sentence after the usage. */
  readonly about: string;
  readonly options: readonly HelpOption[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  /** The words of the usage behind the options; undefined if no usage is known. */
  readonly operands: readonly HelpOperand[] | undefined;
}

interface HelpOption {
  /** With its dashes: the long one if there are several. */
  readonly name: string;
  /** `=` or a blank between the name and its value; absent if it takes none. */
  readonly joint?: "=" | " ";
  readonly choices?: readonly string[];
  readonly about: string;
}

interface HelpOperand {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
}

const OPTION = /^[ \t]{1,12}(-{1,2}[A-Za-z0-9?][^\n]*?)(?:[ \t]{2,}(\S.*)|[ \t]*)$/;
/** `create   Create …`, `auth:  Log in …`, `sc, scale  …`, `list-units [PATTERN...]  List …`, `show - show …`. */
const COMMAND =
  /^[ \t]{1,8}([a-z][\w-]*(?::[\w-]+)*)(?:,[ \t]*[\w-]+)*[:*]?(?:[ \t](?:\[[^\]]*\]|[A-Z][\w.|=]*))*(?:[ \t]{2,}|[ \t]-[ \t])[ \t]*(\S.*)$/;
/** `Basic Commands (Beginner):`, `CORE COMMANDS`, `The most commonly used perf commands are:`. */
const COMMANDS_HEAD = /\b(?:sub)?commands?\b.*:\s*$|^[A-Z ]*\bCOMMANDS\s*$/i;
/** What else has rows such as those of commands. */
const OTHER_HEAD = /\b(?:options?|flags?|arguments?|usage|examples?|topics?|variables?)\b/i;
const HEAD = /^\S.*:\s*$/;
const OPTIONS_MAX = 60;

function readHelp(text: string): HelpText {
  const lines = text.replaceAll("\r\n", "\n").replaceAll(ESCAPES, "").split("\n");
  const options: HelpOption[] = [];
  const commands: { name: string; about: string }[] = [];
  let isInCommands = false;
  for (const [index, line] of lines.entries()) {
    if (/^ ?\S/.test(line))
      isInCommands =
        COMMANDS_HEAD.test(line) || (isInCommands && !OTHER_HEAD.test(line) && COMMAND.test(lines[index + 1] ?? ""));
    const [, written, about = ""] = OPTION.exec(line) ?? [];
    const [, command, does = ""] = isInCommands ? (COMMAND.exec(line) ?? []) : [];
    if (command !== undefined) commands.push({ name: command, about: does });
    else if (written !== undefined && options.length < OPTIONS_MAX) {
      const option = optionOf(written, about === "" ? continued(lines, index + 1) : about);
      if (option && !options.some(({ name }) => name === option.name)) options.push(option);
    }
  }
  return { about: aboutOf(lines), options, commands, operands: operandsOf(lines) };
}

/** Colours and the overstriking of manuals. */
const ESCAPES = /\u001b\[[0-9;]*m|.\u0008/g;

function continued(lines: readonly string[], index: number): string {
  const line = lines[index] ?? "";
  return /^[ \t]{6,}[^\s-]/.test(line) ? line.trim() : "";
}

/** `-C, --directory=DIR`, `-n, --namespace string`, `--color[=WHEN]`, `--level <LEVEL>`, `-v`. */
function optionOf(written: string, about: string): HelpOption | undefined {
  const forms = written.split(/,[ \t]*|[ \t]+(?=-)|[ \t]*\|[ \t]*(?=-)/);
  const read = forms.flatMap((form) => {
    const [, name, joint = "", value] = /^(--?[A-Za-z0-9][\w-]*)(\[?=|[ \t]|(?=<))?(.*)$/.exec(form.trim()) ?? [];
    // Several words are its description.
    const isValue = /^(?:<[^>]+>|\[[^\]]+\]?|\{[^}]+\}|[\w.:|,-]+)(?:\.{3}|…)?\]?$/.test(value?.trim() ?? "");
    return name === undefined ? [] : [{ name, joint, value: isValue ? (value?.trim() ?? "") : "" }];
  });
  const named = read.find(({ name }) => name.startsWith("--")) ?? read[0];
  if (!named || /^--?(?:help|version|h|V)$/.test(named.name)) return undefined;
  const valued = read.find(({ value }) => value !== "");
  const isOptional = valued?.joint.startsWith("[") === true || /^\[.*\]$/.test(valued?.value ?? "");
  const base = { name: named.name, about: about.replaceAll(/\s+/g, " ").trim() };
  if (!valued || isOptional) return base;
  const joint = named.name.startsWith("--") && valued.joint !== " " && valued.joint !== "" ? "=" : " ";
  const [, list] = /^[<{(]?([\w.-]+(?:[|,][\w.-]+)+)[>})]?$/.exec(valued.value) ?? [];
  return { ...base, joint, ...(list === undefined ? {} : { choices: list.split(/[|,]/) }) };
}

/** Matches what is no description: a version, a usage, a row of a table, or where to read more. */
const ABOUT =
  /^(?!usage|options|commands|arguments|see |copyright|for more|run )(?!\S*_|\S+ (?:v?\d|[[<]|-\S))(?!.*(?: {2}|:\s*$|<\S+@|:\/\/|\bversion \d))[a-z]\S*(?: \S+){2}/i;

/** The first sentence that is one. */
function aboutOf(lines: readonly string[]): string {
  const at = lines.findIndex((line) => ABOUT.test(line));
  if (at === -1) return "";
  const end = lines.findIndex((line, index) => index > at && (!/^\S/.test(line) || HEAD.test(line)));
  const paragraph = lines.slice(at, end === -1 ? undefined : end).join(" ");
  return (/^.*?[.!](?= |$)/.exec(paragraph)?.[0] ?? paragraph).trim();
}

function operandsOf(lines: readonly string[]): readonly HelpOperand[] | undefined {
  const at = lines.findIndex((line) => /^\s*usage:?/i.test(line));
  if (at === -1) return undefined;
  const usage = (lines[at] ?? "").replace(/^\s*usage:?\s*/i, "").trim() || (lines[at + 1] ?? "").trim();
  const words = usage.match(/\[[^\]]*\](?:\.{3}|…)?|<[^>]*>(?:\.{3}|…)?|\S+/g) ?? [];
  const operands = words.slice(1).flatMap((word): readonly HelpOperand[] => {
    const isList = /\.{3}|…/.test(word);
    const name = word.replaceAll(/\.{3}|…|[[\]<>]/g, "").trim();
    const isOperand = /^[A-Z][A-Z0-9_-]*$/.test(name) || (/^<|^\[</.test(word) && /^[\w -]+$/.test(name));
    if (!isOperand || /^(?:options?|flags?|command|subcommand|args?)$/i.test(name)) return [];
    return [{ name: name.replaceAll(/\s+/g, "_"), isRequired: !word.startsWith("["), isList }];
  });
  return operands;
}
