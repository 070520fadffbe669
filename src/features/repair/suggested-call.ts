// The call that a failure suggests: what the caller should have sent, unless policy would refuse it. Finding it runs
// nothing, asks nobody, and counts against no rate limit.
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import { withoutSourced } from "../../core/schema/given-parameters.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { validateArguments } from "../../core/schema/validate.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import type { Failure, Losses } from "../../core/tool/failure.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { giverIn } from "../../core/run/prepare.ts";
import { judgeCall } from "../../core/run/judge.ts";
import { matchesOf } from "../../core/run/permit.ts";
import { repairedCall, type Suggestion } from "./repair.ts";
import type { Session } from "../../core/run/session.ts";

const REPAIR_MS_MAX = 500;

interface SuggestionOptions {
  readonly tool: Tool;
  readonly session: Session;
  readonly issues?: readonly ArgumentIssue[];
}

type Repaired = ReturnType<typeof repairedCall>;

/** Returns a call that would be accepted and that policy does not forbid, or why there is none. */
export async function suggestedCall(call: ToolCall, { tool, session, issues }: SuggestionOptions): Promise<Repaired> {
  const whole = repairedInTime(call, { tool, session, ...(issues ? { issues } : {}) });
  if (!whole || "withheld" in whole) return whole;
  const repaired = giverIn(session) === "model" ? asAModelGives(whole, tool) : whole;
  return !(await isForbidden({ ...call, arguments: repaired.arguments }, tool, session)) ? repaired : undefined;
}

function asAModelGives(repaired: Suggestion, { parameters }: Tool): Suggestion {
  const args = withoutSourced(repaired.arguments, parameters);
  const isLeft = (path: string): boolean => Object.hasOwn(args, path.split(/[.[]/, 1)[0] ?? "");
  const wasKept = (name: string): boolean => Object.hasOwn(repaired.arguments, name) && !isLeft(name);
  return {
    ...repaired,
    arguments: args,
    placeholders: repaired.placeholders.filter(isLeft),
    kept: repaired.kept.filter((name) => !wasKept(name)),
    lost: [...repaired.lost, ...repaired.kept.filter(wasKept)],
  };
}

/** Repairs within a time limit, since a value in another form may take the pattern of its parameter very long. */
function repairedInTime(call: ToolCall, { tool, session, issues }: SuggestionOptions): Repaired {
  const repair = (): Repaired => repairedCall(tool, call.arguments, issues);
  if (tool.safeTextLength === Infinity) return repair();
  try {
    return session.host.runBounded(repair, REPAIR_MS_MAX);
  } catch (error) {
    if (codeOf(error) !== "ETIMEDOUT") throw error;
    return undefined;
  }
}

/** Returns the suggestion in the form that `invalid-arguments` has. */
export function suggestionOf(
  repaired: Repaired,
): Pick<Extract<Failure, { kind: "invalid-arguments" }>, "example" | "placeholders" | "losses"> {
  if (!repaired) return {};
  if ("withheld" in repaired) return { losses: { leftOut: repaired.withheld, changed: [] } };
  const losses = lossesOf(repaired);
  return {
    example: repaired.arguments,
    ...(repaired.placeholders.length === 0 ? {} : { placeholders: repaired.placeholders }),
    ...(losses ? { losses } : {}),
  };
}

/** Returns what a message has to say of a suggestion, or undefined if it keeps every value. */
function lossesOf({ lost, changed, each }: Suggestion): Losses | undefined {
  if (lost.length + changed.length === 0 && !each) return undefined;
  return { leftOut: lost, changed, ...(each ? { each } : {}) };
}

async function isForbidden(
  call: ToolCall & { readonly arguments: JsonObject },
  tool: Tool,
  session: Session,
): Promise<boolean> {
  const { arguments: args } = validateArguments(tool.parameters, call.arguments, {
    owner: call.tool,
    environment: () => undefined,
  });
  const frontEnd = session.frontEnd ?? "person";
  // A value that only the gate can complete, such as a secret from elsewhere, is judged as it is.
  const prepared = { call, tool, arguments: args ?? call.arguments };
  try {
    const matches = matchesOf(prepared, { config: await session.guard?.current(), session, frontEnd });
    return (
      judgeCall(prepared, [...session.policy, ...matches.map((match) => ({ ...match, matches: () => true }))], frontEnd)
        .decision === "deny"
    );
  } catch {
    return true;
  }
}
