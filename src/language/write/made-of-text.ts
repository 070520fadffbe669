// The lines of a `.tool` file for what a tool is made of: another tool, commands, steps or code, and what surrounds
// them.
import type { PlatformCommand } from "../../tool/command.ts";
import type {
  AliasDefinition,
  CodeDefinition,
  DefinitionHead,
  Interaction,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  WrappedDefinition,
} from "../../tool/definition.ts";
import { allowanceText } from "../fields/allowances.ts";
import { CannotWrite } from "./cannot-write.ts";
import { commandSource, templateText } from "./command-text.ts";
import { durationText, indented } from "./quantity-text.ts";
import { cleanupLines, outputLines, stepLines } from "./steps-text.ts";
import { line, type Lines, linesOf, optionalLine } from "./tool-lines.ts";

export function madeOfLines(definition: ToolDefinition): readonly string[] {
  switch (definition.kind) {
    case "base":
      throw new CannotWrite("a tool that is made in TypeScript");
    case "alias":
      return linesOf(aliasLines, definition);
    case "wrapped":
      return linesOf(wrapLines, definition);
    case "steps":
      return linesOf(stepsLines, definition);
    case "code":
      return linesOf(codeLines, definition);
  }
}

/** The fields of a definition that not every definition has. */
type Own<Definition> = Exclude<keyof Definition, keyof DefinitionHead | "kind">;

const aliasLines: Lines<AliasDefinition, Own<AliasDefinition>> = {
  base: ({ base }) => [line("wrapped", base.value)],
  defaults: defaultLines,
};

const wrapLines: Lines<WrappedDefinition, Own<WrappedDefinition>> = {
  base: ({ base }) => [line("wrapped", base.value)],
  commands: ({ commands }) => commands.flatMap(commandLines),
  presets: ({ presets }) => presets.map(({ parameter, text }) => line("with", `${parameter.value} = ${text.value}`)),
  defaults: defaultLines,
  surroundings: ({ surroundings }) => linesOf(surroundingLines, surroundings),
  fallback: ({ fallback }) => (fallback ? [line("fallback", commandSource(fallback))] : []),
  ignoreErrors: ignoreLines,
};

const stepsLines: Lines<StepsDefinition, Own<StepsDefinition>> = {
  surroundings: ({ surroundings }) => linesOf(surroundingLines, surroundings),
  ignoreErrors: ignoreLines,
  steps: stepLines,
  cleanup: cleanupLines,
  output: outputLines,
};

const codeLines: Lines<CodeDefinition, Own<CodeDefinition>> = {
  allows: ({ allows = [] }) => allows.map((allowance) => line("allow", allowanceText(allowance))),
  code: ({ code }) => [`@code\n${indented(code.value)}`],
};

const surroundingLines: Lines<Surroundings> = {
  cwd: ({ cwd }) => optionalLine("cwd", cwd && templateText(cwd)),
  environment: ({ environment }) => environment.map(({ name, value }) => line("env", `${name}=${templateText(value)}`)),
  secrets: ({ secrets = [] }) => secrets.map(({ variable, secret }) => line("env", `${variable}=secret:${secret}`)),
  passed: ({ passed = [] }) => passed.map((name) => line("env", name)),
  inheritsEnvironment: ({ inheritsEnvironment }) => (inheritsEnvironment ? ["@env-inherit yes"] : []),
  stdin: ({ stdin }) => (stdin ? [stdinText(templateText(stdin))] : []),
  interaction: ({ interaction }) => (interaction ? [interactiveText(interaction)] : []),
};

function ignoreLines({ ignoreErrors }: Pick<WrappedDefinition, "ignoreErrors">): readonly string[] {
  return ignoreErrors ? ["@ignore-errors"] : [];
}

function defaultLines({ defaults }: Pick<WrappedDefinition, "defaults">): readonly string[] {
  return defaults.map(({ parameter, value }) => line("default", `${parameter.value} = ${defaultText(value.value)}`));
}

function defaultText(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && value === value.trim() && !/^["[{]|[\n\r]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function commandLines({ platform, command }: PlatformCommand): readonly string[] {
  const at = platform === undefined ? "" : `(${platform})`;
  const text = commandSource(command);
  if (command.kind === "direct")
    return [platform === undefined ? "" : `@shell${at} none`, line(`command${at}`, text)].filter(
      (one) => one !== "" && (platform !== undefined || one.startsWith("@command")),
    );
  return [
    `@shell${at} ${command.shell}`,
    text.includes("\n") ? `@script${at}\n${indented(text)}` : line(`command${at}`, text),
  ];
}

function interactiveText({ timeoutMs, defaultResponse }: Interaction): string {
  const answer = defaultResponse === "" ? '""' : (defaultResponse ?? "");
  if (answer.trim() !== answer || answer.startsWith("timeout=") || defaultResponse === '""')
    throw new CannotWrite("a default response like this in `@interactive`");
  return line(
    "interactive",
    [timeoutMs === undefined ? "" : `timeout=${durationText(timeoutMs)}`, answer]
      .filter((part) => part !== "")
      .join(" "),
  ).trimEnd();
}

function stdinText(text: string): string {
  return text.includes("\n") ? `@stdin\n${indented(text)}` : line("stdin", text);
}
