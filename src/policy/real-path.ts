// Where a path leads in the end.
import { join, relative, resolve } from "node:path";
import type { Host } from "../tool/host.ts";

const FOLDERS_UP_MAX = 64;

/** Of what is not there yet, through the folders that are. */
export function realPath(path: string, host: Host): string {
  const missing: string[] = [];
  let at = path;
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    try {
      return join(host.instant.realPath(at), ...missing);
    } catch {
      const parent = resolve(at, "..");
      if (parent === at) break;
      missing.unshift(relative(parent, at));
      at = parent;
    }
  }
  return path;
}
