// The record of a call that is about to run.
import { orderSteps } from "../../core/language/kinds/step-order.ts";
import { contentOf } from "../../core/policy/content.ts";
import { shownCall } from "../../core/run/call-tool.ts";
import type { Session } from "../../core/run/session.ts";
import { isJsonObject } from "../../core/schema/json.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import type { RunRecord } from "./run-record.ts";

export async function newRecord(
  prepared: PreparedCall,
  session: Session,
  given: Pick<RunRecord, "id" | "approvals" | "options">,
): Promise<RunRecord> {
  const { call } = prepared;
  const { host, cwd } = session;
  const sent = isJsonObject(call.arguments) ? call.arguments : {};
  const shown = (await shownCall(call, session)).arguments;
  const stored = isJsonObject(shown) ? shown : {};
  const secrets = Object.keys(sent).filter((name) => JSON.stringify(sent[name]) !== JSON.stringify(stored[name]));
  return {
    ...given,
    startedAt: host.timestamp(),
    tool: call.tool,
    arguments: stored,
    ...(secrets.length === 0 ? {} : { secrets }),
    cwd,
    content: contentOf(prepared, session).parts,
    ...stepsOf(prepared),
    processId: host.shared.processId,
  };
}

function stepsOf({ tool: { definition } }: PreparedCall): Pick<RunRecord, "steps"> {
  if (definition.kind !== "steps") return {};
  return { steps: (orderSteps(definition).value ?? []).map(({ step, after }) => ({ name: step.name.value, after })) };
}
