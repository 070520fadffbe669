// Names in PowerShell and cmd.exe: of variables, which the judges know in one form only, and of cmdlets.
import { programName, rulesOf } from "../../core/shell/programs.ts";
import type { WindowsShell } from "../../core/tool/command.ts";
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

/** Returns the name of the variable that holds what a function returns. */
export function functionName(written: string): string {
  return `function__${plain(written.replace(SCOPE, "").toLowerCase())}`;
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
  lazyCmdlet ??= new RegExp(`^(?:${windowsNames.verbs.replaceAll(" ", "|")})-[A-Za-z]\\w*$`, "i");
  if (windowsNames.aliases.split(" ").includes(name.toLowerCase())) return true;
  return lazyCmdlet.test(name) && rulesOf(programName(name)).length === 0;
}

/** Returns the name of a cmdlet without the `MODULE\` before it. */
export function withoutModule(written: string): string {
  const name = written.replace(/^[\w.-]+\\/, "");
  return name.includes("-") && isCmdlet(name) ? name : written;
}

let lazySlash: ReadonlyMap<WindowsShell, ReadonlySet<string>> | undefined;

/** Whether the program takes words with a leading `/` as options. */
export function takesSlashOptions(program: string, shell: WindowsShell): boolean {
  const { slash, "slash-in-cmd": inCmd } = windowsNames;
  lazySlash ??= new Map([
    ["pwsh", new Set(slash.split(" "))],
    ["cmd", new Set([slash, inCmd].join(" ").split(" "))],
  ]);
  const name = program
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  return lazySlash.get(shell)?.has(name) === true;
}

export const READS_FILES = /^(?:get-content|gc|cat|type|import-\w+|ip\w{2,4}|read-host)$/i;
export const WRITES_FILES = /^(?:set-content|add-content|out-file|ac|tee-object|tee)$/i;
/** Cmdlets that change what later names mean. */
const NAMES = /^(?:(?:set|new|clear|import)-(?:alias|variable)|[sn]al|ipal|[sn]v|clv)$/i;
const CHANGES_ITEMS = /^(?:(?:set|new|copy|move|rename|add)-(?:item|content)|[sn]i|cpi?|copy|mi?|move|mv|rni|ren|ac)$/i;
/** Drives whose items are variables, functions and aliases. */
const DRIVE = /^(?:env|function|alias|variable):/i;
/** Parameters whose variable gets the output of the command. Sources: about_CommonParameters, `Tee-Object`. */
const OUTPUT_VARIABLE = /^-(?:out|pipeline|error|information|warning)v/i;
const OF_CMDLETS = /^-(?:[opeiw]v|variable)(?=$|:)/i;
const RUNS_BLOCKS = /^(?:invoke-command|icm)$/i;
/**
 * Matches parameters that run a block elsewhere, where it does not see the environment of this process. Source:
 * about_Remote_Variables.
 */
const ELSEWHERE = /^-(?:cn|comp\w*|conn\w*|conta\w*|host\w*|session|sshc\w*|vm(?:name|id)):?$/i;

/** Returns what a command changes that is not followed: what later names mean, or where a block runs. */
export function notFollowed(program: string, words: readonly string[]): string | undefined {
  if (NAMES.test(program)) return program;
  const patterns = [
    OUTPUT_VARIABLE,
    ...(program !== "" && isCmdlet(program) ? [OF_CMDLETS] : []),
    ...(CHANGES_ITEMS.test(program) ? [DRIVE] : []),
    ...(RUNS_BLOCKS.test(program) ? [ELSEWHERE] : []),
  ];
  const found = patterns.flatMap((pattern) => words.filter((word) => pattern.test(word)));
  return found.length > 0 ? `${program} ${found[0] ?? ""}`.trim() : undefined;
}
