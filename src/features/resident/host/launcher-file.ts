// Makes a launcher for the executable: the program that is an asset of it, with the executable's place written over the
// empty one.
import { Buffer } from "node:buffer";
import { closeSync, fsyncSync, openSync, readSync, renameSync, unlinkSync, writeSync } from "node:fs";
import process from "node:process";
import { randomId } from "../../../core/host/random-id.ts";
import { executableIdentity } from "./resident-place.ts";

const ASSET = "launcher";
/** `struct place` of scripts/launcher/launcher.c. */
const MARKER = "dottool-launcher-place-1";
const MARKER_BYTES = 32;
const VERSION_BYTES = 96;
const IDENTITY_BYTES = 128;
const EXECUTABLE_BYTES = 1024;
const MODE = 0o755;

/** Returns undefined if the executable was built without one. */
function builtLauncher(): Buffer | undefined {
  try {
    const sea = process.getBuiltinModule("node:sea");
    return sea?.isSea() ? Buffer.from(new Uint8Array(sea.getRawAsset(ASSET))) : undefined;
  } catch {
    return undefined;
  }
}

export type WrittenLauncher = "written" | "not-built" | "too-long";

/** Replaces the file by a rename. Throws system errors. */
export function writeLauncher(file: string, executable: string, versionText: string): WrittenLauncher {
  const program = builtLauncher();
  if (!program) return "not-built";
  const fields = [
    [versionText, VERSION_BYTES],
    [executableIdentity(executable), IDENTITY_BYTES],
    [executable, EXECUTABLE_BYTES],
  ] as const;
  if (fields.some(([text, room]) => Buffer.byteLength(text) >= room)) return "too-long";
  let at = program.indexOf(MARKER) + MARKER_BYTES;
  for (const [text, room] of fields) {
    program.write(text, at, "utf8");
    at += room;
  }
  const temporary = `${file}.${randomId()}`;
  try {
    const descriptor = openSync(temporary, "wx", MODE);
    try {
      for (let written = 0; written < program.length; ) written += writeSync(descriptor, program, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made.
    }
    throw error;
  }
  return "written";
}

/** Whether a file is a launcher, so that it may be replaced. Undefined: there is no file. */
export function isLauncher(file: string): boolean | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const start = Buffer.alloc(LAUNCHER_BYTES_MAX);
    return start.subarray(0, readSync(descriptor, start)).includes(MARKER);
  } finally {
    closeSync(descriptor);
  }
}

const LAUNCHER_BYTES_MAX = 100 * 1024;
