// The events of a run of steps.
import type { StepEvent, ToolContext } from "../tool/tool.ts";

export function tell({ emit, host }: ToolContext, event: Omit<StepEvent, "kind" | "atMs" | "within">): void {
  // A view that cannot be drawn does not delay a step.
  emit({ kind: "step", ...event, atMs: host.nowMs(), within: [] })?.catch(() => undefined);
}

export async function print({ emit }: ToolContext, stream: "stdout" | "stderr", text: string): Promise<void> {
  if (text !== "") await emit({ kind: "output", stream, bytes: new TextEncoder().encode(text) });
}

/** Returns a text with a line end, unless it is empty. */
export function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
