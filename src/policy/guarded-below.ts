// The files that our own tools skip when they read everything below a folder for a model, so that the folder itself
// needs no approval.
import { join } from "node:path";
import { GuardedPlaces, type PlaceOptions } from "./guarded-places.ts";
import { realPath } from "./real-path.ts";

/**
 * Returns a test of whether a path below `folder`, which is absolute, is skipped; undefined if nothing is. Files that
 * are guarded for the same reason as the folder itself are read, because that was approved.
 */
export function guardedBelow(folder: string, options: PlaceOptions): ((path: string) => boolean) | undefined {
  const places = new GuardedPlaces(options);
  const real = realPath(folder, options.host);
  const agreed = places.at(real, "read")?.why;
  if (agreed === undefined && !places.below(real)) return undefined;
  return (path) => {
    const why = places.at(join(real, path), "read")?.why;
    return why !== undefined && why !== agreed;
  };
}
