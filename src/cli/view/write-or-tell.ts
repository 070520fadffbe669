// Writes a file that the user asked for. If it cannot be written, or another one is there, that is reported.
import { rowOf } from "../../core/text/row-of.ts";
import { dirname } from "node:path";
import { exitCodes } from "../../core/run/exit-code.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { CommandContext } from "../command.ts";
import { printable } from "../../core/text/display.ts";

interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  readonly text: string;
}

/** Returns false if it cannot be written; the reason has been printed. Creates no folder. */
export async function writeOrTell(
  { path, shownPath, text }: WrittenFile,
  host: Host,
  context: CommandContext,
): Promise<boolean> {
  return tried(shownPath, context, () => host.files.write(path, text));
}

/** Creates missing folders, too. */
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
    terminal.errors.write(unwrittenText("file", shownPath, error));
    return false;
  }
}

/** Says which files would be replaced, at least one, and what to do instead. Returns the exit code. */
export function filesExist(
  [first = "", ...more]: readonly string[],
  elsewhere: string,
  { terminal }: CommandContext,
): number {
  const [others, exist, them] =
    more.length === 0 ? ["", "exists", "it"] : [` and ${more.length} more`, "exist", "them"];
  terminal.errors.write(
    `failed[exists]: \`${printable(first)}\`${others} already ${exist}; nothing is written\n  = \`--force\` replaces ${them}, ${elsewhere}\n`,
  );
  return exitCodes.failed;
}

/** Returns what to say of a file that could not be written. Throws `error` where no system gave it. */
export function unwrittenText(label: "file" | "trace" | "output-file", shownPath: string, error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const [fact, help] = rowOf(facts, code) ?? [`the system reports ${code}`, "look at its folder with `ls -l`"];
  return `failed[${label}]: \`${printable(shownPath)}\` cannot be written: ${fact}\n  = ${help}\n`;
}

const NO_RIGHT = [
  "permission denied",
  "change the permissions of the file or its folder, or work in another folder",
] as const;

const facts: Readonly<Record<string, readonly [fact: string, help: string]>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: ["the file system is read-only", "work in a writable folder"],
  ENOTDIR: ["a part of its path is a file, not a directory", "move that file away"],
  EEXIST: ["a part of its path is a file or a dangling link", "move that away"],
  ENOENT: ["its folder does not exist, or is a dangling link", "create the folder, or remove the link"],
  ELOOP: ["it is a link, or its folder is", "remove the link"],
  EISDIR: ["it is a folder", "move that away"],
  ENOSPC: ["the disk is full", "free some space"],
  ENAMETOOLONG: ["its name is too long", "give it a shorter name"],
};
