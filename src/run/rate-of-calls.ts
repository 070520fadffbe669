// Whether a tool is called too often: by its own definition, and by the rules that say how often.
import { resolve } from "node:path";
import type { ConfiguredRule } from "../policy/rule.ts";
import { type RateCheck, waitForRate } from "../policy/rate-limit.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { Rate } from "../tool/rate.ts";
import type { Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

export async function rateFailure({ call, tool }: PreparedCall, rules: readonly (ConfiguredRule & { readonly rate: Rate })[], { guard, host, cwd }: Session): Promise<Failure | undefined> {
  if (!guard) return undefined;
  const checks = [...declaredRates(tool, cwd), ...rules.map(({ rate, fingerprint, place }) => ({ key: `${call.tool} ${fingerprint}`, rate, by: place }))];
  for (const { key, rate, by } of checks) {
    const waitMs = await waitForRate({ key, rate }, { host, memory: guard.rates, warn: guard.warn });
    if (waitMs !== undefined) return { kind: "too-often", tool: call.tool, rate, waitMs, by };
  }
  return undefined;
}

/** Another name for a tool is no way round how often that may be called. */
function declaredRates(tool: Tool, cwd: string): readonly (RateCheck & { readonly by: string })[] {
  const { limits, origin, name } = tool.definition;
  const [base] = tool.below ? (tool.standsOn ?? []) : [];
  const below = base ? declaredRates(base, cwd) : [];
  // What it has from the tool below is the same object.
  if (limits.rate === undefined || limits.rate === base?.definition.limits.rate) return below;
  return [...below, { key: `${name.value} ${origin.kind === "file" ? resolve(cwd, origin.source.path) : origin.kind}`, rate: limits.rate, by: "@limit" }];
}
