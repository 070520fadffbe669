// The definition that a name reaches: the nearest one, unless it may not take that name.
import type { Place, Resolution } from "./entry.ts";
import { type LoadedDefinition, placeOf } from "./loaded-definition.ts";
import type { ToolFolder } from "./tool-folders.ts";

export interface ResolveOptions {
  readonly taken: TakenNames;
  /** Whether the project that it is from is trusted. Asked only where names clash. */
  isTrusted(loaded: LoadedDefinition): boolean;
}

export interface TakenNames {
  /** The names of tools made in TypeScript, including the reserved ones. */
  readonly base: ReadonlySet<string>;
  /** The tools whose names no definition can take. */
  readonly reserved: ReadonlySet<string>;
}

const soleUsed: readonly Resolution[] = [{ kind: "used" }];
const soleBroken: readonly Resolution[] = [{ kind: "broken" }];

/**
 * Returns the resolution of each of `rivals`, in the same order. They all want `name`; the nearest comes first, by path
 * within a folder.
 */
export function resolutionsOf(
  name: string,
  rivals: readonly LoadedDefinition[],
  options: ResolveOptions,
): readonly Resolution[] {
  const { taken } = options;
  const first = rivals[0];
  // Nearly every name is wanted once.
  if (first && rivals.length === 1 && !taken.base.has(name)) return first.errorCount > 0 ? soleBroken : soleUsed;
  const owner = foreignOwner(name, rivals, options);
  const firstOfFolder = new Map<ToolFolder | undefined, LoadedDefinition>();
  let winner: LoadedDefinition | undefined;
  return rivals.map((rival): Resolution => {
    const twin = firstOfFolder.get(rival.folder);
    if (!twin) firstOfFolder.set(rival.folder, rival);
    if (taken.reserved.has(name)) return { kind: "reserved" };
    if (twin) return { kind: "duplicate", of: placeOf(twin) };
    if (winner) return { kind: "shadowed", by: placeOf(winner) };
    if (owner && rival.scope === "project" && !options.isTrusted(rival)) return { kind: "refused", by: owner };
    winner = rival;
    return rival.errorCount > 0 ? { kind: "broken" } : { kind: "used" };
  });
}

/** Returns the owner whose name a project's definition would take. */
function foreignOwner(name: string, rivals: readonly LoadedDefinition[], { taken }: ResolveOptions): Place | undefined {
  const foreign = rivals.find(
    (other) => other.scope === "user" || other.scope === "global" || other.scope === "builtin",
  );
  if (foreign) return placeOf(foreign);
  return taken.base.has(name) ? { scope: "base", path: "", line: 0 } : undefined;
}
