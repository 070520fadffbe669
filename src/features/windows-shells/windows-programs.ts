// Programs of Windows that take a word beginning with `/` as an option. Sources: Microsoft's "Windows commands" and the
// programs' own `/?`.

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
