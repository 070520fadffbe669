// The programs that the commands of a definition run, as far as its text names them.
import type { CommandTemplate } from "../../core/tool/command.ts";
import { commandsOf, type ToolDefinition } from "../../core/tool/definition.ts";
import type { Host } from "../../core/tool/host.ts";
import { ranCommands } from "./ran-commands.ts";

export function programsOf(
  definition: ToolDefinition,
  options: { readonly host: Host; readonly cwd: string },
): readonly string[] {
  const wrapped = definition.kind === "steps" ? pythonOf(definition) : [];
  return [...commandsOf(definition).flatMap((command) => programsIn(command, options)), ...wrapped];
}

function pythonOf(definition: ToolDefinition & { readonly kind: "steps" }): readonly string[] {
  const isPython = definition.steps.some(({ action }) => action.kind === "code" && action.language === "python");
  return isPython ? ["python3"] : [];
}

/** Returns the programs that the command starts by their names, also those of a script of sh. */
export function programsIn(
  command: CommandTemplate,
  options: { readonly host: Host; readonly cwd: string },
): readonly string[] {
  if (command.kind === "direct") {
    const [program] = command.words;
    return program ? [program.parts.filter((part) => typeof part === "string").join("")] : [];
  }
  const text = command.parts.map((part) => (typeof part === "string" ? part : "value")).join("");
  const isPosix = command.shell === "sh" || command.shell === "bash" || command.shell === "zsh";
  const inner = isPosix ? ranCommands(text, options).commands.map(({ name }) => name.split(" ", 1)[0] ?? "") : [];
  return [command.shell, ...inner.filter((name) => name !== "" && name !== "value")];
}
