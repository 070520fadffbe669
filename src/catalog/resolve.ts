// Which definition a name reaches: the nearest one, unless it may not take that name.
import type { Scope } from "../tool/definition.ts";
import type { Place, Standing } from "./entry.ts";

/** One definition that wants a name. */
export interface Claim {
  readonly name: string;
  readonly scope: Scope;
  readonly path: string;
  readonly line: number;
  /** Definitions of one tool folder have the same. */
  readonly folder: number;
  readonly isBroken: boolean;
}

export interface TakenNames {
  /** Of tools made in TypeScript. */
  readonly base: ReadonlySet<string>;
  /** Those of them whose names no definition can take. */
  readonly reserved: ReadonlySet<string>;
}

/** The standing of each claim, in the same order. `claims` come nearest first, and by path within a folder. */
export function resolveClaims(claims: readonly Claim[], taken: TakenNames): readonly Standing[] {
  const byName = Map.groupBy(claims, (claim) => claim.name);
  const standings = new Map<Claim, Standing>();
  for (const [name, rivals] of byName) {
    const only = rivals.length === 1 ? rivals[0] : undefined;
    if (only && !taken.base.has(name)) standings.set(only, soleStanding(only));
    else resolveRivals(name, rivals, { taken, standings });
  }
  return claims.map((claim) => standings.get(claim) ?? used);
}

const used: Standing = { kind: "used" };
const broken: Standing = { kind: "broken" };

function soleStanding(claim: Claim): Standing {
  return claim.isBroken ? broken : used;
}

function resolveRivals(name: string, rivals: readonly Claim[], { taken, standings }: { readonly taken: TakenNames; readonly standings: Map<Claim, Standing> }): void {
  const owner = foreignOwner(name, rivals, taken);
  let winner: Claim | undefined;
  for (const claim of rivals) {
    const twin = rivals.find((other) => other.folder === claim.folder);
    if (taken.reserved.has(name)) standings.set(claim, { kind: "reserved" });
    else if (twin && twin !== claim) standings.set(claim, { kind: "duplicate", of: placeOf(twin) });
    else if (winner) standings.set(claim, { kind: "shadowed", by: placeOf(winner) });
    else if (owner && claim.scope === "project") standings.set(claim, { kind: "refused", by: owner });
    else {
      winner = claim;
      standings.set(claim, soleStanding(claim));
    }
  }
}

/** Whose name a project's definition would take. */
function foreignOwner(name: string, rivals: readonly Claim[], taken: TakenNames): Place | undefined {
  const foreign = rivals.find((other) => other.scope === "user" || other.scope === "global" || other.scope === "builtin");
  if (foreign) return placeOf(foreign);
  return taken.base.has(name) ? { scope: "base", path: "", line: 0 } : undefined;
}

export function placeOf(claim: Claim): Place {
  return { scope: claim.scope, path: claim.path, line: claim.line };
}
