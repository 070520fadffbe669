// Logs the decision about a call of another agent's tool, which does not run here.
import type { PreparedCall } from "../tool/call.ts";
import { entryOf } from "./log-call.ts";
import type { Ruling } from "./permit.ts";
import type { Session } from "./session.ts";

export interface JudgedCall {
  readonly prepared: PreparedCall;
  readonly ruling: Ruling;
  readonly client: string;
  /** What the client was told, and why. */
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
}

export function logJudged(
  { prepared, ruling, client, status, reason, durationMs }: JudgedCall,
  session: Session,
): void {
  const ended = { call: prepared.call, ruled: { ruling, prepared }, parent: { path: [] } };
  session.guard?.audit.write({
    ...entryOf(ended, session),
    client,
    status,
    ...(reason === "" ? {} : { reason }),
    ms: Math.round(durationMs * 1000) / 1000,
  });
}
