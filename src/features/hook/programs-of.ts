// The programs that the commands of a definition run, as far as its text names them.
import { commandLine } from "../../core/base/quote.ts";
import { scanScript } from "../../core/shell/scan.ts";
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

/** Returns the programs that the command starts by their names, also those behind wrappers and in scripts of shells. */
export function programsIn(
  command: CommandTemplate,
  options: { readonly host: Host; readonly cwd: string },
): readonly string[] {
  const isDirect = command.kind === "direct";
  const shell = isDirect ? [] : [command.shell];
  if (!isDirect && command.shell !== "sh" && command.shell !== "bash" && command.shell !== "zsh") return shell;
  const text = isDirect ? commandLine(command.words.map(({ parts }) => textOf(parts))) : textOf(command.parts);
  const ran = ranCommands(text, options).commands.map(({ program }) => program.replace(SYSTEM_FOLDER, ""));
  const { functions } = scanScript(text, { knowsTests: true });
  const isProgram = (word: string): boolean =>
    word !== "" && !word.includes(VALUE) && !KEYWORDS.has(word) && functions?.has(word) !== true;
  return [...shell, ...ran.filter(isProgram)];
}

/** Stands for a value. */
const VALUE = "VALUE_";
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\//;
/** The scanner reads what begins with them as commands too. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac in select function time coproc ! { } [[ ((".split(" "),
);

function textOf(parts: readonly unknown[]): string {
  return parts.map((part) => (typeof part === "string" ? part : VALUE)).join("");
}
