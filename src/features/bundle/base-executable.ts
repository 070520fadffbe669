// The executable that tools are put into: this program's own, or the one that was named.
import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { type Executable, readExecutable } from "./executable-form.ts";
import type { Host } from "../../core/tool/host.ts";
import type { CommandContext } from "../../cli/command.ts";
import { failedWith } from "./shared-folder.ts";

/** Twice the size of the largest executable of dottool with the largest folder. */
export const EXECUTABLE_BYTES_MAX = 1024 * 1024 * 1024;

/** Returns an exit code if there is none; the reason has been printed. */
export async function baseExecutable(
  named: string | undefined,
  host: Host,
  context: CommandContext,
): Promise<Executable | number> {
  const path = named === undefined ? host.executable : resolve(context.terminal.workingFolder(), named);
  if (path === undefined)
    return failedWith(context, [
      "base",
      "this `dottool` was started from its sources, so it cannot copy itself",
      "name an executable of dottool: `--base FILE`",
    ]);
  const read = await readExecutableAt(path, host);
  return "problem" in read
    ? failedWith(context, [
        "base",
        `\`${named ?? path}\` ${read.problem}`,
        "name an executable of dottool, as in a release of it",
      ])
    : read;
}

/** Returns the end of a sentence that begins with the file, if it is not one of dottool. */
export async function readExecutableAt(path: string, host: Host): Promise<ReturnType<typeof readExecutable>> {
  const stat = await host.files.stat(path);
  if (stat?.kind !== "file") return { problem: stat ? "is not a file" : "does not exist" };
  const bytes = await host.files.readBytes(path, { offset: 0, lengthMax: EXECUTABLE_BYTES_MAX });
  return readExecutable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
