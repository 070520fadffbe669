// The base tools: everything a definition can sit on.
import { featureRows } from "../tool/feature.ts";
import type { BaseTool } from "../tool/tool.ts";
import { askQuestion } from "./ask-question.ts";
import { readOutput } from "./read-output.ts";
import { runCommand } from "./run-command.ts";
import { taskCompletion } from "./task-completion.ts";
import { todoWrite } from "./todo-write.ts";

const own: readonly BaseTool[] = [askQuestion, readOutput, runCommand, taskCompletion, todoWrite];

/** Returns the base tools by name, those of features too. */
export async function loadBaseTools(): Promise<readonly BaseTool[]> {
  const rows = featureRows().filter(({ baseTools }) => baseTools !== undefined);
  const loaded = await Promise.all(rows.map(async (row) => (await row.load()).feature.baseTools?.() ?? []));
  return [...own, ...loaded.flat()].sort((a, b) => (a.definition.name.value < b.definition.name.value ? -1 : 1));
}
