// `@command` and `@script`: from text to words, or to a script with the places of values. A value never becomes program text,
// so a place where it could is refused here, when the definition is read.
import type { Checked } from "../text/diagnostic.ts";
import type { CommandTemplate, Shell } from "../tool/command.ts";
import type { Declaration, MappedText } from "./ast.ts";
import { parseDirectCommand } from "./command-direct.ts";
import { type CommandSource, commandProblem } from "./command-problems.ts";

/** A longer script fits no command line: one word may have 128 KiB, and values are part of it. */
export const COMMAND_CHARACTERS_MAX = 65_536;

export function parseCommand(body: MappedText, shell: Shell | "none", parameters: readonly Declaration[]): Checked<CommandTemplate> {
  const source: CommandSource = { text: body, declarations: parameters };
  const { text } = body;
  const end = text.length;
  if (end > COMMAND_CHARACTERS_MAX) {
    const message = `a command may have ${COMMAND_CHARACTERS_MAX.toLocaleString("en")} characters, and this one has ${end.toLocaleString("en")}`;
    return { diagnostics: [commandProblem("too-large", source, message, { start: 0, end: 1, help: ["put the script in a file and run that"] })] };
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) return { diagnostics: [commandProblem("not-text", source, "a NUL character cannot be passed to a program", { start: nul, end: nul + 1 })] };
  return parseDirectCommand(source);
}
