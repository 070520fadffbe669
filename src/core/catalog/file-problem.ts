// Messages for files and folders that cannot be used.
import { rowOf } from "../text/row-of.ts";
import type { Diagnostic } from "../text/diagnostic.ts";

/** The code of an error as Node throws them, `EIO` for any other. */
export function codeOfFileError(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}

const facts: Readonly<Record<string, readonly [fact: string, help: string]>> = {
  ENOENT: ["it does not exist, or is a dangling link", "create it, or remove the reference to it"],
  ENOTDIR: ["it is not a directory", "name a folder, or a file that ends in `.tool`, `.yaml` or `.yml`"],
  EISDIR: ["it is a directory", "rename it: only a definition has a name that ends like this"],
  EINVAL: ["it is not a regular file", "move it out of the tool folder"],
  EACCES: ["permission denied", "change its permissions, or move it out of the tool folder"],
  EPERM: ["permission denied", "change its permissions, or move it out of the tool folder"],
  ELOOP: ["its links form a loop", "remove the link"],
  EMFILE: ["too many files are open", "try again, or raise the limit: `ulimit -n`"],
  ENAMETOOLONG: ["its name is too long", "give it a shorter name"],
};

/** Returns why the file or folder cannot be read, and what to do. */
export function readProblem(path: string, code: string): readonly [fact: string, help: string] {
  // Node decodes names, and one that is not UTF-8 cannot be looked up again.
  if (code === "ENOENT" && path.includes("\uFFFD")) return ["its name is not UTF-8", "rename it"];
  return rowOf(facts, code) ?? [`the system reports ${code}`, "look at it with `ls -l`"];
}

export function unreadable(path: string, code: string): Diagnostic {
  const [fact, help] = readProblem(path, code);
  return {
    code: "unreadable-file",
    severity: "error",
    message: `\`${path}\` cannot be read: ${fact}`,
    related: [],
    help: [help],
  };
}
