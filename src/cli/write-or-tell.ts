// Writes a file that somebody asked for. That it cannot be written is no bug of ours: it is told in words.
import { dirname } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { CommandContext } from "./command.ts";
import { printable } from "../text/display.ts";

export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  readonly text: string;
}

/** False where it cannot be written; it has been said why. Makes no folder. */
export async function writeOrTell(
  { path, shownPath, text }: WrittenFile,
  host: Host,
  context: CommandContext,
): Promise<boolean> {
  return tried(shownPath, context, () => host.files.write(path, text));
}

/** Makes the folders that are missing too. */
export async function writeBelowOrTell(file: WrittenFile, host: Host, context: CommandContext): Promise<boolean> {
  return (
    (await tried(file.shownPath, context, () => host.files.makeFolder(dirname(file.path)))) &&
    writeOrTell(file, host, context)
  );
}

async function tried(shownPath: string, { terminal }: CommandContext, write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const [fact, help] = facts[code] ?? [`the system says ${code}`, "look at the folder it is in with `ls -l`"];
    terminal.errors.write(`failed[file]: \`${printable(shownPath)}\` cannot be written: ${fact}\n  = ${help}\n`);
    return false;
  }
}

const NO_RIGHT = [
  "you have no right to write there",
  "change the rights of the file or of its folder, or work in a folder of yours",
] as const;

const facts: Readonly<Record<string, readonly [fact: string, help: string]>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: ["the file system is for reading alone", "work in a folder that can be written"],
  ENOTDIR: ["what should be its folder is a file", "move that file away"],
  EEXIST: ["what should be its folder is a file or a link to nothing", "move that away"],
  ENOENT: ["its folder does not exist, or is a link to nothing", "make the folder, or remove the link"],
  EISDIR: ["it is a folder", "move that away"],
  ENOSPC: ["the disk is full", "make room on it"],
  ENAMETOOLONG: ["its name is too long", "give it a shorter name"],
};
