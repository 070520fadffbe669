// Cmdlets, methods and types of PowerShell that read text as a program or start one. A parameter may be shortened, in
// any case. `::name` is a method of any object, and `[type]::name` one of a type, written without its namespace.
// Sources: the cmdlets' pages in the documentation of PowerShell and of Windows PowerShell 5.1, and .NET's API
// reference.
import { EVERY, type ProgramRule } from "./rule.ts";

const first = { from: 0, to: 1 };
const all = { from: 0, to: EVERY };
const blockHelp = "write a block, `{ … }`, and pass the value with `-ArgumentList`";
const callHelp = "call the program directly with `&`: `& PROGRAM {name}`";
const nameHelp = "write out the name, or declare choices for the parameter";
const loadHelp = "write out the file name: the file is run";
const cmdlet = (names: string, rule: Omit<ProgramRule, "names" | "style" | "permutes">): ProgramRule => ({
  names,
  style: "prefix",
  permutes: true,
  ...rule,
});
const method = (names: string, help: string, rule: Partial<ProgramRule> = {}): ProgramRule => ({
  names,
  text: all,
  help,
  ...rule,
});

const runKeys =
  /\\run(?:once|services)?\b|\\winlogon\b|\\image file execution options\b|\\command processor\b|\\shell\\open\\command|\\services\\|\\inprocserver32|\\localserver32|\\environment$/i;

export const cmdlets: readonly ProgramRule[] = [
  cmdlet("invoke-expression iex", {
    code: "-command",
    text: first,
    readsInput: { operands: 0 },
    help: "call the command directly, with the value as an argument: `Get-Item -Path {name}`, `& PROGRAM {name}`",
  }),
  cmdlet("invoke-command icm", {
    plain:
      "-asjob -indisconnectedsession -hidecomputername -nonewscope -usessl -remotedebug -enablenetworkaccess -runasadministrator -sshtransport",
    value:
      "-computername -hostname -session -credential -argumentlist -args -filepath -port -configurationname -applicationname -connectionuri -throttlelimit -jobname -sessionname -sessionoption -authentication -certificatethumbprint -vmname -vmid -containerid -username -keyfilepath -subsystem -connectingtimeout -inputobject -options",
    code: "-scriptblock -command",
    text: { ...first, without: "-scriptblock -command -filepath" },
    help: blockHelp,
  }),
  cmdlet("start-job start-threadjob sajb", {
    plain: "-runas32",
    value:
      "-name -argumentlist -args -filepath -inputobject -credential -authentication -psversion -workingdirectory -throttlelimit -streaminghost -type -literalpath",
    code: "-scriptblock -command -initializationscript -definitionname -definitionpath",
    text: { ...first, without: "-scriptblock -command -filepath" },
    help: blockHelp,
  }),
  cmdlet("foreach-object % foreach", {
    plain: "-asjob",
    value: "-inputobject -throttlelimit -timeoutseconds -argumentlist -args",
    code: "-process -begin -end -parallel -remainingscripts -membername",
    text: first,
    note: "PowerShell calls the member with this name",
    help: "write a block, `{ … }`, or write out the member's name",
  }),
  cmdlet("measure-command trace-command new-module", {
    value: "-inputobject -name -option -filepath -argumentlist -function -cmdlet -listeneroption",
    code: "-expression -scriptblock -command",
    text: first,
    help: blockHelp,
  }),
  cmdlet("register-objectevent register-engineevent register-wmievent register-cimindicationevent set-psbreakpoint", {
    value:
      "-inputobject -eventname -sourceidentifier -messagedata -maxtriggercount -query -class -classname -namespace -computername -script -line -column -variable -mode",
    code: "-action",
    help: blockHelp,
  }),
  // The cmdlet joins the words of its list with blanks and quotes none of them.
  cmdlet("start-process saps start", {
    plain: "-nonewwindow -nnw -wait -passthru -loaduserprofile -lup -usenewenvironment",
    value:
      "-workingdirectory -credential -runas -verb -windowstyle -redirectstandardinput -rsi -redirectstandardoutput -rso -redirectstandarderror -rse -environment",
    code: "-filepath -pspath -path -argumentlist -args",
    text: { from: 0, to: 2 },
    note: "`Start-Process` joins the arguments of its program into one string without quotes",
    help: `${callHelp}, with \`| Out-Null\` to wait for one with a window`,
  }),
  cmdlet("invoke-item ii", {
    value: "-filter -include -exclude -credential",
    code: "-path -literalpath -pspath",
    text: first,
    note: "the cmdlet runs the file, or the program that opens it",
    help: "write out the program that opens it: `& notepad {name}`",
  }),
  cmdlet("add-type", {
    plain: "-passthru -ignorewarnings",
    value: "-name -namespace -language -outputassembly -outputtype -usingnamespace -compileroptions",
    code: "-typedefinition -memberdefinition -path -literalpath -assemblyname -referencedassemblies",
    text: { ...first, without: "-typedefinition -memberdefinition -path -literalpath -assemblyname" },
    note: "the cmdlet compiles or loads this",
    help: "write the program text out, and pass the value to its methods",
  }),
  cmdlet("import-module ipmo", {
    plain:
      "-global -passthru -ascustomobject -force -noclobber -disablenamechecking -skipeditioncheck -usewindowspowershell",
    value:
      "-prefix -function -cmdlet -variable -alias -minimumversion -maximumversion -requiredversion -argumentlist -scope -pssession -cimsession",
    code: "-name -assembly -moduleinfo -fullyqualifiedname",
    text: first,
    note: "the cmdlet runs what it loads",
    help: loadHelp,
  }),
  cmdlet("new-object", {
    plain: "-strict",
    value: "-argumentlist -args -property",
    code: "-typename -comobject",
    text: first,
    note: "this chooses the class to create",
    help: nameHelp,
  }),
  cmdlet("set-alias new-alias sal nal", {
    plain: "-passthru -force",
    value: "-description -option -scope",
    code: "-name -value",
    text: all,
    note: "an alias names a command",
    help: nameHelp,
  }),
  cmdlet("set-variable new-variable clear-variable sv nv clv", {
    plain: "-passthru -force",
    value: "-value -description -option -visibility -scope -include -exclude",
    code: "-name",
    text: first,
    note: "this is the name of a variable",
    help: "write out the name",
  }),
  cmdlet("set-item si", {
    plain: "-passthru -force",
    value: "-value -filter -include -exclude -credential",
    code: "-path -literalpath",
    text: first,
    note: "the drives `function:`, `alias:` and `env:` decide what runs",
    help: "write out the path, or use `Set-Content` for a file",
  }),
  cmdlet("set-itemproperty new-itemproperty sp", {
    plain: "-passthru -force",
    value: "-path -literalpath -name -propertytype -type -filter -include -exclude -credential",
    code: "-value",
    text: { from: 2, to: 3 },
    when: runKeys,
    note: "Windows runs the value of this key",
    help: nameHelp,
  }),
  cmdlet("new-scheduledtaskaction", {
    value: "-workingdirectory -id",
    code: "-execute -argument",
    text: all,
    note: "the task runs this",
    help: nameHelp,
  }),
  cmdlet("new-service set-service", {
    value: "-name -displayname -description -startuptype -credential -dependson -computername",
    code: "-binarypathname",
    text: { from: 1, to: 2 },
    note: "the service runs this",
    help: nameHelp,
  }),
  cmdlet("invoke-wmimethod invoke-cimmethod iwmi icim", {
    value:
      "-class -classname -path -computername -namespace -name -methodname -cimsession -inputobject -query -credential",
    code: "-argumentlist -arguments",
    text: { from: 2, to: EVERY },
    when: /win32_process|^create$|stdregprov|win32_scheduledjob|win32_service/i,
    note: "the cmdlet starts a process from this",
    help: callHelp,
  }),
  cmdlet("invoke-history ihy", { code: "-id", text: first, help: "write out the command" }),
  // These act as `source` does in other shells. A script file that a program is given is the caller's own.
  method("[scriptblock]::create [scriptblock] ::newscriptblock ::invokescript ::addscript ::addcommand", blockHelp),
  method("::expandstring", "write the string literally, in double quotes", {
    note: "PowerShell runs the `$(…)` in the text",
  }),
  method(
    "[process]::start [processstartinfo]::new ::shellexecute ::run ::exec ::filename= ::arguments=",
    "add the arguments one by one: `$start.ArgumentList.Add({name})`, or call the program with `&`",
    { note: "this value chooses what runs, or is split into words" },
  ),
  method(
    "[assembly]::load [assembly]::loadfrom [assembly]::loadfile [assembly]::loadwithpartialname [assembly]::unsafeloadfrom [activator]::createinstance [activator]::createcominstancefrom [type]::gettypefromprogid [type]::gettypefromclsid",
    loadHelp,
    { note: "code is loaded from there" },
  ),
  method("[environment]::setenvironmentvariable", "write out the name of the variable", {
    text: first,
    note: "this is the name of a variable",
  }),
  method("::foreach", "write a block, `{ … }`, or write out the member's name", {
    text: first,
    note: "PowerShell calls the member with this name",
  }),
  method("$function:", "write out the function", { note: "this becomes a function" }),
];
