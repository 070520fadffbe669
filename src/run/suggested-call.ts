// The call that a failure ends with: what the caller should have sent, as long as policy would not refuse just that.
import { validateArguments } from "../schema/validate.ts";
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { judgeCall } from "./judge.ts";
import { type Repair, repairedCall } from "./repair.ts";
import type { Session } from "./session.ts";

export interface SuggestionOptions {
  readonly tool: Tool;
  readonly session: Session;
  readonly issues?: readonly ArgumentIssue[];
}

/** Undefined: no call is known that would be accepted and that policy does not forbid. Nothing runs for it. */
export function suggestedCall(call: ToolCall, { tool, session, issues }: SuggestionOptions): Repair | undefined {
  const repair = repairedCall(tool, call.arguments, issues);
  return repair && !isForbidden({ ...call, arguments: repair.arguments }, tool, session) ? repair : undefined;
}

/** As `invalid-arguments` holds it. */
export function suggestionOf(repair: Repair | undefined): Pick<Extract<Failure, { kind: "invalid-arguments" }>, "example" | "placeholders"> {
  if (!repair) return {};
  return { example: repair.arguments, ...(repair.placeholders.length === 0 ? {} : { placeholders: repair.placeholders }) };
}

function isForbidden(call: ToolCall, tool: Tool, session: Session): boolean {
  const { arguments: args } = validateArguments(tool.parameters, call.arguments, { owner: call.tool, environment: () => undefined });
  // What only the gate can finish is judged when it is called.
  if (!args) return false;
  try {
    return judgeCall({ call, tool, arguments: args }, session.policy, session.frontEnd).decision === "deny";
  } catch {
    return true;
  }
}
