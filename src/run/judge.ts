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

/** Who has typed a tool's name, or written it into a program, has consented to it. */
export const consentOfPerson: PolicyRule = {
  name: "called by a person",
  decision: "allow",
  reason: "whoever types the name of a tool wants it to run",
  matches: (_call, frontEnd) => frontEnd === "person" || frontEnd === "program",
};

/** What a model calls may look, and nothing else: an address of the web carries out what was read. */
export const readingByModels: PolicyRule = {
  name: "reads only",
  decision: "allow",
  reason: "the tool only reads",
  matches: ({ tool }, frontEnd) => frontEnd !== "person" && frontEnd !== "program" && tool.effects.length > 0 && tool.effects.every((effect) => effect === "read"),
};

/** The rules that hold where nobody has written any. */
export const defaultPolicy: readonly PolicyRule[] = [consentOfPerson, readingByModels];
