// Caches of tool folders that are no longer there. Looked for when a cache is written, which is rare, and only among
// some of them.
import { join } from "node:path";
import { CACHE_ENDING, cacheFolderOf, folderInCache } from "./cache.ts";
import type { Host } from "../tool/host.ts";

/** The limit of caches that are checked each time. */
const CACHES_MAX = 50;

export function removeCachesOfGoneFolders(host: Host): void {
  const { instant } = host;
  const cacheFolder = cacheFolderOf(host);
  try {
    const names = instant
      .list(cacheFolder)
      .filter(({ name, kind }) => kind === "file" && name.endsWith(CACHE_ENDING))
      .map(({ name }) => name);
    // If there are more, another part of them is checked each time.
    const start = names.length <= CACHES_MAX ? 0 : Number.parseInt(host.randomId().slice(0, 8), 16) % names.length;
    for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, CACHES_MAX)) {
      const path = join(cacheFolder, name);
      const folder = folderInCache(path, host);
      if (folder !== undefined && !instant.stat(folder)) instant.remove(path);
    }
  } catch {
    // A cache that cannot be listed or removed only costs space.
  }
}
