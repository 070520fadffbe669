// What use makes of a forged tool: it is promoted if it did well, and quarantined if it failed by its own fault.
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import { rounded } from "./judge.ts";
import type { ForgedRecord, Uses } from "./record.ts";
import { type LockedStore, logEvent } from "./store.ts";

export const AGENT_TOOLS_MAX = 50;
/** What makes a tool of a session one of every session. */
const PROMOTED_AFTER = { uses: 5, confidence: 0.8, judges: 2 } as const;
const QUARANTINED_AFTER_IN_A_ROW = 3;
const QUARANTINED_BELOW = 0.3;

/** Counts a use, of which other processes may count others at the same time. */
export async function storeUse(
  id: string,
  outcome: "succeeded" | "failed",
  { store, host }: { readonly store: LockedStore; readonly host: Host },
): Promise<void> {
  const found = store.find(id);
  if (!found) return;
  const { succeeded, failed, failedInARow } = found.uses;
  const uses: Uses =
    outcome === "succeeded"
      ? { succeeded: succeeded + 1, failed, failedInARow: 0 }
      : { succeeded, failed: failed + 1, failedInARow: failedInARow + 1 };
  const next = afterUse({ ...found, uses, usedAt: host.timestamp() }, store.all());
  await store.write(next);
  if (next.state !== found.state) logEvent(host, "quarantine", { id, why: next.why ?? "" });
  if (next.tier !== found.tier)
    logEvent(host, next.tier === "agent" ? "promote" : "demote", { id, confidence: currentConfidence(next) });
}

function afterUse(record: ForgedRecord, all: readonly ForgedRecord[]): ForgedRecord {
  const { uses, tier, judges } = record;
  const confidence = currentConfidence(record);
  // A judge may have left it less than that, which is not a failure.
  if (uses.failedInARow >= QUARANTINED_AFTER_IN_A_ROW || (uses.failedInARow > 0 && confidence < QUARANTINED_BELOW)) {
    const why =
      uses.failedInARow >= QUARANTINED_AFTER_IN_A_ROW
        ? `it failed ${uses.failedInARow} times in a row`
        : `its confidence fell to ${confidence}`;
    return { ...record, state: "quarantined", why, tier: tier === "agent" ? "session" : tier };
  }
  const isProven =
    uses.succeeded >= PROMOTED_AFTER.uses &&
    confidence >= PROMOTED_AFTER.confidence &&
    judges.length >= PROMOTED_AFTER.judges;
  const kept = all.filter((one) => one.tier === "agent").length;
  return tier === "session" && isProven && kept < AGENT_TOOLS_MAX ? { ...record, tier: "agent" } : record;
}

export function currentConfidence({ verdict, uses }: ForgedRecord): number {
  return confidenceAfter(verdict.confidence, uses);
}

/** The weight of the first verdict, in uses. */
const VERDICT_WEIGHT = 5;

/** Returns the confidence after some uses. A failure weighs as much as two successes. */
function confidenceAfter(first: number, { succeeded, failed }: Uses): number {
  return rounded((first * VERDICT_WEIGHT + succeeded) / (VERDICT_WEIGHT + succeeded + 2 * failed));
}

/**
 * Whether a failure says something about the tool, and not about its caller, what it calls, or the machine. What a
 * caller may have asked for, such as a file that is not there or a command that fails, is not the tool's.
 */
export function countsAgainst(failure: Failure): boolean {
  switch (failure.kind) {
    case "step-failed":
      return countsAgainst(failure.cause);
    case "code-failed":
      return failure.isOfCall !== true;
    case "timeout":
    case "limit":
    case "wrong-result":
    case "crashed":
      return true;
    case "invalid-arguments":
    case "denied":
    case "cancelled":
    case "too-often":
    case "busy":
    case "too-deep":
    case "untrusted":
    case "unavailable":
    case "unknown-tool":
    case "removed":
    case "definition":
    case "exit":
    case "not-started":
    case "file":
    case "network":
    case "rejected":
      return false;
  }
}
