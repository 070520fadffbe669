// The stage after a call was refused because of its name or its arguments: the failure gets the call that was meant.
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { secretMasks } from "./secret-masks.ts";
import type { Session } from "./session.ts";
import { suggestedCall, suggestionOf } from "../../features/repair/suggested-call.ts";
import { unknownTool } from "./unknown-tool.ts";

/**
 * Returns the failure of `prepareCall` with a suggestion, as far as there is one. An unknown tool that has a definition
 * becomes the failure of that.
 */
export async function withSuggestion(failure: Failure, call: ToolCall, session: Session): Promise<Failure> {
  if (failure.kind === "unknown-tool") return unknownTool(call, session);
  const tool = session.registry.find(call.tool);
  if (failure.kind !== "invalid-arguments" || !tool) return failure;
  const repair = await suggestedCall(call, { tool, session, issues: failure.issues });
  const suggested: Failure = { ...failure, ...suggestionOf(repair) };
  const masks = await secretMasks(tool, [call.arguments], session.host);
  return masks ? masks.failure(suggested) : suggested;
}
