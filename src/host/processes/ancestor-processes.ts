// Finds out whether an ancestor of this process has a variable. A process cannot change the environment that it was
// started with, so clearing it on the way down hides nothing. Only Linux shows it, and a daemon has no ancestors to
// ask.
import { readFileSync } from "node:fs";
import process from "node:process";

const PARENTS_MAX = 128;

/** Returns false if the system does not show it. An empty value counts as none. */
export function isSetInAncestor(variable: string): boolean {
  if (process.platform !== "linux") return false;
  for (let pid = process.ppid, count = 0; pid > 1 && count < PARENTS_MAX; pid = parentOf(pid), count++) {
    const text = `\0${readOrNothing(`/proc/${pid}/environ`)}\0`;
    const at = text.indexOf(`\0${variable}=`);
    if (at !== -1 && text[at + variable.length + 2] !== "\0") return true;
  }
  return false;
}

/** Returns the id of the parent; 0 if there is none. */
function parentOf(pid: number): number {
  const line = readOrNothing(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, and may contain anything.
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1] ?? 0) || 0;
}

/** Returns nothing for processes of other users, which cannot be read. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
