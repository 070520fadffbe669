// What the steps of a call would do, before any of them runs.
import type { Effect } from "./definition.ts";
import type { Step } from "./step.ts";
import type { Expansion } from "./call.ts";

/** The outline of a step. References that are not known yet stay as written: `{clone.stdout}`. */
export interface StepOutline extends ActionOutline {
  readonly step: Step;
  readonly isCleanup: boolean;
  /** Names of the steps that must have ended. */
  readonly after: readonly string[];
  readonly effects: readonly Effect[];
  /** The items of a step that runs once for each item. */
  readonly items?: string;
  readonly fallback?: ActionOutline;
}

export interface ActionOutline {
  /** The tool, program or shell that it runs in the end. */
  readonly tool: string;
  /** The call that it makes. Absent for code. */
  readonly expansion?: Expansion;
}
