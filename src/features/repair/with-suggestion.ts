// The suggestion of a failure: the call that was probably meant.
import { secretMasks } from "../../core/run/secret-masks.ts";
import type { Session } from "../../core/run/session.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { suggestedCall, suggestionOf } from "./suggested-call.ts";
import { unknownTool } from "./unknown-tool.ts";

export async function withSuggestion(failure: Failure, call: ToolCall, session: Session): Promise<Failure> {
  if (failure.kind === "unknown-tool") return unknownTool(call, session);
  const tool = session.registry.find(call.tool);
  if (failure.kind !== "invalid-arguments" || !tool) return failure;
  const repair = await suggestedCall(call, { tool, session, issues: failure.issues });
  const suggested: Failure = { ...failure, ...suggestionOf(repair) };
  const masks = await secretMasks(tool, [call.arguments], session.host);
  return masks ? masks.failure(suggested) : suggested;
}
