// Changes to one file, one after the other: an agent sends two edits of a file in one reply, or two agents one each, and neither may undo the other.
import { join, resolve } from "node:path";
import { cancelled, failed } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { takeLock } from "../tool/lock-file.ts";
import type { ToolContext } from "../tool/tool.ts";

/** Longer than a lock can be held by a process that stands still. */
const WAIT_MS_MAX = 30_000;

/** The last change of each file that is still going on, by real path. */
const going = new WeakMap<Host["files"], Map<string, Promise<unknown>>>();

export async function oneAtATime(path: string, context: ToolContext, change: () => Promise<Outcome>): Promise<Outcome> {
  const { files } = context.host;
  const file = await realPathOf(resolve(context.cwd, path), files);
  const changes = going.get(files) ?? new Map<string, Promise<unknown>>();
  going.set(files, changes);
  const before = changes.get(file);
  const locked = (): Promise<Outcome> => underLock(file, { shown: path, context, change });
  const own = (before ?? Promise.resolve()).then(locked, locked);
  changes.set(file, own);
  try {
    return await own;
  } finally {
    if (changes.get(file) === own) changes.delete(file);
  }
}

interface Change {
  readonly shown: string;
  readonly context: ToolContext;
  change(): Promise<Outcome>;
}

/** Also between the processes of this user. Where the state folder takes no file, the look before the write is all there is. */
async function underLock(file: string, { shown, context: { host, signal }, change }: Change): Promise<Outcome> {
  let release: (() => void) | undefined;
  try {
    release = await takeLock(join(host.folders.state, "locks", host.sha256(file).slice(0, 32)), { host, signal, waitMsMax: WAIT_MS_MAX });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (signal.aborted) return cancelled;
    if (code === "EBUSY") return failed({ kind: "rejected", reason: `\`${shown}\` is unchanged: other calls of dottool have been changing it for ${WAIT_MS_MAX / 1_000} s`, help: ["try again later"] });
  }
  try {
    return await change();
  } finally {
    release?.();
  }
}

/** Two names of one file are one file; a file that is new has the name it is given. */
async function realPathOf(path: string, files: Host["files"]): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return path;
  }
}
