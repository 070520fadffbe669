// Whether a call may run: all matching rules are collected, and the strictest decides.
import { raisedEffects } from "../builder/effects.ts";
import type { Effect, ToolDefinition } from "../tool/definition.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { Caller, Decision, Verdict } from "../tool/policy.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";

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

/**
 * Whether it is certain that a tool only reads. For a third party's program it is a claim of its author that nothing
 * enforces. dottool's own tools enforce it by their checks, and so for those that use them.
 */
function isHeldToReading(tool: Tool): boolean {
  const { definition } = tool;
  const isOurs =
    definition.origin.kind === "base" || (definition.origin.kind === "file" && definition.origin.scope === "builtin");
  return (isOurs || !hasOwnProgram(definition)) && (tool.underlying ?? []).every(isHeldToReading);
}

/** Returns the effects of an untrusted tool. Its author's claims about its programs do not count. */
export function effectsUntrusted(tool: Tool): readonly Effect[] {
  return tool.effects.length === 0 || isHeldToReading(tool) ? tool.effects : raisedEffects(tool.effects, ["run"]);
}

function hasOwnProgram(definition: ToolDefinition): boolean {
  switch (definition.kind) {
    case "base":
      return true;
    case "wrapped":
      return definition.commands.length > 0 || definition.fallback !== undefined;
    case "steps":
      return [...definition.steps, ...definition.cleanup].some(
        ({ action, fallback }) => action.kind === "command" || fallback?.kind === "command",
      );
    case "alias":
    case "code":
      return false;
  }
}

export const defaultPolicy: readonly PolicyRule[] = [consentOfPerson, readingByModels];
