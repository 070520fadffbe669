// Changes to one file, one after the other: an agent sends two edits of a file in one reply, and neither may undo the other.
import { resolve } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";

/** The last change of each file that is still going on, by real path. */
const going = new WeakMap<Host["files"], Map<string, Promise<unknown>>>();

export async function oneAtATime<T>(path: string, context: ToolContext, change: () => Promise<T>): Promise<T> {
  const { files } = context.host;
  const file = await realPathOf(resolve(context.cwd, path), files);
  const changes = going.get(files) ?? new Map<string, Promise<unknown>>();
  going.set(files, changes);
  const before = changes.get(file);
  const own = (before ?? Promise.resolve()).then(change, change);
  changes.set(file, own);
  try {
    return await own;
  } finally {
    if (changes.get(file) === own) changes.delete(file);
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
