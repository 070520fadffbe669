// Where packages are installed: the folder that has the `dottool.lock`, and the one process that changes it at a time.
import { dirname, join } from "node:path";
import { packagesFolderOf } from "./installed-packages.ts";
import { PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import { sumOf } from "../../core/catalog/trust-store.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { takeLock } from "../../core/store/lock-file.ts";
import type { FetchOptions } from "./fetch.ts";
import { LOCK_NAME } from "./lock.ts";
import { Refusal } from "./refusal.ts";

/** Another installation may be downloading. */
const WAIT_MS_MAX = 5 * 60 * 1000;

/** Returns the nearest folder with a `dottool.lock` or a `.tools`, else `cwd`; absolute and without links. */
export function projectFolderOf(cwd: string, host: Host): string {
  const start = host.instant.realPath(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (host.instant.stat(join(folder, LOCK_NAME)) || host.instant.stat(join(folder, PROJECT_FOLDER_NAME)))
      return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Runs a change of the packages of `folder` while no other process changes them. */
export async function whileLocked<T>(
  folder: string,
  change: () => Promise<T>,
  { host, signal }: FetchOptions,
): Promise<T> {
  const path = join(packagesFolderOf(host), `${sumOf(folder)}.lock`);
  const lock = await takeLock(path, { host, isLasting: true, waitMsMax: WAIT_MS_MAX, signal }).catch(
    (error: unknown) => {
      if (codeOf(error) !== "EBUSY") throw error;
      throw new Refusal("failed", `another dottool has been changing the packages of \`${folder}\` for minutes`, [
        `wait for it to end, or end it; \`${path}\` names the process`,
      ]);
    },
  );
  try {
    return await change();
  } finally {
    lock.release();
  }
}
