// A mark that processes inherit and do not lose by accident: it survives `setsid`, forks, `exec` and an empty
// environment. Linux keeps for each process which parts of its memory a core file would hold. Children get the
// value of their parent, and `exec` keeps it (core(5), "Controlling which mappings are written to the core dump";
// `mmf_init_flags` in the kernel). A process writes its own as a file, so a mark takes no other program and no native
// code: it is set here, the process is started, and the old value is set again.
import { Buffer } from "node:buffer";
import { existsSync, openSync, readlinkSync, readSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
import process from "node:process";
import { codeOf } from "../../tool/error-code.ts";

/** A value of /proc/PID/coredump_filter. */
export type ProcessMark = number;

const OWN_FILE = "/proc/self/coredump_filter";
const FILE_CHARACTERS = 16;
const VALUES = 512;
/** A core file needs the private memory of its process, and the headers of its programs, to be useful. */
const KEPT_BITS = 0b0_0001_0001;
/**
 * The kernel's default. Administrators add to it (core(5), systemd.exec(5)), so no value with all of these bits is a
 * mark.
 */
const DEFAULT_BITS = 0b0_0011_0011;
/** Other values that administrators are likely to set. */
const usualValues: ReadonlySet<number> = new Set([0x11, 0x13, 0x1f, 0x31]);

let own: { readonly descriptor: number; readonly value: number } | undefined | false;

export function isMark(value: number): boolean {
  return (value & KEPT_BITS) === KEPT_BITS && (value & DEFAULT_BITS) !== DEFAULT_BITS && !usualValues.has(value);
}

/**
 * Takes a mark that no other run has, which must be returned. Undefined if there is none: on other systems, if all are
 * taken, and inside another run, whose mark stays on everything that it starts.
 */
export function takeMark(): ProcessMark | undefined {
  own ??= openOwn();
  if (own === false || isMark(own.value)) return undefined;
  try {
    const mark = firstMark((one) => claim(claimFile(one))) ?? takeForsaken();
    if (mark !== undefined) taken.add(mark);
    return mark;
  } catch {
    // There is no such memory, or it is full or read-only.
    return undefined;
  }
}

/** The mark that was returned last, which is free more often than others: each one that is taken costs an exception. */
let returned: ProcessMark | undefined;

/**
 * Searches from a random value, so that two programs seldom try the same. It makes no list, because a call should end
 * before V8's first garbage collection.
 */
function firstMark(isTaken: (mark: ProcessMark) => boolean): ProcessMark | undefined {
  const start = returned ?? Math.floor(Math.random() * VALUES);
  for (let index = 0; index < VALUES; index++) {
    const mark = (start + index) % VALUES;
    if (isMark(mark) && isTaken(mark)) return mark;
  }
  return undefined;
}

/** The marks that must be returned. */
const taken = new Set<ProcessMark>();

/** Returns a mark once: later another program may have claimed it. */
export function returnMark(mark: ProcessMark | undefined): void {
  if (mark !== undefined && taken.delete(mark) && remove(claimFile(mark))) returned = mark;
}

/**
 * Keeps a mark on a process that this user may not end, such as a daemon that `sudo` started: it is not returned, so
 * that no other run treats the process as its own.
 */
export function keepMark(mark: ProcessMark): void {
  taken.delete(mark);
}

/**
 * Takes an abandoned mark if no other is left, because the watcher of its last owner may still search for its
 * processes. Only one process does this at a time: another could remove the new claim. If it is killed meanwhile, no
 * mark is taken over until the system restarts.
 */
function takeForsaken(): ProcessMark | undefined {
  const turn = `${CLAIM_PREFIX}turn`;
  if (!claim(turn)) return undefined;
  try {
    return firstMark((mark) => isForsaken(mark) && remove(claimFile(mark)) && claim(claimFile(mark)));
  } finally {
    remove(turn);
  }
}

/**
 * Claims a mark with a link in shared memory that names the owning process. A mark needs a claim: while this process
 * starts another, it has the mark itself, and another owner would treat it as its own process. Returns false if the
 * mark is taken.
 */
function claim(path: string): boolean {
  try {
    symlinkSync(ownName(), path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Returns whether the owner was ended by SIGKILL. That is unknown for another PID namespace. */
function isForsaken(mark: ProcessMark): boolean {
  try {
    const [pid, ...namespace] = readlinkSync(claimFile(mark)).split(" ");
    return namespace.join(" ") === ownNamespace() && !existsSync(`/proc/${pid}`);
  } catch {
    return false;
  }
}

/** Returns the content of this process's claims. Only for Linux. */
export function ownName(): string {
  return `${process.pid} ${ownNamespace()}`;
}

let namespace: string | undefined;

/** Returns text such as `pid:[4026531836]`. */
function ownNamespace(): string {
  return (namespace ??= readlinkSync("/proc/self/ns/pid"));
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function claimFile(mark: ProcessMark): string {
  return CLAIM_PREFIX + markText(mark);
}

/** The same for all users, because root's dottool can end the processes of the others. */
export const CLAIM_PREFIX = "/dev/shm/dottool-mark-";

/** Returns a mark as the system shows it. */
export function markText(mark: ProcessMark): string {
  return mark.toString(16).padStart(8, "0");
}

/** `start` must have started its process when it returns. */
export function startMarked<T>(mark: ProcessMark | undefined, start: () => T): T {
  if (mark === undefined || !own || !write(mark)) return start();
  try {
    return start();
  } finally {
    write(own.value);
  }
}

/** Returns false if there are no marks here: other systems, and kernels without core files, have no such file. */
function openOwn(): { readonly descriptor: number; readonly value: number } | false {
  if (process.platform !== "linux") return false;
  try {
    const descriptor = openSync(OWN_FILE, "r+");
    const bytes = Buffer.alloc(FILE_CHARACTERS);
    const value = Number.parseInt(bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, FILE_CHARACTERS, 0)), 16);
    return Number.isNaN(value) ? false : { descriptor, value };
  } catch {
    return false;
  }
}

function write(value: number): boolean {
  if (!own) return false;
  try {
    writeSync(own.descriptor, String(value));
    return true;
  } catch {
    own = false;
    return false;
  }
}
