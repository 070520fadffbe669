// What policy would decide about a call, for each way in. Nobody is asked, and nothing is counted.
import type { PreparedCall } from "../tool/call.ts";
import { type Decision, type FrontEnd, frontEnds, type MatchedRule } from "../tool/policy.ts";
import { permit } from "./permit.ts";
import type { Session } from "./session.ts";

export interface FrontEndDecision {
  readonly frontEnd: FrontEnd;
  readonly decision: Decision;
  /** Those that decide. */
  readonly rules: readonly Pick<MatchedRule, "name" | "reason">[];
  /** Somebody has agreed to it already. */
  readonly isAgreed?: true;
  /** What a person types to allow it. */
  readonly allowWith?: string;
}

export async function decisionsOf(prepared: PreparedCall, session: Session): Promise<readonly FrontEndDecision[]> {
  const { signal } = new AbortController();
  return Promise.all(
    frontEnds.map(async (frontEnd): Promise<FrontEndDecision> => {
      const { verdict, answer, failure } = await permit(
        prepared,
        { ...session, frontEnd },
        { signal, isQuestion: true },
      );
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
    }),
  );
}
