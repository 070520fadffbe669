// The approvals of a run: what a person has approved for it is not asked again when it goes on in another process.
import { maskedArguments } from "../../core/schema/secrets.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import type { Host } from "../../core/tool/host.ts";
import { isYes, type Verdict } from "../../core/tool/policy.ts";
import type { Approver } from "../../core/tool/policy-rule.ts";
import type { RunApproval } from "./run-record.ts";

/** Returns an approver that asks `approver`, and passes on what was approved. */
export function recordingApprover(
  approver: Approver,
  host: Host,
  onApproval: (approval: RunApproval) => void | Promise<void>,
): Approver {
  return {
    ...approver,
    ask: async (call, verdict) => {
      const answer = await approver.ask(call, verdict);
      if (isYes(answer)) await onApproval(approvalOf(call, verdict, host));
      return answer;
    },
  };
}

/** Returns an approver that says yes to what was approved, and asks `approver` about the rest, and what is new in it. */
export function rememberingApprover(approver: Approver, host: Host, approvals: readonly RunApproval[]): Approver {
  const known = new Set(approvals.map(({ key }) => key));
  const names = new Set(approvals.map(({ tool }) => tool));
  return {
    ...approver,
    changes: (call, verdict) => {
      const { tool, key } = approvalOf(call, verdict, host);
      return names.has(tool) && !known.has(key)
        ? ["when the run began, other values or another content of the tool were approved"]
        : [];
    },
    ask: (call, verdict) =>
      known.has(approvalOf(call, verdict, host).key) ? Promise.resolve("once") : approver.ask(call, verdict),
  };
}

function approvalOf(prepared: PreparedCall, verdict: Verdict, host: Host): RunApproval {
  return { tool: prepared.call.tool, key: approvalKey(prepared, verdict, host) };
}

/** Returns a hash of what a person approves. */
export function approvalKey({ call, tool, arguments: args }: PreparedCall, verdict: Verdict, host: Host): string {
  const covered = [call.tool, maskedArguments(args, tool.parameters), verdict.question?.content ?? null];
  return host.sha256(JSON.stringify(covered));
}
