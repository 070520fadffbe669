// Whether a call may run: every rule that matches is kept, and the strictest decides.
import type { PreparedCall } from "../tool/call.ts";
import { raisedEffects } from "../builder/effects.ts";
import type { Effect, ToolDefinition } from "../tool/definition.ts";
import type { Decision, FrontEnd, PolicyRule, Verdict } from "../tool/policy.ts";
import type { Tool } from "../tool/tool.ts";

const mildToStrict: readonly Decision[] = ["allow", "ask", "deny"];

/** No rule matches: ask. */
export function judgeCall(call: PreparedCall, policy: readonly PolicyRule[], frontEnd: FrontEnd = "person"): Verdict {
  const matched = policy
    .filter((rule) => rule.matches(call, frontEnd))
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
  matches: ({ tool }, frontEnd) =>
    frontEnd !== "person" &&
    frontEnd !== "program" &&
    tool.effects.length > 0 &&
    tool.effects.every((effect) => effect === "read") &&
    isHeldToReading(tool),
};

/**
 * That a program of somebody's only reads is what its author says, and nothing holds it to that. What comes with
 * dottool is held to it by its own checks, and so is what goes through it.
 */
export function isHeldToReading(tool: Tool): boolean {
  const { definition } = tool;
  const isOurs =
    definition.origin.kind === "base" || (definition.origin.kind === "file" && definition.origin.scope === "builtin");
  return (isOurs || !hasOwnProgram(definition)) && (tool.standsOn ?? []).every(isHeldToReading);
}

/** Of a tool that nobody has trusted: what its author says of its programs counts for nothing. */
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

/** The rules that hold where nobody has written any. */
export const defaultPolicy: readonly PolicyRule[] = [consentOfPerson, readingByModels];
