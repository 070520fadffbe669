// The call with which a failure ends: what the caller should have sent, if policy would not refuse just that. Nothing
// runs for it, no one is asked, and nothing is counted.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { withoutSourced } from "../schema/given-parameters.ts";
import type { JsonObject } from "../schema/json.ts";
import { validateArguments } from "../schema/validate.ts";
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Tool } from "../tool/tool.ts";
import { giverIn } from "./prepare.ts";
import { judgeCall } from "./judge.ts";
import { matchesOf } from "./permit.ts";
import { type Repair, repairedCall } from "./repair.ts";
import type { Session } from "./session.ts";

const REPAIR_MS_MAX = 500;

interface SuggestionOptions {
  readonly tool: Tool;
  readonly session: Session;
  readonly issues?: readonly ArgumentIssue[];
}

/** Returns a call that would be accepted and that policy does not forbid, or undefined. */
export async function suggestedCall(
  call: ToolCall,
  { tool, session, issues }: SuggestionOptions,
): Promise<Repair | undefined> {
  const whole = repairedInTime(call, { tool, session, ...(issues ? { issues } : {}) });
  const repaired = whole && giverIn(session) === "model" ? asAModelGives(whole, tool) : whole;
  return repaired && !(await isForbidden({ ...call, arguments: repaired.arguments }, tool, session))
    ? repaired
    : undefined;
}

function asAModelGives(repair: Repair, { parameters }: Tool): Repair {
  const args = withoutSourced(repair.arguments, parameters);
  const isLeft = (path: string): boolean => Object.hasOwn(args, path.split(/[.[]/, 1)[0] ?? "");
  return { ...repair, arguments: args, placeholders: repair.placeholders.filter(isLeft) };
}

/** Repairs within a time limit, since a value in another form may take the pattern of its parameter very long. */
function repairedInTime(call: ToolCall, { tool, session, issues }: SuggestionOptions): Repair | undefined {
  const repair = (): Repair | undefined => repairedCall(tool, call.arguments, issues);
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
  repair: Repair | undefined,
): Pick<Extract<Failure, { kind: "invalid-arguments" }>, "example" | "placeholders" | "losses"> {
  if (!repair) return {};
  return {
    example: repair.arguments,
    ...(repair.placeholders.length === 0 ? {} : { placeholders: repair.placeholders }),
    ...(repair.losses ? { losses: repair.losses } : {}),
  };
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
