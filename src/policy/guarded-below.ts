// The files that our own tools leave unread when they read a folder to the bottom for a model, so that nobody has to be
// asked about the folder.
import { join } from "node:path";
import { GuardedPlaces, type PlaceOptions } from "./guarded-places.ts";
import { realPath } from "./real-path.ts";

/**
 * Tells of a path from `folder`, which is absolute, whether it is left unread. Undefined: nothing in the folder is.
 * Files that are guarded for the same reason as the folder itself are read: somebody has agreed to it.
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
