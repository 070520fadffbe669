// Whether this program was started, however many processes lie between, by one that has a variable: what a process was
// started with cannot be taken back, so clearing the environment on the way down hides nothing. Only Linux tells; and
// who leaves his parents (a daemon) has none that could be asked.
import { readFileSync } from "node:fs";
import process from "node:process";

const PARENTS_MAX = 128;

/** False where the system does not tell. An empty value is as good as none. */
export function isSetAbove(variable: string): boolean {
  if (process.platform !== "linux") return false;
  for (let pid = process.ppid, count = 0; pid > 1 && count < PARENTS_MAX; pid = parentOf(pid), count++) {
    const text = `\0${readOrNothing(`/proc/${pid}/environ`)}\0`;
    const at = text.indexOf(`\0${variable}=`);
    if (at !== -1 && text[at + variable.length + 2] !== "\0") return true;
  }
  return false;
}

/** 0: there is none. */
function parentOf(pid: number): number {
  const line = readOrNothing(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, and may hold anything.
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1] ?? 0) || 0;
}

/** Other users' processes keep theirs to themselves. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
