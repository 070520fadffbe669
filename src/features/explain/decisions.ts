// What policy would decide about a call, for each kind of caller. Nobody is asked for that, and no rate limit counts it.
import { type Decision, type Caller, callers, type MatchedRule } from "../../core/tool/policy.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import { permit } from "../../core/run/permit.ts";
import type { Session } from "../../core/run/session.ts";

export interface CallerDecision {
  readonly frontEnd: Caller;
  readonly decision: Decision;
  readonly rules: readonly Pick<MatchedRule, "name" | "reason">[];
  /** Set if it was approved before. */
  readonly isAgreed?: true;
  /** What a person types to allow it. */
  readonly allowWith?: string;
}

export async function decisionsOf(prepared: PreparedCall, session: Session): Promise<readonly CallerDecision[]> {
  // Another agent's hook is about its own tools, and calls none of these.
  return Promise.all(
    callers.filter((frontEnd) => frontEnd !== "hook").map((frontEnd) => decisionOf(prepared, frontEnd, session)),
  );
}

export async function decisionOf(prepared: PreparedCall, frontEnd: Caller, session: Session): Promise<CallerDecision> {
  const { signal } = new AbortController();
  const { verdict, answer, failure } = await permit(prepared, { ...session, frontEnd }, { signal, isQuestion: true });
  const told = failure?.kind === "denied" ? failure.verdict : verdict;
  return {
    frontEnd,
    decision: told.decision,
    rules: told.matched
      .filter(({ decision }) => decision === told.decision)
      .map(({ name, reason }) => ({ name, reason })),
    ...(answer ? { isAgreed: true } : {}),
    ...(told.question?.allowWith === undefined ? {} : { allowWith: told.question.allowWith }),
  };
}
