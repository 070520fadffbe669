// The targets of the links in a folder, for commands that follow them: a repository may have a link to keys.
import { join } from "node:path";
import type { Host } from "../tool/host.ts";
import { realPath } from "./real-path.ts";

/** The limit of a call: listing so many entries takes half a second. */
const ENTRIES_MAX = 100_000;

/** Returns real paths. `isAll` is false if there are too many entries to find every link. */
export function linksBelow(folder: string, host: Host): { readonly paths: readonly string[]; readonly isAll: boolean } {
  const folders = [folder];
  const paths: string[] = [];
  let entries = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const { name, kind } of listOrNothing(at, host)) {
      if (++entries > ENTRIES_MAX) return { paths, isAll: false };
      if (kind === "folder") folders.push(join(at, name));
      if (kind === "link") paths.push(realPath(join(at, name), host));
    }
  }
  return { paths, isAll: true };
}

function listOrNothing(folder: string, host: Host): ReturnType<Host["instant"]["list"]> {
  try {
    return host.instant.list(folder);
  } catch {
    return [];
  }
}
