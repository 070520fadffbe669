// A script for a shell. Placeholders become references, and the values are passed separately.
import { isWindowsShell } from "../shell/danger.ts";
import type { CommandTemplate, ShellCommand } from "../tool/command.ts";
import type { Requirement } from "../tool/definition.ts";
import { loadedPart } from "../tool/feature.ts";
import type { Arguments, BoundCommand } from "./bind-words.ts";
import { bindPosix } from "./bind-posix.ts";

declare module "../tool/feature.ts" {
  interface Parts {
    /** Puts values into a script for PowerShell or cmd.exe. A session loads it before it builds a tool that has one. */
    bindWindows(command: ShellCommand, args: Arguments): BoundCommand;
  }
}

/** Whether the command needs the part `bindWindows`. */
export function isForWindowsShell(command: CommandTemplate | undefined): boolean {
  return command?.kind === "shell" && isWindowsShell(command.shell);
}

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
    case "cmd":
      return loadedPart("bindWindows")(command, args);
  }
}

/** Requires PowerShell 7.3, since older ones drop the quotes in words for programs, so that one word becomes two. */
export function shellRequirements(command: CommandTemplate | undefined): readonly Requirement[] {
  return command?.kind === "shell" && command.shell === "pwsh" ? [{ program: "pwsh", range: ">=7.3.0" }] : [];
}
