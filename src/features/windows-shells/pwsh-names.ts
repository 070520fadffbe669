// Names in PowerShell: of variables, which the judges know in one form only, and of cmdlets, which are recognized by
// their verbs.
import { rulesOf, programName } from "../../core/shell/programs.ts";

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

/** The verbs of cmdlets. Sources: "Approved Verbs for PowerShell Commands", and PowerShell's own cmdlets. */
const verbs = [
  "add approve assert backup block build checkpoint clear close compare complete compress confirm connect",
  "convert convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable enter exit",
  "expand export find foreach format get grant group hide import initialize install invoke join limit lock",
  "measure merge mount move new open optimize out ping pop protect publish push read receive redo register",
  "remove rename repair request reset resize resolve restart restore resume revoke save search select send set",
  "show skip sort split start step stop submit suspend switch sync tee test trace unblock undo uninstall unlock",
  "unprotect unpublish unregister update use wait watch where write",
].join(" ");
/** Aliases that PowerShell has on every system and that do not start programs. Source: about_Aliases. */
const aliases = [
  "% ? ac chdir cli clv copy cpi cvpa dbp del dir ebp echo epal epcsv erase etsn exsn fc fhx fl foreach ft fw",
  "gal gbp gc gci gcm gcs gdr gerr ghy gi gin gjb gl gm gmo gp gps group gsn gu gv h iex ihy icm ii ipal ipcsv",
  "ipmo irm iwr measure md mi move mp nal ndr ni nmo nsn nv oh pushd popd rbp rcjb rcsn rd rdr ren ri rjb rmo",
  "rni rnp rp rsn rv rvpa sajb sal saps sasv sbp select set si sl sls sp spjb spps start sv type where wjb",
].join(" ");

let lazyCmdlet: RegExp | undefined;
let lazyAliases: ReadonlySet<string> | undefined;

/**
 * Whether the command is a cmdlet. A variable's value is never a parameter of a cmdlet, but a program gets it as a
 * word.
 */
export function isCmdlet(name: string): boolean {
  lazyCmdlet ??= new RegExp(`^(?:[\\w.]+\\\\)?(?:${verbs.replaceAll(" ", "|")})-[A-Za-z]\\w*$`, "i");
  lazyAliases ??= new Set(aliases.split(" "));
  if (lazyAliases.has(name.toLowerCase())) return true;
  return lazyCmdlet.test(name) && rulesOf(programName(name)).length === 0;
}
