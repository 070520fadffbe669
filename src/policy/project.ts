// The project that somebody works in, as far as a yes counts there: by its real path, so that no link and no copy
// takes an answer along.
import { basename, dirname, join, sep } from "node:path";
import type { Host } from "../tool/host.ts";
import { realPath } from "./real-path.ts";

/** What the folder of a project has in it. */
const MARKS = [".tools", ".git"] as const;

/**
 * The nearest folder with a mark of a project, or `cwd`, absolute and without links. A mark in the home folder is
 * nobody's project: everything else there would be a part of it.
 */
export function projectOf(cwd: string, host: Host): string {
  const start = realPath(cwd, host);
  const home = realPath(host.folders.home, host);
  for (let folder = start; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => host.instant.stat(join(folder, mark)) !== undefined)) return folder;
  }
  return start;
}

/** A path as people in `cwd` would write it. */
export function shownIn(path: string, cwd: string): string {
  return path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : path === cwd ? basename(path) : path;
}
