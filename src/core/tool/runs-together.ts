// Which calls of one reply may run at the same time.
import type { Tool } from "./tool.ts";

/** Whether calls of it may run beside others. Undefined: there is no such tool, so nothing runs. */
export function mayRunTogether(tool: Tool | undefined): boolean {
  return tool === undefined || (onlyReads(tool) && !changesTools(tool));
}

/** A tool whose effects are unknown may do anything. */
function onlyReads({ effects }: Tool): boolean {
  return effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network");
}

/** Whether the tool, or one below it, changes which tools there are: a later call may be meant for one of these. */
export function changesTools({ definition, underlying = [] }: Tool): boolean {
  return (definition.kind === "base" && definition.changesTools === true) || underlying.some(changesTools);
}
