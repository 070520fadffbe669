// Whether a tool is called too often: by its own definition, and by the rules that say how often.
import { resolve } from "node:path";
import { namesBelow } from "../policy/call-views.ts";
import type { ConfiguredRule } from "../policy/rule.ts";
import { countCall, type RateCheck } from "../policy/rate-limit.ts";
import type { Failure } from "../tool/failure.ts";
import type { Rate } from "../tool/rate.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

export async function rateFailure(
  { call, tool }: PreparedCall,
  rules: readonly (ConfiguredRule & { readonly rate: Rate })[],
  { guard, host, cwd }: Session,
): Promise<Failure | undefined> {
  if (!guard) return undefined;
  const checks = [
    ...declaredRates(tool, cwd),
    ...rules.map((rule) => ({
      key: `${limitedName(rule, tool)} ${rule.fingerprint}`,
      rate: rule.rate,
      by: rule.place,
    })),
  ];
  for (const { key, rate, by } of checks) {
    const answer = await countCall({ key, rate }, host);
    if (answer.kind === "too-often") return { kind: "too-often", tool: call.tool, rate, waitMs: answer.waitMs, by };
    if (answer.kind === "unknown") return uncountable(call.tool, by, answer);
  }
  return undefined;
}

/** A tool with a rate limit may not be called when its calls cannot be counted. */
function uncountable(
  tool: string,
  by: string,
  { reason, help }: { readonly reason: string; readonly help: string },
): Failure {
  const matched = {
    name: by,
    decision: "deny" as const,
    reason: `its calls cannot be counted: ${reason}; ${help}`,
  };
  return { kind: "denied", tool, verdict: { decision: "deny", matched: [matched] } };
}

/** Returns the tool that a rule is about: the called one, or one of its dependencies. */
function limitedName({ tools }: ConfiguredRule, tool: Tool): string {
  const isMeant = (name: string): boolean =>
    tools.length === 0 || tools.some((pattern) => pattern.matches(name, "exactly"));
  const names = [tool.definition.name.value, ...namesBelow(tool)];
  return names.find(isMeant) ?? tool.definition.name.value;
}

/** Returns the rates of the tool and of its underlying tools, since another name does not avoid a limit. */
function declaredRates(tool: Tool, cwd: string): readonly (RateCheck & { readonly by: string })[] {
  const { limits, origin, name } = tool.definition;
  const [base] = tool.below ? (tool.underlying ?? []) : [];
  const below = base ? declaredRates(base, cwd) : [];
  // A rate from the underlying tool is the same object.
  if (limits.rate === undefined || limits.rate === base?.definition.limits.rate) return below;
  return [
    ...below,
    {
      key: `${name.value} ${origin.kind === "file" ? resolve(cwd, origin.source.path) : origin.kind}`,
      rate: limits.rate,
      by: "@limit",
    },
  ];
}
