// The names of the base tools as data, so that a call of one tool need not load the others. test/base/all.test.ts
// compares them with all.ts.

import { featureRows } from "./feature.ts";
import type { BaseTool, Tool } from "./tool.ts";

declare module "./feature.ts" {
  interface FeatureRow {
    readonly baseTools?: readonly string[];
  }
  interface Feature {
    readonly baseTools?: () => Promise<readonly BaseTool[]>;
  }
}

const ownNames: readonly string[] = ["ask_question", "read_output", "run_command", "task_completion", "todo_write"];

/** Returns the names of the base tools, those of features too. */
export function baseToolNames(): readonly string[] {
  return [...ownNames, ...featureRows().flatMap(({ baseTools = [] }) => baseTools)].sort();
}

/** Tools that end an agent's turn. No definition can take their names. */
export const loopBreakingNames: readonly string[] = ["ask_question", "converse", "task_completion"];

/** Tools for people and for steps. A model gets them only if they are named. */
export const unofferedNames: readonly string[] = ["ask_model"];

/** Reads on in a long result. Models are told of it once a result was cut, and can always call it. */
export const readsOnName = "read_output";

/** Whether it is that tool, and not one's own of the same name. */
export function readsOn({ definition }: Pick<Tool, "definition">): boolean {
  return definition.name.value === readsOnName && definition.origin.kind === "base";
}
