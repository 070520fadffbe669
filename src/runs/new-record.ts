// The record of a call that is about to run.
import { contentOf } from "../policy/content.ts";
import { shownCall } from "../run/call-tool.ts";
import type { Session } from "../run/session.ts";
import { isJsonObject } from "../schema/json.ts";
import type { PreparedCall } from "../tool/tool.ts";
import type { RunApproval, RunRecord } from "./run-record.ts";

export async function newRecord(
  prepared: PreparedCall,
  session: Session,
  { id, approvals }: { readonly id: string; readonly approvals: readonly RunApproval[] },
): Promise<RunRecord> {
  const { call } = prepared;
  const { host, cwd } = session;
  const shown = (await shownCall(call, session)).arguments;
  return {
    id,
    startedAt: host.timestamp(),
    tool: call.tool,
    arguments: isJsonObject(shown) ? shown : {},
    ...(JSON.stringify(shown) === JSON.stringify(call.arguments) ? {} : { hasSecrets: true }),
    cwd,
    content: contentOf(prepared, session).parts,
    approvals,
    processId: host.shared.processId,
  };
}
