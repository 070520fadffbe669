// Whether a call may run: all matching rules are collected, and the strictest decides.
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { Caller, Decision, Verdict } from "../tool/policy.ts";
import type { PreparedCall } from "../tool/tool.ts";

const mildToStrict: readonly Decision[] = ["allow", "ask", "deny"];

/** Judges a call. If no rule matches, it is asked about. */
export function judgeCall(call: PreparedCall, policy: readonly PolicyRule[], caller: Caller = "person"): Verdict {
  const matched = policy
    .filter((rule) => rule.matches(call, caller))
    .map(({ name, decision, reason, asksEachTime }) => ({
      name,
      decision,
      reason,
      ...(asksEachTime ? { asksEachTime } : {}),
    }));
  let strictest = matched.length === 0 ? mildToStrict.indexOf("ask") : 0;
  for (const rule of matched) strictest = Math.max(strictest, mildToStrict.indexOf(rule.decision));
  return { decision: mildToStrict[strictest] ?? "ask", matched };
}

/** A person who types a tool's name, or writes it into a program, has consented to it. */
export const consentOfPerson: PolicyRule = {
  name: "called by a person",
  decision: "allow",
  reason: "a person needs no approval",
  matches: (_call, caller) => caller === "person" || caller === "program",
};

/**
 * A model's call may only read: a web address can carry out what was read. What an author says of a tool counts,
 * because a person has trusted the definition.
 */
const readingByModels: PolicyRule = {
  name: "reads only",
  decision: "allow",
  reason: "the tool only reads",
  matches: ({ tool }, caller) =>
    caller !== "person" &&
    caller !== "program" &&
    tool.effects.length > 0 &&
    tool.effects.every((effect) => effect === "read"),
};

export const defaultPolicy: readonly PolicyRule[] = [consentOfPerson, readingByModels];
