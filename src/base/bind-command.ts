// A wrap of `run_command`: turns the arguments of a call into the words of a process, or says why that is not possible.
import type { JsonObject } from "../schema/json.ts";
import type { Interaction } from "../tool/definition.ts";
import type { Template } from "../tool/template.ts";
import type { CommandBinding, Wrap } from "../tool/tool.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { bindShell } from "./bind-shell.ts";
import { sizeIssues } from "./bind-size.ts";
import { filledText, valueWords } from "./bind-value.ts";
import {
  type Arguments,
  type BoundCommand,
  type BoundWord,
  bindWords,
  dashIssue,
  dashIssues,
  fileIssues,
} from "./bind-words.ts";

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
    const stdin = filledText(surroundings.stdin, args);
    const folder = folderText(surroundings.cwd, args);
    const environment: Record<string, string> = {};
    for (const { name, value } of surroundings.environment) {
      const text = filledText(value, args);
      if (text !== undefined) environment[name] = text;
    }
    for (const [name, { text }] of Object.entries(bound.environment)) environment[name] = text;
    return {
      argv: bound.words.map((word) => word.text),
      ...(stdin === undefined ? {} : { stdin }),
      ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
      ...(folder === undefined ? {} : { working_dir: folder }),
      ...(surroundings.inheritsEnvironment ? { inherit_env: true } : {}),
      ...(surroundings.passed ? { pass_env: surroundings.passed } : {}),
      ...(surroundings.interaction ? { interactive: interactiveArgument(surroundings.interaction) } : {}),
    };
  },
};

/** Returns the issues of variables that the command passes to a program as a word. */
function variableIssues({ surroundings, parameters }: CommandBinding, args: JsonObject): readonly ArgumentIssue[] {
  return surroundings.environment.flatMap(({ value, reader }) => {
    const [first] = value.parts;
    const parameter = typeof first === "object" ? parameters.find(({ name }) => name === first.placeholder) : undefined;
    const text = reader && parameter ? filledText(value, args) : undefined;
    const [word] = text?.startsWith("-") && parameter ? valueWords(parameter, args) : [];
    return word && !word.mayStartWithDash && text ? [dashIssue({ ...word, text }, reader)] : [];
  });
}

/** Returns the folder. `~` is home if the author writes it; in a value it is a name like any other. */
function folderText(template: Template | undefined, args: JsonObject): string | undefined {
  const text = filledText(template, args);
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
