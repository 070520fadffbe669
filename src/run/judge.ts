// Whether a call may run: every rule that matches is kept, and the strictest decides.
import type { PreparedCall } from "../tool/call.ts";
import type { Decision, FrontEnd, PolicyRule, Verdict } from "../tool/policy.ts";

const mildToStrict: readonly Decision[] = ["allow", "ask", "deny"];

/** No rule matches: ask. */
export function judgeCall(call: PreparedCall, policy: readonly PolicyRule[], frontEnd: FrontEnd = "person"): Verdict {
  const matched = policy.filter((rule) => rule.matches(call, frontEnd)).map(({ name, decision, reason }) => ({ name, decision, reason }));
  let strictest = matched.length === 0 ? mildToStrict.indexOf("ask") : 0;
  for (const rule of matched) strictest = Math.max(strictest, mildToStrict.indexOf(rule.decision));
  return { decision: mildToStrict[strictest] ?? "ask", matched };
}

/** A person who types a tool's name has consented to it. */
export const consentOfPerson: PolicyRule = {
  name: "called by a person",
  decision: "allow",
  reason: "whoever types the name of a tool wants it to run",
  matches: () => true,
};
