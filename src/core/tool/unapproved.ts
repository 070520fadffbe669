// Tools of packages that no person has approved, whose commands run in the sandbox.
import type { Tool } from "./tool.ts";

/** Whether it is such a tool, or stands directly for one. The steps of a tool are calls of their own. */
export function isUnapproved({ definition: { kind, origin }, underlying = [] }: Tool): boolean {
  if (origin.kind === "file" && origin.isUnapproved) return true;
  return (kind === "alias" || kind === "wrapped") && underlying.some(isUnapproved);
}
