// A script for a shell. Placeholders become references, and the values are passed separately.
import type { CommandTemplate, ShellCommand } from "../tool/command.ts";
import type { Requirement } from "../tool/definition.ts";
import type { Arguments, BoundCommand } from "./bind-words.ts";
import { bindPosix } from "./bind-posix.ts";
import { bindCmd, bindPwsh } from "./bind-windows.ts";

export function bindShell(command: ShellCommand, args: Arguments): BoundCommand {
  switch (command.shell) {
    case "sh":
      return bindPosix(command, args, ["sh", "-c"]);
    case "bash":
      // No start-up files are read, and no functions come from the environment.
      return bindPosix(command, args, ["bash", "--norc", "--noprofile", "-p", "-c"]);
    case "zsh":
      return bindPosix(command, args, ["zsh", "-f", "-c"]);
    case "pwsh":
      return bindPwsh(command, args);
    case "cmd":
      return bindCmd(command, args);
  }
}

/** Requires PowerShell 7.3, since older ones drop the quotes in words for programs, so that one word becomes two. */
export function shellRequirements(command: CommandTemplate | undefined): readonly Requirement[] {
  return command?.kind === "shell" && command.shell === "pwsh" ? [{ program: "pwsh", range: ">=7.3.0" }] : [];
}
