// Files of the cache that are made of a text: whole or not there, and of this user alone.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";
import { makeFolders } from "./make-folders.ts";

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export function keep(folder: string, file: string, text: string): void {
  try {
    makeFolders(folder, 0o700);
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Without a cache the text is made again next time.
  }
}
