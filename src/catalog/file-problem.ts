// What the file system said about a file or folder that cannot be used, in words.
import type { Diagnostic } from "../text/diagnostic.ts";

/** The code of an error as Node throws them, `EIO` for any other. */
export function codeOfFileError(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}

const facts: Readonly<Record<string, readonly [fact: string, help: string]>> = {
  ENOENT: ["it does not exist, or it is a link to nothing", "create it, or remove what names it"],
  ENOTDIR: ["it is not a folder", "move it away, or name a folder, or a file that ends in `.tool`, `.yaml` or `.yml`"],
  EISDIR: ["it is a folder", "rename it: a name that ends like this is a definition's"],
  EINVAL: ["it is not a regular file", "move it out of the tool folder"],
  EACCES: ["you have no right to read it", "change its rights, or remove it from the tool folder"],
  EPERM: ["you have no right to read it", "change its rights, or remove it from the tool folder"],
  ELOOP: ["its links lead in a circle", "remove the link"],
  EMFILE: ["too many files are open", "try again, or raise the limit: `ulimit -n`"],
  ENAMETOOLONG: ["its name is too long", "give it a shorter name"],
};

/** Why the file or folder cannot be read, and what to do. */
export function readProblem(path: string, code: string): readonly [fact: string, help: string] {
  // Node decodes names, and one that is no UTF-8 cannot be asked for again.
  if (code === "ENOENT" && path.includes("\uFFFD")) return ["its name is not UTF-8", "rename it"];
  return facts[code] ?? [`the system says ${code}`, "look at it with `ls -l`"];
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
