// Which definition a name reaches: the nearest one, unless it may not take that name.
import type { Scope } from "../tool/definition.ts";
import type { Place, Standing } from "./entry.ts";

/** One definition that wants the name. */
export interface Claim {
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folder: number;
  readonly isBroken: boolean;
  /** Asked only where names clash. */
  place(): Place;
}

export interface TakenNames {
  /** Of tools made in TypeScript, the reserved ones too. */
  readonly base: ReadonlySet<string>;
  /** Those of them whose names no definition can take. */
  readonly reserved: ReadonlySet<string>;
}

const soleUsed: readonly Standing[] = [{ kind: "used" }];
const soleBroken: readonly Standing[] = [{ kind: "broken" }];

/** Of each of `rivals`, in the same order. They all want `name`, and come nearest first, by path within a folder. */
export function standingsOf(name: string, rivals: readonly Claim[], taken: TakenNames): readonly Standing[] {
  const [first] = rivals;
  // Nearly every name is wanted once.
  if (first && rivals.length === 1 && !taken.base.has(name)) return first.isBroken ? soleBroken : soleUsed;
  const owner = foreignOwner(name, rivals, taken);
  const firstOfFolder = new Map<number, Claim>();
  let winner: Claim | undefined;
  return rivals.map((claim): Standing => {
    const twin = firstOfFolder.get(claim.folder);
    if (!twin) firstOfFolder.set(claim.folder, claim);
    if (taken.reserved.has(name)) return { kind: "reserved" };
    if (twin) return { kind: "duplicate", of: twin.place() };
    if (winner) return { kind: "shadowed", by: winner.place() };
    if (owner && claim.scope === "project") return { kind: "refused", by: owner };
    winner = claim;
    return claim.isBroken ? { kind: "broken" } : { kind: "used" };
  });
}

/** Whose name a project's definition would take. */
function foreignOwner(name: string, rivals: readonly Claim[], taken: TakenNames): Place | undefined {
  const foreign = rivals.find((other) => other.scope === "user" || other.scope === "global" || other.scope === "builtin");
  if (foreign) return foreign.place();
  return taken.base.has(name) ? { scope: "base", path: "", line: 0 } : undefined;
}
