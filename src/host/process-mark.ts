// A mark that processes inherit and that no program sheds by the way: it stays over `setsid`, forks, `exec` and an empty environment.
// Linux keeps for each process which parts of its memory a core file would hold. Children get the value of their parent, and `exec` keeps
// it (core(5), "Controlling which mappings are written to the core dump"; `mmf_init_flags` in the kernel). A process writes its own as a
// file, so a mark takes no other program and no native code: it is set here, the process is started, and the old value is set again.
import { Buffer } from "node:buffer";
import { existsSync, openSync, readlinkSync, readSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
import process from "node:process";

/** A value of /proc/PID/coredump_filter. */
export type ProcessMark = number;

const OWN_FILE = "/proc/self/coredump_filter";
const FILE_CHARACTERS = 16;
const VALUES = 512;
/** A core file without the private memory of its process, or the headers that say which programs it came from, is of no use. */
const KEPT_BITS = 0b0_0001_0001;
/** What the kernel and its distributions begin with, and what administrators set: core(5), systemd.exec(5). */
const usualValues: ReadonlySet<number> = new Set([0x11, 0x13, 0x31, 0x33, 0x37, 0x3f, 0x73, 0x77, 0x7f, 0xff, 0x133, 0x1ff]);

let own: { readonly descriptor: number; readonly value: number } | undefined | false;

export function isMark(value: number): boolean {
  return (value & KEPT_BITS) === KEPT_BITS && !usualValues.has(value);
}

/**
 * One that no other run of this user has, to be given back. Undefined where there are none: on other systems, when all are taken, and inside
 * of another run, whose mark stays on all that it starts.
 */
export function takeMark(): ProcessMark | undefined {
  own ??= openOwn();
  if (own === false || isMark(own.value)) return undefined;
  const start = Math.floor(Math.random() * VALUES);
  for (let index = 0; index < VALUES; index++) {
    const value = (start + index) % VALUES;
    if (isMark(value) && claim(value)) return value;
  }
  return undefined;
}

export function returnMark(mark: ProcessMark | undefined): void {
  if (mark !== undefined) removeClaim(mark);
}

/**
 * A link in the system's memory that names the process which has the mark. Without one there is no mark: while this process starts another it has
 * the mark itself, and whoever shared it would take it for one of his.
 */
function claim(mark: ProcessMark): boolean {
  if (linkClaim(mark)) return true;
  if (!isForsaken(mark)) return false;
  removeClaim(mark);
  return linkClaim(mark);
}

function linkClaim(mark: ProcessMark): boolean {
  try {
    symlinkSync(ownName(), claimFile(mark));
    return true;
  } catch {
    return false;
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

function ownName(): string {
  return `${process.pid} ${ownNamespace()}`;
}

let namespace: string | undefined;

/** `pid:[4026531836]`. */
function ownNamespace(): string {
  return (namespace ??= readlinkSync("/proc/self/ns/pid"));
}

function removeClaim(mark: ProcessMark): void {
  try {
    unlinkSync(claimFile(mark));
  } catch {
    return;
  }
}

function claimFile(mark: ProcessMark): string {
  return claimPrefix() + markText(mark);
}

export function claimPrefix(): string {
  return `/dev/shm/dottool-${process.getuid?.() ?? 0}-mark-`;
}

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
