// The open descriptors that a confined process is started with, and files without names for them.
import type { Passed } from "../../../core/host/processes/plain-run.ts";
import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { FIRST_DESCRIPTOR } from "../../../core/host/processes/process-start.ts";

/** The descriptors that the process gets, in order. */
export class OpenDescriptors {
  readonly #open: Passed[] = [];
  readonly #held: number[] = [];

  /** Returns the number that the process has it under. */
  add(descriptor: number | "pipe"): number {
    this.#open.push(descriptor);
    return FIRST_DESCRIPTOR + this.#open.length - 1;
  }

  /** Keeps it open here alone. */
  hold(descriptor: number): void {
    this.#held.push(descriptor);
  }

  at(number: number): number {
    const passed = this.#open[number - FIRST_DESCRIPTOR];
    return typeof passed === "number" ? passed : -1;
  }

  /** Returns them, and nothing in place of what this program got from its own parent. */
  forChild(): readonly Passed[] {
    const own = new Set<unknown>([...this.#open, ...this.#held]);
    // Below, the child gets its own in their place.
    const first = FIRST_DESCRIPTOR + this.#open.length;
    const leaking = openDescriptors().filter((one) => one >= first && !own.has(one) && !closesOnExec(one));
    if (leaking.length === 0) return this.#open;
    const nothing = openSync("/dev/null", "r");
    this.hold(nothing);
    const all: Passed[] = [...this.#open];
    for (const one of leaking) all[one - FIRST_DESCRIPTOR] = nothing;
    return Array.from(all);
  }

  close(): void {
    for (const one of new Set([...this.#open, ...this.#held])) if (typeof one === "number") closeSync(one);
  }
}

const CLOSES_ON_EXEC = 0o2000000;

function openDescriptors(): readonly number[] {
  return readdirSync("/proc/self/fd").map(Number);
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return (Number.parseInt(flags ?? "0", 8) & CLOSES_ON_EXEC) !== 0;
  } catch {
    // It was the list itself.
    return true;
  }
}

/** `O_TMPFILE`, which Node has no name for: a file without a name, which is gone with its descriptor. */
const O_TMPFILE = 0o20200000;

/** Writes without moving the place from which the process reads. */
export function temporary(bytes?: Buffer): number {
  const descriptor = openUnnamed();
  if (bytes) for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
  return descriptor;
}

/** Returns them as a program reads them from a file, each with a zero behind it. One within would begin another. */
export function zeroEnded(words: readonly string[]): Buffer {
  if (words.some((word) => word.includes("\0"))) throw Object.assign(new Error("a zero"), { code: "EINVAL" });
  return Buffer.from(words.map((word) => `${word}\0`).join(""));
}

/** In memory, if there is such a folder. */
function openUnnamed(): number {
  try {
    return openSync("/dev/shm", O_TMPFILE | constants.O_RDWR, 0o600);
  } catch {
    return openSync(tmpdir(), O_TMPFILE | constants.O_RDWR, 0o600);
  }
}

const STATUS_BYTES_MAX = 4_096;

/** bubblewrap writes the exit code only of a program that has started. */
export function hasExitCode(descriptor: number): boolean {
  return textAt(descriptor).includes('"exit-code"');
}

/** Returns the start of what a process has written. */
export function textAt(descriptor: number): string {
  const bytes = Buffer.alloc(STATUS_BYTES_MAX);
  return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, STATUS_BYTES_MAX, 0));
}
