// Finds the file of a program's name, as `execvp` would, but without relative paths.
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import type { Platform } from "../../tool/command.ts";
import type { NotStartedReason } from "../../tool/failure.ts";

interface ProgramQuery {
  readonly platform: Platform;
  readonly pathVariable: string;
  /** The folder of a relative path such as `./gradlew`; absent: such a path is not found. */
  readonly cwd?: string;
}

export type ProgramAnswer =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "refused"; readonly reason: NotStartedReason; readonly detail: string };

// cmd.exe parses the command line of a batch file a second time, so no quoting is safe. Windows drops dots and spaces
// at the end of a name.
const batchFile = /\.(bat|cmd)[. ]*$/i;
const windowsExtensions = [".com", ".exe"];
const windowsBatchExtensions = [".bat", ".cmd"];
/** The usual name of what the installers of Python for Windows call `python` alone. */
const PYTHON = "python3";

export function findProgram(program: string, query: ProgramQuery): ProgramAnswer {
  if (batchFile.test(program)) return { kind: "refused", reason: "batch-file", detail: program };
  const isPath = program.includes("/") || (query.platform === "windows" && program.includes("\\"));
  const isPlaced = isAbsolute(program) || query.cwd !== undefined;
  const folders = isPath ? (isPlaced ? [query.cwd ?? "/"] : []) : searchFolders(query.pathVariable, query.platform);
  let unusable: string | undefined;
  for (const folder of program === "" ? [] : folders) {
    const plain = isPath ? resolve(folder, program) : inside(folder, program);
    for (const path of spellings(plain, query.platform)) {
      const state = stateOf(path);
      if (state === "usable") return { kind: "found", path };
      if (state === "unusable") unusable ??= path;
    }
    if (query.platform === "windows") {
      const batch = windowsBatchExtensions
        .map((extension) => plain + extension)
        .find((path) => stateOf(path) !== "absent");
      if (batch !== undefined) return { kind: "refused", reason: "batch-file", detail: batch };
    }
  }
  if (program === PYTHON && query.platform === "windows") {
    const found = findProgram("python", query);
    if (found.kind === "found") return found;
  }
  if (unusable !== undefined)
    return { kind: "refused", reason: "not-executable", detail: `${unusable} is not executable` };
  if (isPath)
    return { kind: "refused", reason: "file-missing", detail: isPlaced ? resolve(query.cwd ?? "/", program) : program };
  return { kind: "refused", reason: "program-missing", detail: `looked in ${folders.join(", ") || "no folder"}` };
}

/** Leaves out empty and relative entries of PATH: they mean the working folder, where anyone may have put an `ls`. */
function searchFolders(pathVariable: string, platform: Platform): readonly string[] {
  return pathVariable.split(platform === "windows" ? ";" : ":").filter((entry) => isAbsolute(entry));
}

/** Works as `join`, which is slower the more folders there are. */
function inside(folder: string, program: string): string {
  return folder.endsWith(sep) ? folder + program : folder + sep + program;
}

function spellings(path: string, platform: Platform): readonly string[] {
  if (platform !== "windows" || windowsExtensions.some((extension) => path.toLowerCase().endsWith(extension)))
    return [path];
  return windowsExtensions.map((extension) => path + extension);
}

function stateOf(path: string): "usable" | "unusable" | "absent" {
  try {
    // Most folders of PATH do not have it, and an exception would cost more than the check.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "absent";
  } catch {
    return "absent";
  }
  try {
    accessSync(path, constants.X_OK);
    return "usable";
  } catch {
    return "unusable";
  }
}
