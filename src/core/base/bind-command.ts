// A wrap of `run_command`: turns the arguments of a call into the words of a process, or says why that is not possible.
import type { JsonObject } from "../schema/json.ts";
import type { Interaction } from "../tool/definition.ts";
import type { Template } from "../tool/template.ts";
import type { CommandBinding, Wrap } from "../tool/tool.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { bindShell } from "./bind-shell.ts";
import { filledTemplate, valueWords } from "./bind-value.ts";
import {
  type Arguments,
  type BoundCommand,
  type BoundWord,
  bindWords,
  dashIssue,
  dashIssues,
  fileIssues,
} from "./bind-words.ts";
import { Buffer } from "node:buffer";

export const commandWrap: Wrap = {
  programParameters: ["command", "argv", "env", "stdin"],

  check(binding, args) {
    const bound = boundCommand(binding, args);
    return [
      ...bound.issues,
      ...variableIssues(binding, args),
      ...sizeIssues([...bound.words, ...Object.values(bound.environment)]),
    ];
  },

  /** `run_command`'s `argv`, and what else the definition declares: `stdin`, `env`, `working_dir`, `inherit_env`. */
  bind(binding, args) {
    const { surroundings } = binding;
    const bound = boundCommand(binding, args);
    const stdin = filledTemplate(surroundings.stdin, args);
    const folder = folderText(surroundings.cwd, args);
    const environment: Record<string, string> = {};
    for (const { name, value } of surroundings.environment) {
      const text = filledTemplate(value, args);
      if (text !== undefined) environment[name] = text;
    }
    for (const [name, { text }] of Object.entries(bound.environment)) environment[name] = text;
    return {
      argv: bound.words.map((word) => word.text),
      ...(stdin === undefined ? {} : { stdin }),
      ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
      ...(folder === undefined ? {} : { working_dir: folder }),
      ...(surroundings.inheritsEnvironment ? { inherit_env: true } : {}),
      ...(surroundings.isolatesEnvironment ? { inherit_env: false } : {}),
      ...environmentNeeds(binding),
      ...(surroundings.passed ? { pass_env: surroundings.passed } : {}),
      ...(surroundings.interaction ? { interactive: interactiveArgument(surroundings.interaction) } : {}),
    };
  },
};

/** What the definition passes on is no surprise if it is unset, unless that does harm. */
function environmentNeeds({ command: { needs }, surroundings }: CommandBinding): JsonObject {
  const { programs = [], reads = [], harms = [] } = needs ?? {};
  const { environment, passed = [], secrets = [] } = surroundings;
  const set = new Set([...environment.map(({ name }) => name), ...secrets.map(({ variable }) => variable)]);
  const unset = reads.filter((name) => !set.has(name));
  const read = unset.filter((name) => !passed.includes(name) && !harms.includes(name));
  const filled = unset.filter((name) => harms.includes(name));
  return {
    ...(programs.length === 0 ? {} : { program_env: programs }),
    ...(read.length === 0 ? {} : { read_env: read }),
    ...(filled.length === 0 ? {} : { filled_env: filled }),
  };
}

/** Returns the issues of variables that the command passes to a program as a word. */
function variableIssues({ surroundings, parameters }: CommandBinding, args: JsonObject): readonly ArgumentIssue[] {
  return surroundings.environment.flatMap(({ value, reader }) => {
    const [first] = value.parts;
    const parameter = typeof first === "object" ? parameters.find(({ name }) => name === first.placeholder) : undefined;
    const text = reader && parameter ? filledTemplate(value, args) : undefined;
    const [word] = text?.startsWith("-") && parameter ? valueWords(parameter, args) : [];
    return word && !word.mayStartWithDash && text ? [dashIssue({ ...word, text }, reader)] : [];
  });
}

/** Returns the folder. `~` is home if the author writes it; in a value it is a name like any other. */
function folderText(template: Template | undefined, args: JsonObject): string | undefined {
  const text = filledTemplate(template, args);
  return text?.startsWith("~") && typeof template?.parts[0] !== "string" ? `./${text}` : text;
}

function interactiveArgument({ timeoutMs, defaultResponse }: Interaction): JsonObject {
  return {
    ...(timeoutMs === undefined ? {} : { timeout_s: timeoutMs / 1000 }),
    ...(defaultResponse === undefined ? {} : { default: defaultResponse }),
  };
}

function boundCommand(binding: CommandBinding, values: JsonObject): BoundCommand {
  const args: Arguments = {
    parameters: new Map(binding.parameters.map((parameter) => [parameter.name, parameter])),
    values,
  };
  const { command } = binding;
  if (command.kind === "shell") return bindShell(command, args);
  const words = bindWords(command.words, args);
  const places = command.words.flatMap(({ parts }) => parts.filter((part) => typeof part !== "string"));
  return { words, environment: {}, issues: [...dashIssues(words, words[0]?.text ?? ""), ...fileIssues(places, args)] };
}

/** The limit of a word on Linux: MAX_ARG_STRLEN is 32 pages of 4 KiB, with the NUL at the end. */
const WORD_BYTES_MAX = 131_071;
/** The limit of words and environment together on Linux: a quarter of the stack limit, which is 8 MiB by default. */
const WORDS_BYTES_MAX = 1_572_864;
/** Each word also costs a NUL and a pointer. */
const WORD_COST_BYTES = 9;

const ADVICE = "pass long text through standard input";

function sizeIssues(words: readonly BoundWord[]): readonly ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  let totalBytes = 0;
  let largest: { readonly bytes: number; readonly path: string } = { bytes: 0, path: "" };
  for (const word of words) {
    const bytes = byteLength(word.text);
    const path = word.paths[0] ?? "";
    totalBytes += bytes + WORD_COST_BYTES;
    if (path !== "" && bytes > largest.bytes) largest = { bytes, path };
    if (bytes > WORD_BYTES_MAX)
      issues.push({
        path,
        message: `makes an argument of ${count(bytes)} bytes, and a program accepts at most ${count(WORD_BYTES_MAX)}; ${ADVICE}`,
      });
  }
  if (issues.length === 0 && totalBytes > WORDS_BYTES_MAX) {
    const message = `makes the command ${count(totalBytes)} bytes long, and the limit is ${count(WORDS_BYTES_MAX)}; ${ADVICE}`;
    issues.push({ path: largest.path.replace(/\[.*/, ""), message });
  }
  return issues;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function count(bytes: number): string {
  return bytes.toLocaleString("en");
}
