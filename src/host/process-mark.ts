// A mark that processes inherit and that no program sheds by the way: it stays over `setsid`, forks, `exec` and an
// empty environment. Linux keeps for each process which parts of its memory a core file would hold. Children get the
// value of their parent, and `exec` keeps it (core(5), "Controlling which mappings are written to the core dump";
// `mmf_init_flags` in the kernel). A process writes its own as a file, so a mark takes no other program and no native
// code: it is set here, the process is started, and the old value is set again.
import { Buffer } from "node:buffer";
import { existsSync, openSync, readlinkSync, readSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
import process from "node:process";
import { codeOf } from "../tool/error-code.ts";

/** A value of /proc/PID/coredump_filter. */
export type ProcessMark = number;

const OWN_FILE = "/proc/self/coredump_filter";
const FILE_CHARACTERS = 16;
const VALUES = 512;
/**
 * A core file without the private memory of its process, or the headers that say which programs it came from, is of no
 * use.
 */
const KEPT_BITS = 0b0_0001_0001;
/**
 * What the kernel begins with. Administrators add to it (core(5), systemd.exec(5)), so nothing that has all of these
 * bits is a mark.
 */
const DEFAULT_BITS = 0b0_0011_0011;
/** Of the others, what they are likely to set. */
const usualValues: ReadonlySet<number> = new Set([0x11, 0x13, 0x1f, 0x31]);

let own: { readonly descriptor: number; readonly value: number } | undefined | false;

export function isMark(value: number): boolean {
  return (value & KEPT_BITS) === KEPT_BITS && (value & DEFAULT_BITS) !== DEFAULT_BITS && !usualValues.has(value);
}

/**
 * One that no other run has, to be given back. Undefined where there are none: on other systems, when all are taken,
 * and inside of another run, whose mark stays on all that it starts.
 */
export function takeMark(): ProcessMark | undefined {
  own ??= openOwn();
  if (own === false || isMark(own.value)) return undefined;
  try {
    return firstMark((mark) => claim(claimFile(mark))) ?? takeForsaken();
  } catch {
    // There is no such memory, or it is full or only to be read.
    return undefined;
  }
}

/**
 * From anywhere on, so that two programs seldom try the same. Without a list: a call ends before V8's first collection
 * of garbage.
 */
function firstMark(isTaken: (mark: ProcessMark) => boolean): ProcessMark | undefined {
  const start = Math.floor(Math.random() * VALUES);
  for (let index = 0; index < VALUES; index++) {
    const mark = (start + index) % VALUES;
    if (isMark(mark) && isTaken(mark)) return mark;
  }
  return undefined;
}

export function returnMark(mark: ProcessMark | undefined): void {
  if (mark !== undefined) remove(claimFile(mark));
}

/**
 * Only when no other is left, because the watcher of whoever has left it may still look for its processes. One process
 * at a time: another could remove what this one has just claimed. Where one is killed meanwhile, nothing is taken over
 * until the system starts again.
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
 * A link in the system's memory that names the process which has the mark. Without one there is no mark: while this
 * process starts another it has the mark itself, and whoever shared it would take it for one of his. False when
 * somebody has it.
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

/** Whoever was ended by SIGKILL has left his. In another PID namespace nobody here can tell. */
function isForsaken(mark: ProcessMark): boolean {
  try {
    const [pid, ...namespace] = readlinkSync(claimFile(mark)).split(" ");
    return namespace.join(" ") === ownNamespace() && !existsSync(`/proc/${pid}`);
  } catch {
    return false;
  }
}

/** What this process's claims say. For Linux alone. */
export function ownName(): string {
  return `${process.pid} ${ownNamespace()}`;
}

let namespace: string | undefined;

/** `pid:[4026531836]`. */
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

/** As the system shows it. */
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

/** False: no marks here. The file is missing on other systems, and in kernels without core files. */
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
