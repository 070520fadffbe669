// Identifies a process: its id, its start time, the start of the system, and its namespace. Linux shows all of these;
// elsewhere only the id is known.
import process from "node:process";
import { readFileSync, readlinkSync } from "node:fs";
import { codeOf } from "../../tool/error-code.ts";
import type { ProcessIdentity } from "../../tool/host.ts";

/** Field 22 of /proc/PID/stat, counted from the third, which follows the name of the program. */
const START_FIELD = 19;

let own: ProcessIdentity | undefined;

export function identity(): ProcessIdentity {
  own ??= {
    processId: process.pid,
    ...startOf(process.pid),
    ...field("boot", () => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
    ...field("namespace", () => readlinkSync("/proc/self/ns/pid")),
  };
  return own;
}

export function isRunning(other: ProcessIdentity): boolean | undefined {
  const here = identity();
  if (other.boot !== here.boot || other.namespace !== here.namespace) return undefined;
  if (!exists(other.processId)) return false;
  const { start, state } = statOf(other.processId);
  // It was killed, but its parent has not read its status yet.
  if (state === "Z" || state === "X") return false;
  return other.start === undefined || start === undefined || other.start === start;
}

export function interrupt(other: ProcessIdentity): boolean {
  if (isRunning(other) !== true) return false;
  try {
    return process.kill(other.processId, "SIGTERM");
  } catch {
    return false;
  }
}

function exists(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return codeOf(error) === "EPERM";
  }
}

function startOf(processId: number): Pick<ProcessIdentity, "start"> {
  const { start } = statOf(processId);
  return start === undefined ? {} : { start };
}

function statOf(processId: number): { readonly state?: string | undefined; readonly start?: string | undefined } {
  const line = field("line", () => readFileSync(`/proc/${processId}/stat`, "latin1")).line;
  // The second field is the program's name in parentheses, and may contain anything.
  const [state, ...fields] = line?.slice(line.lastIndexOf(")") + 2).split(" ") ?? [];
  return { state, start: fields[START_FIELD - 1] };
}

function field<Name extends string>(name: Name, read: () => string): { readonly [key in Name]?: string } {
  try {
    return { [name]: read() } as { readonly [key in Name]?: string };
  } catch {
    return {};
  }
}

// Finds out whether an ancestor of this process has a variable. A process cannot change the environment that it was
// started with, so clearing it on the way down hides nothing. Only Linux shows it, and a daemon has no ancestors to
// ask.
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
