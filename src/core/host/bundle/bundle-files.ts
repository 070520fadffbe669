// Reads the payload in this executable, and writes the files that were in it.
import fs from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Bundle, UnpackedFile } from "../../tool/host-bundle.ts";
import { makeFolders } from "../files/make-folders.ts";
import { randomId } from "../random-id.ts";

export function readPayload({ offsetBytes, payloadBytes }: Bundle): Uint8Array {
  const file = fs.openSync(process.execPath, "r");
  try {
    const bytes = new Uint8Array(payloadBytes);
    let length = 0;
    for (let count = -1; count !== 0 && length < payloadBytes; length += count)
      count = fs.readSync(file, bytes, length, payloadBytes - length, offsetBytes + length);
    return bytes.subarray(0, length);
  } finally {
    fs.closeSync(file);
  }
}

interface UnpackOptions {
  /** The place to use if it can be written. */
  readonly folder: string;
  readonly temporary: string;
  /** Begins the name of a temporary folder. */
  readonly name: string;
  /** Whether files that are there are wrong. Otherwise they stay, because another start may have just put them there. */
  readonly replaces: boolean;
}

/** Returns the folder that has the files. */
export function unpack(files: readonly UnpackedFile[], options: UnpackOptions): string {
  const { folder, temporary, name, replaces } = options;
  try {
    unpackInto(folder, files, replaces);
    noteUse(folder);
    removeUnused(dirname(folder));
    return folder;
  } catch {
    // A cache that cannot be written, as in a container: a folder of this run alone.
    const own = fs.mkdtempSync(join(temporary, `${name}-`));
    process.once("exit", () => fs.rmSync(own, { recursive: true, force: true }));
    const tools = join(own, "tools");
    unpackInto(tools, files, true);
    return tools;
  }
}

const UNUSED_MS_MAX = 30 * 24 * 60 * 60 * 1000;
/** The end of the name of a file beside a folder, whose time is that of the last use. */
const USED = ".used";

/** Notes that the folder is in use. */
export function noteUse(folder: string): void {
  try {
    fs.writeFileSync(folder + USED, "", { mode: 0o600 });
  } catch {
    // Then it may be removed too early, and the next start unpacks it again.
  }
}

/** Removes what no program has used for long: earlier versions, and what killed programs left behind. */
function removeUnused(bundles: string): void {
  const isOld = (path: string): boolean =>
    Date.now() - (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > UNUSED_MS_MAX;
  try {
    for (const name of fs.readdirSync(bundles)) {
      const path = join(bundles, name);
      const marker = name.endsWith(USED) ? path : path + USED;
      if (isOld(path) && isOld(marker)) fs.rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // The cache is only larger.
  }
}

function unpackInto(folder: string, files: readonly UnpackedFile[], replaces: boolean): void {
  const temporary = `${folder}.${randomId().slice(0, 16)}`;
  try {
    for (const { path, bytes, isExecutable } of files) {
      const target = join(temporary, path);
      makeFolders(dirname(target), 0o700);
      fs.writeFileSync(target, bytes, { mode: isExecutable ? 0o700 : 0o600, flag: "wx" });
    }
    takePlaceOf(folder, temporary, replaces);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Another start may do the same at the same time: whoever renames first wins, and both have the same files. */
function takePlaceOf(folder: string, temporary: string, replaces: boolean): void {
  const former = `${temporary}.former`;
  try {
    if (replaces) fs.renameSync(folder, former);
  } catch {
    // Nothing is there.
  }
  try {
    fs.renameSync(temporary, folder);
  } catch (error) {
    // What another start has put there is checked like everything that is unpacked.
    if (!fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(former, { recursive: true, force: true });
  }
}
