// Files of the cache that are made of a text and run: whole or not there, of this user alone, and never used when
// damaged or made of another text.
import { join } from "node:path";
import process from "node:process";
import { type FileFormat, readCheckedFile, withChecksum } from "../tool/checked-file.ts";
import { instantFiles } from "./instant-files.ts";

export interface MadeFile {
  readonly folder: string;
  readonly name: string;
  /** Of what it is made of, and how. */
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
  // A file can be whole and have another's name.
  return text.startsWith(`${key}\n`) ? text.slice(key.length + 1) : undefined;
}

export function keepMade({ folder, name, key }: MadeFile, text: string): void {
  try {
    instantFiles.replace(join(folder, name), withChecksum(FORMAT, `${key}\n${text}`));
  } catch {
    // Without a cache the text is made again next time.
  }
}
