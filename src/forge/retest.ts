// Tests a stored tool again, from nothing but its text: after a quarantine, and where it comes from elsewhere.
import type { Session } from "../run/session.ts";
import type { Checked } from "../text/diagnostic.ts";
import type { ToolDefinition, ToolTest } from "../tool/definition.ts";
import type { Tool } from "../tool/tool.ts";
import { readForgedText } from "./definition.ts";
import { judgeTool, type Verdict } from "./judge.ts";
import type { TestCase } from "./request.ts";
import { type CaseResult, tryCases } from "./try-cases.ts";

export interface RetestOptions {
  readonly session: Session;
  readonly signal: AbortSignal;
  build(definition: ToolDefinition): Checked<Tool>;
}

export type Retested =
  | { readonly tool: Tool; readonly verdict: Verdict; readonly cases: readonly CaseResult[] }
  /** Why there is no tool. */
  | { readonly problem: string };

export async function retest(text: string, { session, signal, build }: RetestOptions): Promise<Retested> {
  const read = readForgedText(text);
  if ("problems" in read) return { problem: read.problems[0]?.message ?? "it is not a definition of steps or code" };
  await session.registry.complete();
  const { value: tool, diagnostics } = build(read.definition);
  if (!tool) return { problem: diagnostics[0]?.message ?? "it cannot be built" };
  const testCases = read.definition.tests.flatMap(caseOf);
  const cases = await tryCases(tool, testCases, { session, signal, path: [] });
  return { tool, verdict: judgeTool(tool, { testCases }, cases), cases };
}

/** Returns the case that the test of a forged tool was written from. */
function caseOf({ arguments: input, expectations: [expectation] }: ToolTest): readonly TestCase[] {
  switch (expectation?.kind) {
    case "result":
      return [{ input, expectedOutput: expectation.value }];
    case "output-equals":
      return [{ input, expectedOutput: expectation.text === "" ? null : expectation.text }];
    case "exit-code":
      return [{ input }];
  }
  return [];
}
