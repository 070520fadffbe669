// Programs of Windows that run a command, and those that take a word beginning with `/` as an option. Sources:
// Microsoft's "Windows commands" and the programs' own `/?`.
import { EVERY, type ProgramRule } from "./rule.ts";

const taskHelp = "the program runs this value: write it literally, or declare choices for the parameter";
const wordsHelp = "write out the program: the value can be one of its arguments";
const openHelp = 'write out the program that opens it: `start "" PROGRAM "{name}"`';
const shellHelp = "cmd.exe parses these arguments again: write them out, or declare choices for the parameter";
const first = { from: 0, to: 1 };
const all = { from: 0, to: EVERY };
const text = (names: string, rule: Partial<Omit<ProgramRule, "names">> = {}): ProgramRule => ({
  names,
  style: "words",
  text: all,
  help: taskHelp,
  ...rule,
});

export const windowsPrograms: readonly ProgramRule[] = [
  {
    names: "start",
    style: "words",
    plain: "/b /wait /w /i /min /max /low /normal /high /realtime /abovenormal /belownormal /shared /separate",
    value: "/d /node /affinity /machine",
    runs: first,
    help: openHelp,
  },
  { names: "forfiles", style: "words", plain: "/s", value: "/p /m /d", code: "/c", permutes: true, help: taskHelp },
  {
    names: "schtasks",
    style: "words",
    value: "/tn /sc /mo /d /m /i /st /ri /et /du /sd /ed /ec /s /u /p /ru /rp /rl /delay",
    plain: "/create /change /run /query /delete /end /f /z /it /np /k /hresult",
    code: "/tr /xml",
    permutes: true,
    note: "the task runs this",
    help: taskHelp,
  },
  { names: "wmic wmic.process", hasSubcommands: true, help: taskHelp },
  { names: "wmic.process.call", hasSubcommands: true, help: taskHelp },
  text("wmic.process.call.create"),
  text("mshta rundll32 regsvr32 regasm installutil", { note: "the program loads and runs this" }),
  { names: "reg", hasSubcommands: true, help: taskHelp },
  {
    names: "reg.add",
    style: "words",
    plain: "/f /ve",
    value: "/v /t /s /d",
    text: first,
    note: "keys of the registry decide what Windows runs",
    help: "write out the key",
  },
  {
    names: "reg.add",
    style: "words",
    plain: "/f /ve",
    value: "/v /t /s",
    code: "/d",
    permutes: true,
    when: /\\run(?:once|services)?$|\\winlogon|\\image file execution options|\\command processor|\\services\\|\\command$|\\environment$/i,
    note: "Windows runs the value of this key",
    help: taskHelp,
  },
  { names: "sc", hasSubcommands: true, help: taskHelp },
  text("sc.create sc.config", { text: { from: 1, to: EVERY }, note: "the service runs what follows `binPath=`" }),
  text("winrs", { value: "/r /u /p /d /env /t -r -remote -u -username -p -password -d -t", help: shellHelp }),
  text("runas", { plain: "/noprofile /env /netonly /savecred /smartcard", value: "/user /trustlevel", help: taskHelp }),
  {
    names: "psexec psexec64",
    style: "words",
    plain: "-accepteula -nobanner -s -h -d -e -i -l -f -c -v -x /accepteula",
    value: "-u -p -w -n -r -a",
    runs: { from: 0, to: 2 },
    help: wordsHelp,
  },
  text("plink", {
    plain: "-ssh -batch -v -C -t -T -N -noagent -agent -A -a",
    value: "-P -l -pw -pwfile -i -m -load -hostkey -L -R -D -proxycmd",
    text: { from: 1, to: EVERY },
    code: "-proxycmd",
    help: "the remote shell parses these arguments again: send the value through `@stdin` to a command that you write",
  }),
  text("bitsadmin", { plain: "/setnotifycmdline /rawreturn", text: { from: 0, to: EVERY, with: "/setnotifycmdline" } }),
  {
    names: "conhost wt pcalua",
    style: "words",
    plain: "-a nt new-tab",
    value: "-d -p --title",
    runs: first,
    help: wordsHelp,
  },
  text("sqlcmd osql", {
    text: { from: EVERY, to: EVERY },
    code: "-Q -q",
    permutes: true,
    note: "the client runs what follows `!!`",
    help: "put the statement in a file, and pass values as variables: `sqlcmd -i FILE -v name={name}`",
  }),
  {
    names: "msbuild",
    style: "words",
    code: "/logger -logger /l -l /distributedlogger -distributedlogger",
    permutes: true,
    note: "the program loads a library from there",
    help: taskHelp,
  },
];

/** Programs that exist on Windows alone or are built into cmd.exe. */
const windowsOnly = [
  "assoc attrib bcdedit bitsadmin cacls certutil chkdsk choice cipher clip cmd cmdkey comp compact cscript",
  "defrag del dir diskpart dism driverquery erase explorer fc findstr forfiles fsutil ftype getmac gpresult",
  "gpupdate icacls ipconfig logoff makecab md mklink mountvol msg mshta msiexec nbtstat net netsh nltest",
  "notepad openfiles qprocess query quser qwinsta rd recover reg regedit regsvr32 ren rename robocopy runas",
  "rundll32 sc schtasks setx sfc shutdown subst systeminfo takeown taskkill tasklist tracert typeperf vol",
  "vssadmin w32tm waitfor wbadmin wecutil wevtutil winrs wmic wscript xcopy",
].join(" ");
/** Programs that exist elsewhere under the same name; cmd.exe finds its own first. */
const inCmd = [
  "cd chdir color copy date expand find format help label mkdir mode more move netstat path popd print prompt",
  "pushd replace rmdir sort start time timeout title tree type ver verify where whoami",
].join(" ");

let lazySets: { readonly only: ReadonlySet<string>; readonly inCmd: ReadonlySet<string> } | undefined;

/** Whether the program takes words with a leading `/` as options. `isCmd` says that the script is one of cmd.exe. */
export function takesSlashOptions(program: string, isCmd = false): boolean {
  lazySets ??= { only: new Set(windowsOnly.split(" ")), inCmd: new Set(inCmd.split(" ")) };
  const name = program
    .slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  return lazySets.only.has(name) || (isCmd && lazySets.inCmd.has(name));
}
