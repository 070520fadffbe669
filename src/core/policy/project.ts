// The project that an approval applies to: it has a real path, so that an approval does not apply to a link or a copy.
import { basename, dirname, join, sep } from "node:path";
import type { Host } from "../tool/host.ts";
import { realPath } from "./real-path.ts";

/** Entries that mark the folder of a project. */
const MARKS = [".tools", ".git"] as const;

/**
 * Returns the nearest folder with a mark of a project, or `cwd`, absolute and without links. A mark in the home folder
 * does not count: everything else there would be a part of the project.
 */
export function projectOf(cwd: string, host: Host): string {
  const start = realPath(cwd, host);
  const home = realPath(host.folders.home, host);
  for (let folder = start; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => host.instant.stat(join(folder, mark)) !== undefined)) return folder;
  }
  return start;
}

/** Returns the path as a person in `cwd` would write it. */
export function shownIn(path: string, cwd: string): string {
  return path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : path === cwd ? basename(path) : path;
}
