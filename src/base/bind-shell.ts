// A script for a shell: placeholders become references, and the values travel beside the script.
import type { ShellCommand } from "../tool/command.ts";
import type { BoundCommand } from "./bind-command.ts";
import type { Arguments } from "./bind-words.ts";
import { bindPosix } from "./bind-posix.ts";
import { bindCmd, bindPwsh } from "./bind-windows.ts";

export function bindShell(command: ShellCommand, args: Arguments): BoundCommand {
  switch (command.shell) {
    case "sh":
      return bindPosix(command, args, ["sh", "-c"]);
    case "bash":
      // No start-up files, no functions from the environment.
      return bindPosix(command, args, ["bash", "--norc", "--noprofile", "-p", "-c"]);
    case "zsh":
      return bindPosix(command, args, ["zsh", "-f", "-c"]);
    case "pwsh":
      return bindPwsh(command, args);
    case "cmd":
      return bindCmd(command, args);
  }
}
