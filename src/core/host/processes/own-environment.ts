// Hides this process's environment from other processes. Linux shows the block that a process was started with in
// /proc/PID/environ to every program of the same user, whatever the process has set or deleted since.
import { Buffer } from "node:buffer";
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import process from "node:process";
import { RUN_ID_VARIABLE } from "../../tool/run-id.ts";

/**
 * Fields of /proc/PID/stat after the program's name, counted from 0: `env_start` and `env_end` are 50 and 51 of
 * proc(5), `state` is 3.
 */
const START_FIELD = 47;
const END_FIELD = 48;
/** Linux's limit for arguments and environment together: a quarter of 24 MiB. */
const BLOCK_BYTES_MAX = 6 * 1024 * 1024;

/**
 * Empties the block that /proc shows, so that the variables are only in this program's memory; `process.env` does not
 * change. The variable by which the processes of a run are found stays in the block, and so does text that is not
 * UTF-8. Returns false if that is not possible: other systems have no such file, and some containers refuse writes to
 * it.
 */
export function hideOwnEnvironment(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { start, length } = placeOfBlock();
    const memory = openSync("/proc/self/mem", "r+");
    try {
      const block = Buffer.alloc(length);
      if (readSync(memory, block, 0, length, start) !== length || !block.equals(readFileSync("/proc/self/environ")))
        return false;
      return writeSync(memory, withoutVariables(block), 0, length, start) === length;
    } finally {
      closeSync(memory);
    }
  } catch {
    return false;
  }
}

function placeOfBlock(): { readonly start: number; readonly length: number } {
  const line = readFileSync("/proc/self/stat", "latin1");
  // The program's name is in parentheses, and may contain anything.
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const start = fields[START_FIELD] ?? 0;
  const length = (fields[END_FIELD] ?? 0) - start;
  if (!(start > 0 && length > 0 && length <= BLOCK_BYTES_MAX && Number.isSafeInteger(start + length)))
    throw new Error("the address of the environment is unknown");
  return { start, length };
}

/** Sets each variable again first, so that the C library copies it out of the block. */
function withoutVariables(block: Buffer): Buffer {
  const left = Buffer.from(block);
  for (let at = 0; at < block.length; ) {
    const zero = block.indexOf(0, at);
    const end = zero === -1 ? block.length : zero;
    if (isCopied(block.subarray(at, end))) left.fill(0, at, end);
    at = end + 1;
  }
  return left;
}

function isCopied(entry: Buffer): boolean {
  const text = entry.toString("utf8");
  const name = text.slice(0, Math.max(0, text.indexOf("=")));
  if (name === RUN_ID_VARIABLE || text.includes("\uFFFD")) return false;
  const value = name === "" ? undefined : process.env[name];
  if (value !== undefined) process.env[name] = value;
  return true;
}
