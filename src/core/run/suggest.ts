// The stage after a call was refused because of its name or its arguments: the failure gets the call that was meant, as
// far as the feature `repair` finds one.
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { loadPart } from "../tool/feature.ts";
import type { Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

export interface MeantNames {
  /** The best one first. */
  readonly nearest: readonly string[];
  /**
   * The names that can hardly mean anything else: with other letters, with other words around them, or as other agents
   * have them.
   */
  readonly sure: ReadonlySet<string>;
}

export type Fitting = Pick<Extract<Failure, { kind: "unknown-tool" }>, "suggested" | "withheld">;

export interface FittingOptions extends MeantNames {
  readonly session: Session;
  /** Returns the arguments for a tool, if words were sent, which mean different arguments to each tool. */
  readonly argumentsFor?: (tool: Tool) => unknown;
}

export interface Repairs {
  withSuggestion(failure: Failure, call: ToolCall, session: Session): Promise<Failure>;
  meantNames(wanted: string, names: readonly string[]): MeantNames;
  /**
   * Returns the call of a similar tool. A similar name may be that of a tool which does far more, so tools that change
   * something are not suggested for similarity.
   */
  fittingCall(call: ToolCall, options: FittingOptions): Promise<Fitting>;
}

declare module "../tool/feature.ts" {
  interface Parts {
    repairs: Repairs;
  }
}

/** Returns the failure of `prepareCall` with a suggestion. An unknown tool with a faulty definition fails for that. */
export async function withSuggestion(failure: Failure, call: ToolCall, session: Session): Promise<Failure> {
  if (failure.kind === "unknown-tool") {
    await session.registry.complete();
    const broken = await session.broken?.(call.tool);
    if (broken) return broken;
  }
  return (await loadPart("repairs"))?.withSuggestion(failure, call, session) ?? failure;
}

export function unknownTool(call: ToolCall, session: Session): Promise<Failure> {
  return withSuggestion({ kind: "unknown-tool", name: call.tool, nearest: [] }, call, session);
}
