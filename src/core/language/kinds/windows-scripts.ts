// Scripts for PowerShell and cmd.exe, which features/windows-shells reads.
import { isWindowsShell } from "../../shell/danger.ts";
import type { ReadScript } from "../../shell/pieces.ts";
import { scanScript } from "../../shell/scan.ts";
import type { Checked } from "../../text/diagnostic.ts";
import type { Shell, ShellCommand, WindowsShell } from "../../tool/command.ts";
import { hasPart, loadedPart } from "../../tool/feature.ts";
import { type CommandSource, commandProblem } from "./command-problems.ts";

export interface WindowsScripts {
  parse(source: CommandSource, shell: WindowsShell): Checked<ShellCommand>;
  read(text: string, shell: WindowsShell): ReadScript;
}

declare module "../../tool/feature.ts" {
  interface Parts {
    /** Must be loaded before definitions are analyzed. */
    windowsScripts: WindowsScripts;
  }
}

export function parseWindowsCommand(source: CommandSource, shell: WindowsShell): Checked<ShellCommand> {
  if (hasPart("windowsScripts")) return loadedPart("windowsScripts").parse(source, shell);
  const message = "this program was built without what reads scripts for PowerShell and cmd.exe";
  const help = ["use `dottool` itself, which reads them", "or write the command for another shell"];
  const end = source.text.text.length;
  return { diagnostics: [commandProblem(source, "unsupported-yet", { message, start: 0, end, help })] };
}

/** Reads a script in the form that the judges read, whatever its shell. */
export function readScript(text: string, shell: Shell): ReadScript {
  if (!isWindowsShell(shell)) return scanScript(text, { knowsTests: shell !== "sh" });
  if (hasPart("windowsScripts")) return loadedPart("windowsScripts").read(text, shell);
  return { commands: [], feedsInput: false, regions: [], shell };
}
