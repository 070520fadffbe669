// Which tools may give a person's terminal to their process, whose output nobody else sees then.
import type { Tool } from "../tool/tool.ts";

/**
 * Returns whether the output of the tool's process is only shown: no secret is masked in it, nothing checks it or
 * counts it, and no other attempt or step follows.
 */
export function mayHaveTerminal({ definition }: Pick<Tool, "definition">): boolean {
  const { kind, returns, limits } = definition;
  return kind !== "steps" && returns === undefined && limits.outputBytesMax === undefined;
}
