// Names in PowerShell and cmd.exe: of variables, which the judges know in one form only, and of cmdlets.
import { programName, rulesOf } from "../../core/shell/programs.ts";
import { windowsNames } from "../../generated/windows-names.ts";

/** Matches a scope. `using` refers to the variable from within a block that runs elsewhere. Source: about_Scopes. */
const SCOPE = /^(?:global|local|private|script|using|variable|workflow):/i;
/** Variables that hold input from the pipeline, the caller or the last match. Source: about_Automatic_Variables. */
const FROM_ELSEWHERE =
  /^(?:_|psitem|args|input|matches|this|event|eventargs|sender|error|foreach|switch|psboundparameters|\d+)$/;

/**
 * Returns the name of a variable in lower case, which PowerShell does not distinguish. Environment variables are in
 * upper case, the input of a block is `_`, and variables of `function:` and `alias:` keep their drive.
 */
export function variableName(written: string): string {
  const name = written.replace(SCOPE, "");
  const [, drive, rest = ""] = /^([A-Za-z]\w*):(.*)$/s.exec(name) ?? [];
  if (drive === undefined) return FROM_ELSEWHERE.test(name.toLowerCase()) ? "_" : plain(name.toLowerCase());
  if (drive.toLowerCase() === "env") return environmentName(rest);
  return /^(?:function|alias)$/i.test(drive) ? `${drive.toLowerCase()}__${plain(rest.toLowerCase())}` : "_";
}

/** Returns the name in upper case: Windows does not distinguish `Path` from `PATH`. */
export function environmentName(written: string): string {
  return plain(written.toUpperCase());
}

/** Reduces a name to letters, digits and `_`, as the judges have it. */
function plain(name: string): string {
  const made = name.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return /^\d|^$/.test(made) ? `_${made}` : made;
}

let lazyCmdlet: RegExp | undefined;

/**
 * Whether the command is a cmdlet. A variable's value is never a parameter of a cmdlet, but a program gets it as a
 * word.
 */
export function isCmdlet(name: string): boolean {
  lazyCmdlet ??= new RegExp(`^(?:[\\w.]+\\\\)?(?:${windowsNames.verbs.replaceAll(" ", "|")})-[A-Za-z]\\w*$`, "i");
  if (windowsNames.aliases.split(" ").includes(name.toLowerCase())) return true;
  return lazyCmdlet.test(name) && rulesOf(programName(name)).length === 0;
}
