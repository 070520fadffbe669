// Which file a program's name means: the look-up that a shell does, without the entries of PATH that lead into the working folder.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";

// Only what starts without a shell: `.bat` and `.cmd` need cmd.exe, which cannot be given words safely.
const WINDOWS_EXTENSIONS = [".exe", ".com"];

/** The absolute path of an executable. A name with a separator is no name but a path, and is found only when it is absolute. */
export function findProgram(program: string, pathVariable: string): string | undefined {
  if (isAbsolute(program)) return candidatesFor(program).find(isExecutable);
  if (program === "" || /[\\/]/.test(process.platform === "win32" ? program : program.replaceAll("\\", ""))) return undefined;
  for (const folder of pathVariable.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = candidatesFor(join(folder, program)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

function candidatesFor(path: string): readonly string[] {
  if (process.platform !== "win32" || /\.[a-z]+$/i.test(path)) return [path];
  return WINDOWS_EXTENSIONS.map((extension) => path + extension);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
