// Resolves all links of a path.
import { dirname, join, relative, resolve } from "node:path";
import type { Host } from "../tool/host.ts";

const FOLDERS_UP_MAX = 64;
/** The limit of Linux. */
const LINKS_MAX = 40;

/**
 * Resolves a path that need not exist: through existing folders and dangling links, because writing creates their
 * targets.
 */
export function realPath(path: string, host: Host, linksMax = LINKS_MAX): string {
  const missing: string[] = [];
  let at = path;
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    // An error takes ten times as long as these two looks.
    const isThere = host.instant.stat(at) !== undefined;
    if (isThere || host.instant.isLink(at)) {
      try {
        return join(host.instant.realPath(at), ...missing);
      } catch {
        const target = linksMax > 0 ? host.instant.readLink(at) : undefined;
        if (target !== undefined)
          return realPath(
            join(resolve(realPath(dirname(at), host, linksMax - 1), target), ...missing),
            host,
            linksMax - 1,
          );
      }
    }
    const parent = resolve(at, "..");
    if (parent === at) break;
    missing.unshift(relative(parent, at));
    at = parent;
  }
  return path;
}
