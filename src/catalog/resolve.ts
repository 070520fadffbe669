// The definition that a name reaches: the nearest one, unless it may not take that name.
import type { Scope } from "../tool/definition.ts";
import type { Place, Resolution } from "./entry.ts";

/** One definition that wants the name. */
export interface Claim {
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folderIndex: number;
  readonly errorCount: number;
}

export interface ClaimsOptions<OneClaim extends Claim> {
  readonly taken: TakenNames;
  /** Whether the project that it is from is trusted. Asked only where names clash. */
  isTrusted(claim: OneClaim): boolean;
  /** Returns the place of a claim. Called only if names clash. */
  placeOf(claim: OneClaim): Place;
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
export function resolutionsOf<OneClaim extends Claim>(
  name: string,
  rivals: readonly OneClaim[],
  options: ClaimsOptions<OneClaim>,
): readonly Resolution[] {
  const { taken, placeOf } = options;
  const first = rivals[0];
  // Nearly every name is wanted once.
  if (first && rivals.length === 1 && !taken.base.has(name)) return first.errorCount > 0 ? soleBroken : soleUsed;
  const owner = foreignOwner(name, rivals, options);
  const firstOfFolder = new Map<number, OneClaim>();
  let winner: OneClaim | undefined;
  return rivals.map((claim): Resolution => {
    const twin = firstOfFolder.get(claim.folderIndex);
    if (!twin) firstOfFolder.set(claim.folderIndex, claim);
    if (taken.reserved.has(name)) return { kind: "reserved" };
    if (twin) return { kind: "duplicate", of: placeOf(twin) };
    if (winner) return { kind: "shadowed", by: placeOf(winner) };
    if (owner && claim.scope === "project" && !options.isTrusted(claim)) return { kind: "refused", by: owner };
    winner = claim;
    return claim.errorCount > 0 ? { kind: "broken" } : { kind: "used" };
  });
}

/** Returns the owner whose name a project's definition would take. */
function foreignOwner<OneClaim extends Claim>(
  name: string,
  rivals: readonly OneClaim[],
  { taken, placeOf }: ClaimsOptions<OneClaim>,
): Place | undefined {
  const foreign = rivals.find(
    (other) => other.scope === "user" || other.scope === "global" || other.scope === "builtin",
  );
  if (foreign) return placeOf(foreign);
  return taken.base.has(name) ? { scope: "base", path: "", line: 0 } : undefined;
}
