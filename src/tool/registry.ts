// The tools there are: an immutable snapshot. A call runs to its end against the registry it started with.
import type { Checked } from "../text/diagnostic.ts";
import type { Tool } from "./tool.ts";

export interface ToolRegistry {
  /** Builds the tool when first asked for; a tool whose definition has errors is not found. */
  find(name: string): Tool | undefined;
  /** Sorted by name. Cheap: builds nothing. */
  names(): readonly string[];
  /** A larger registry. A taken name is a diagnostic, and the tool that had it stays. */
  extended(tools: readonly Tool[]): Checked<ToolRegistry>;
}
