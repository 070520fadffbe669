// The tools inside the executable: parsed when it was built, so that they cost a call nothing.
import type { DefinitionSummary } from "./entry.ts";

/** Written by scripts/generate/30-bundled-tools.mjs; a bundled definition has neither errors nor warnings. */
export interface BundledTool {
  readonly fileName: string;
  readonly summary: DefinitionSummary;
  /** From `storeDefinition`. */
  readonly definition: string;
  readonly text: string;
}

/** Before the file name, where people see it. */
export const BUNDLED_PREFIX = "builtin:";
