// The folder in which a command runs.
import { resolve } from "node:path";
import type { Host } from "../tool/host.ts";

/** Returns the folder of a command. `folder` is relative to `cwd`, and `~` is home; nothing else is expanded. */
export function commandFolder(
  folder: string,
  { cwd, host }: { readonly cwd: string; readonly host: Pick<Host, "folders"> },
): string {
  return resolve(cwd, /^~(?:[\\/]|$)/.test(folder) ? host.folders.home + folder.slice(1) : folder);
}
