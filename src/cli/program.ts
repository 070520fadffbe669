// Runs the command that the first word names: loads only its file, reads its words, prints its help.
import { exitCodes } from "../core/run/exit-code.ts";
import { type Command, type CommandContext, reportUsage } from "./command.ts";
import type { CommandWords } from "./words/command-words.ts";
import { commandRow, commandRows, loadCommand } from "./commands.ts";
import { isHelp } from "./words/option-words.ts";

/** Runs a command and returns the exit code. `words` start with its name. */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<number> {
  const exitCode = await runCommand(words, context);
  const [name = "help", ...own] = words;
  // A tool of that name is what was meant, perhaps.
  if (exitCode === exitCodes.usage || exitCode === exitCodes.denied)
    await (await import("./words/namesake.ts")).nameNamesake(name, own, context);
  return exitCode;
}

async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = "help", ...own] = words;
  const command = await loadCommand(name);
  if (!command) return reportUsage(context.terminal, `unknown command \`${name}\``);
  const { trace, detaches, isConfirmed } = context.options;
  const given = [trace !== undefined && "--trace", detaches && "--detach", isConfirmed && "--yes"];
  const unfit = unfitOption(name, given);
  if (unfit !== undefined) return reportUsage(context.terminal, unfit);
  const read = await readWords(name, command, own);
  if (read === "help") {
    await (await import("./view/command-help.ts")).writeCommandHelp(context.terminal.output, command);
    return exitCodes.done;
  }
  if ("problem" in read) return reportUsage(context.terminal, unfitOption(name, own) ?? read.problem, name);
  if (command.kind === "raw") return command.run(own, context);
  if (command.completes !== "tools" || command.takesFiles || read.input.words.length === 0)
    return command.run(read.input, context);
  const named = await (await import("./words/find-tools.ts")).withNamesOfFiles(read.input, context);
  return command.run(named.input, named.context);
}

/** Says which of these options the command does not take, before or behind its name. */
function unfitOption(name: string, given: readonly unknown[]): string | undefined {
  const { traces, detaches, withoutYes } = commandRow(name) ?? {};
  if (given.includes("--trace") && !traces)
    return `\`--trace\` works with ${commandsWith("traces")}, not with \`${name}\``;
  if (given.includes("--detach") && !detaches)
    return `\`--detach\` works with a tool, ${commandsWith("detaches")}, not with \`${name}\``;
  if (given.includes("--yes") && withoutYes !== undefined)
    return `\`--yes\` does not answer \`${name}\`: ${withoutYes}`;
  return undefined;
}

async function readWords(name: string, command: Command, words: readonly string[]): Promise<CommandWords> {
  if (command.kind === "raw") return isHelp(words) ? "help" : noWords;
  if (words.length === 0 && command.words[0] === 0) return noWords;
  return (await import("./words/command-words.ts")).readCommandWords(name, command, words);
}

/** Used if there are no words, because the reader of words takes 1 ms to load. */
const noWords: CommandWords = { input: { words: [], has: () => false, value: () => undefined, values: () => [] } };

/** Returns the names of the commands with a trait, but for `help`, which takes every option and ignores it. */
function commandsWith(trait: "traces" | "detaches"): string {
  const names = commandRows()
    .filter((row) => row[trait] && row.name !== "help")
    .map(({ name }) => `\`${name}\``);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
