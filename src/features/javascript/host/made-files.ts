// Cached files that are generated from a text and executed: complete or absent, owned by this user, and never used if
// damaged or generated from another text.
import { join } from "node:path";
import process from "node:process";
import { type FileFormat, readCheckedFile, withChecksum } from "../../../core/store/checked-file.ts";
import { instantFiles } from "../../../core/host/files/instant-files.ts";

interface MadeFile {
  readonly folder: string;
  readonly name: string;
  /** The hash of its source and the way it was generated. */
  readonly key: string;
}

const FORMAT: FileFormat = { name: "made", version: 1 };
const MADE_BYTES_MAX = 256 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;

export function readIfWhole({ folder, name, key }: MadeFile): string | undefined {
  const path = join(folder, name);
  const found = instantFiles.stat(path);
  if (!found?.isOwn || (process.platform !== "win32" && (found.mode & OTHERS_MAY_WRITE) !== 0)) return undefined;
  const read = readCheckedFile(path, { host: { instant: instantFiles }, format: FORMAT, bytesMax: MADE_BYTES_MAX });
  const text = read.kind === "content" ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes) : "";
  // A complete file can have the name of another.
  return text.startsWith(`${key}\n`) ? text.slice(key.length + 1) : undefined;
}

export function keepMade({ folder, name, key }: MadeFile, text: string): void {
  try {
    instantFiles.replace(join(folder, name), withChecksum(FORMAT, `${key}\n${text}`));
  } catch {
    // Without a cache the file is generated again next time.
  }
}
