// The hidden `__complete INDEX WORD…`: prints completions for the word being typed. The scripts of `completions` call
// it.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { diagnosticCodes } from "../../../core/text/codes.ts";
import type { Command, CommandContext, RawCommand } from "../../../cli/command.ts";
import { commands, loadCommand } from "../../../cli/commands.ts";
import { shellNames } from "./completions.ts";
import { globalOption, globalOptions, readGlobalOptions } from "../../../cli/words/global-options.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { surveyTools } from "../../../core/session/listed-tool.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession, type OpenSessionOptions } from "../../../cli/session/open-session.ts";
import type { CallForm } from "../../../cli/words/tool-words.ts";
import { choicesOf } from "../../../core/schema/describe.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { stepFlagCandidates } from "../../../cli/words/step-flags.ts";
import { arrayParameter, findParameter, positionalParameters, rawParameter } from "../../../core/run/find-parameter.ts";

export const completeCommand: RawCommand = {
  kind: "raw",
  usage: ["__complete INDEX WORD…"],
  about: "Prints completions for the word being typed; the completion scripts call this.",
  options: [],
  examples: [["dottool __complete 0 li", "commands and tools that start with `li`"]],
  run: async ([index = "0", ...words], context) => {
    const before = words.slice(0, Number(index));
    const current = words[Number(index)] ?? "";
    const fitting = (await candidates(before, current, context)).filter(
      ({ value }) => value.startsWith(current) && value !== "",
    );
    context.terminal.output.write(
      fitting.map(({ value, description }) => `${value}\t${oneLine(description)}\n`).join(""),
    );
    return exitCodes.done;
  },
};

/** Removes line ends and tabs, which would split the answer, and control characters, which shells print unchanged. */
function oneLine(text: string): string {
  return printableLines(text.replaceAll(/\s+/g, " ")).slice(0, 120);
}

async function candidates(
  before: readonly string[],
  current: string,
  context: CommandContext,
): Promise<readonly Candidate[]> {
  const last = before.at(-1) ?? "";
  const head = readGlobalOptions(before);
  if ("problem" in head) return (globalOption(last)?.choices ?? []).map(plain);
  const inner: CommandContext = { terminal: context.terminal, options: head.options };
  const [name, ...own] = head.words;
  if (name === undefined)
    return current.startsWith("-")
      ? globalOptions.map(({ name, does }) => ({ value: `--${name}`, description: does }))
      : [...commandCandidates(), ...(await toolNames(inner))];
  const command = await loadCommand(name);
  if (!command) return ofTool(name, { own, current, form: "short" }, inner);
  return ofCommand(command, { name, own, current }, inner);
}

interface CommandWords {
  readonly name: string;
  readonly own: readonly string[];
  readonly current: string;
}

async function ofCommand(
  command: Command,
  { name, own, current }: CommandWords,
  context: CommandContext,
): Promise<readonly Candidate[]> {
  if (command.kind === "raw") {
    // `explain` may be followed by `run` or `call`.
    const words = own.filter((word, index) => !(index === 0 && word === "--json"));
    const isInner = name === "explain" && (words[0] === "run" || words[0] === "call");
    const form: CallForm = (isInner ? words[0] : name) === "call" ? "call" : "short";
    const [tool, ...rest] = isInner ? words.slice(1) : words;
    if (tool !== undefined) return ofTool(tool, { own: rest, current, form }, context);
  }
  const previous = command.options.find(
    (option) =>
      option.value !== undefined &&
      (own.at(-1) === `--${option.name}` || (option.short !== undefined && own.at(-1) === `-${option.short}`)),
  );
  if (previous) return previous.name === "wrap" ? toolNames(context) : (previous.choices ?? []).map(plain);
  if (current.startsWith("-")) {
    const tied = command.options.find((option) => current.startsWith(`--${option.name}=`));
    if (tied) return (tied.choices ?? []).map((choice) => plain(`--${tied.name}=${choice}`));
    return [
      ...command.options.map((option) => ({ value: `--${option.name}`, description: option.does })),
      { value: "--help", description: "help" },
    ];
  }
  switch (command.completes) {
    case "tools":
      return toolNames(context);
    case "commands":
      return [...commandCandidates(), ...(await toolNames(context))];
    case "shells":
      return shellNames.map(plain);
    case "codes":
      return diagnosticCodes.map(plain);
    case "runs":
      return runCandidates(own, context);
  }
  return [];
}

/** The actions of `runs`, and then the ids that they take. */
async function runCandidates(own: readonly string[], context: CommandContext): Promise<readonly Candidate[]> {
  const { actions, takesIds } = await import("../../runs/commands/runs.ts");
  const [action] = own;
  if (action === undefined) return actions.map(plain);
  if (!takesIds(action, own.length - 1)) return [];
  const opened = await open(context);
  const { readRun, runIds } = await import("../../runs/run-record.ts");
  const ids = opened ? runIds(opened.host) : [];
  const known = ids.flatMap((id) => {
    const read = opened && readRun(id, opened.host);
    return read && "run" in read ? [{ value: id, description: `${read.run.record.tool}, ${read.run.state}` }] : [];
  });
  return known.length === 0 ? [] : [{ value: "last", description: "the latest run" }, ...known];
}

interface WordsOfTool {
  readonly own: readonly string[];
  readonly current: string;
  readonly form: CallForm;
}

async function ofTool(name: string, words: WordsOfTool, context: CommandContext): Promise<readonly Candidate[]> {
  const opened = await open(context);
  const tool = await opened?.session.registry.resolve(name);
  return tool ? toolCandidates(tool, words) : [];
}

async function toolNames(context: CommandContext): Promise<readonly Candidate[]> {
  const opened = await open(context);
  return opened
    ? (await surveyTools(opened)).listed.map(({ name, summary, title }) => ({
        value: name,
        description: summary === "" ? title : summary,
      }))
    : [];
}

async function open(context: CommandContext, more: OpenSessionOptions = {}): Promise<OpenedSession | undefined> {
  const opened = await openSession(context, { isQuiet: true, withoutPlugins: true, ...more });
  return typeof opened === "number" ? undefined : opened;
}

function commandCandidates(): readonly Candidate[] {
  return commands().map(({ name, summary }) => ({ value: name, description: summary }));
}

function plain(value: string): Candidate {
  return { value, description: "" };
}

// Completions for the words of a tool: its parameters as options, and their choices.

interface Candidate {
  readonly value: string;
  readonly description: string;
}

interface ToolPosition {
  readonly own: readonly string[];
  readonly current: string;
  readonly form: CallForm;
}

export function toolCandidates(tool: Tool, { own, current, form }: ToolPosition): readonly Candidate[] {
  const { parameters } = tool;
  const named = own.map((word) => nameIn(word, parameters));
  const { before, optional } = positionalParameters(parameters);
  const places = [...before, ...optional].filter((parameter) => !named.includes(parameter));
  const bare = places[bareCount(own, parameters)] ?? arrayParameter(parameters);
  const raw = form === "short" ? rawParameter(parameters, own) : undefined;
  if (raw) return [...valuesOf(raw), ...(own.length === 0 && current.startsWith("-") ? [help] : [])];
  const array = arrayParameter(parameters);
  if (own.includes("--")) return array ? valuesOf(array) : [];
  const last = own.at(-1) ?? "";
  const open = last.startsWith("--") && !last.includes("=") ? findParameter(last.slice(2), parameters) : undefined;
  if (open && open.schema.type !== "boolean") return valuesOf(open);
  const tied = /^(--)?([A-Za-z_][\w-]*)=/.exec(current);
  const meant = tied?.[2] === undefined ? undefined : findParameter(tied[2], parameters);
  if (tied && meant) return valuesOf(meant).map((candidate) => ({ ...candidate, value: tied[0] + candidate.value }));
  if (!current.startsWith("-")) return bare ? valuesOf(bare) : [];
  const given = new Set(named.map((parameter) => parameter?.name));
  return [
    ...parameters
      .filter((parameter) => !parameter.hidden && (!given.has(parameter.name) || parameter.schema.type === "array"))
      .flatMap(optionsOf),
    ...(tool.definition.kind === "steps" ? stepFlagCandidates(tool).filter(({ value }) => !own.includes(value)) : []),
    help,
  ];
}

/** Returns the parameter that `--name`, `--name=value` or `name=value` sets. */
function nameIn(word: string, parameters: readonly Parameter[]): Parameter | undefined {
  if (!word.startsWith("--") && !word.includes("=")) return undefined;
  return findParameter(word.replace(/^--/, "").split("=", 1)[0] ?? "", parameters);
}

/** Counts the words that name no parameter and are not the value of an option. */
function bareCount(own: readonly string[], parameters: readonly Parameter[]): number {
  let count = 0;
  for (let index = 0; index < own.length; index++) {
    const word = own[index] ?? "";
    const parameter = nameIn(word, parameters);
    if (word.startsWith("--")) {
      if (!word.includes("=") && parameter && parameter.schema.type !== "boolean") index++;
    } else if (!parameter && !word.startsWith("-")) count++;
  }
  return count;
}

const help: Candidate = { value: "--help", description: "help on the tool" };

function optionsOf(parameter: Parameter): readonly Candidate[] {
  const { description, schema, option: name = parameter.name } = parameter;
  const option = { value: `--${name}`, description };
  return schema.type === "boolean" ? [option, { value: `--no-${name}`, description }] : [option];
}

function valuesOf({ schema, example, secret }: Parameter): readonly Candidate[] {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((value) => ({ value, description: "" }));
  return typeof example === "string" && !secret && !(schema.type === "string" && schema.format === "path")
    ? [{ value: example, description: "an example" }]
    : [];
}
