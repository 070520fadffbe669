// A value of a call that a program may run, because nothing says that the program reads it as data.
import type { CommandTemplate } from "./command.ts";

export interface OpenValue {
  /** The value as written in the braces. */
  readonly value: string;
  readonly program: string;
  /** How the value gets there. With `file`, another part of the tool may have written it to a file before. */
  readonly by: "word" | "subcommand" | "input" | "variable" | "folder" | "file";
  /** The name of a variable. */
  readonly name?: string;
}

/** Returns the open values. A script has none: it runs programs as it is. */
export function openValuesOf(command: CommandTemplate): readonly OpenValue[] {
  return command.kind === "direct" ? (command.mayRun ?? []) : [];
}

/** Returns one sentence without a full stop. */
export function openValueText({ value, program, by, name = "" }: OpenValue): string {
  switch (by) {
    case "word":
      return `\`{${value}}\` is an argument of \`${program}\`, which may run it`;
    case "subcommand":
      return `\`{${value}}\` decides what \`${program}\` does`;
    case "input":
      return `\`{${value}}\` is what \`${program}\` reads, which may run it`;
    case "variable":
      return `\`{${value}}\` is in the variable \`${name}\` of \`${program}\`, which may run it`;
    case "folder":
      return `\`{${value}}\` is the folder of \`${program}\`, which may run files in it`;
    case "file":
      return `\`{${value}}\` may be in a file when \`${program}\` starts, which may run it`;
  }
}
