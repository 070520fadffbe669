// Changes of one file in sequence. An agent may send two edits of a file in one reply, or two agents one each, and
// neither may undo the other.
import { dirname, join, resolve } from "node:path";
import { cancelled, failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host, WriteLock } from "../../core/tool/host.ts";
import { type Lock, takeLock } from "../../core/store/lock-file.ts";
import type { ToolContext } from "../../core/tool/tool.ts";

/** Longer than a hung process can hold a lock. */
const WAIT_MS_MAX = 30_000;

/**
 * Runs changes of one file in turn, also across the processes of this user. If no file can be created in the state
 * folder, only the look before the write protects.
 */
export async function oneAtATime(
  path: string,
  { cwd, host, signal }: ToolContext,
  change: (lock?: WriteLock) => Promise<Outcome>,
): Promise<Outcome> {
  const file = await realPathOf(resolve(cwd, path), host.files);
  let lock: Lock | undefined;
  try {
    lock = await takeLock(join(host.folders.state, "locks", host.sha256(file).slice(0, 32)), {
      host,
      folder: dirname(file),
      signal,
      waitMsMax: WAIT_MS_MAX,
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (signal.aborted) return cancelled;
    if (code === "EBUSY")
      return failed({
        kind: "rejected",
        reason: `\`${path}\` is unchanged: other calls have held its lock for ${WAIT_MS_MAX / 1_000} s`,
        help: ["try again later"],
      });
  }
  try {
    return await change(lock);
  } finally {
    lock?.release();
  }
}

/** Returns the path by which two names of one file are the same. A new file keeps its given name. */
async function realPathOf(path: string, files: Host["files"]): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return path;
  }
}
