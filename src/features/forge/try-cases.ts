// Runs the test cases of a tool before anyone relies on it: each twice, apart from everything before it. The two runs
// have different clocks and different chance, so that a result which depends on either is found for certain.
import { callBelow } from "../../core/run/call-tool.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { Session } from "../../core/run/session.ts";
import { withTool } from "../../core/run/with-tool.ts";
import { type Json, isJsonObject } from "../../core/schema/json.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Repeatable, Tool } from "../../core/tool/tool.ts";
import type { TestCase } from "./request.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import type { ToolDefinition, ToolTest } from "../../core/tool/definition.ts";
import { readForgedText } from "./definition.ts";
import { type Answer, FAILED, HARD_CODED_CONFIDENCE_MAX, hardCodedReason } from "./hard-coded.ts";
import { type CaseResult, judgeTool, type Verdict } from "./judge.ts";

interface TryOptions {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** The tools above the calls, outermost first. */
  readonly path: readonly string[];
}

/** Two moments in different years, months, days and hours, and two seeds. */
const RUNS: readonly [Repeatable, Repeatable] = [
  { nowMs: Date.UTC(2024, 1, 29, 12, 34, 56, 789), seed: 0x1234_5678 },
  { nowMs: Date.UTC(2031, 10, 3, 3, 21, 9, 123), seed: 0x0bad_cafe },
];

export async function tryCases(
  tool: Tool,
  cases: readonly TestCase[],
  options: TryOptions,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) results.push(await tryCase(tool, one, options));
  return results;
}

async function tryCase(tool: Tool, one: TestCase, options: TryOptions): Promise<CaseResult> {
  const first = await run(tool, one, { ...options, repeatable: RUNS[0] });
  const { input } = one;
  if (first.status === "failed") return { input, passed: false, ...failedWith(first, tool) };
  const output = outputOf(first);
  const wrong = one.expectedOutput === undefined ? [] : differences(one.expectedOutput, output);
  if (wrong.length > 0) return { input, passed: false, output, problems: wrong };
  const second = await run(tool, one, { ...options, repeatable: RUNS[1] });
  const changed =
    second.status === "failed"
      ? [`the second run failed: ${textOf(second.failure, tool)}`]
      : differences(output, outputOf(second)).map((text) =>
          text.replace(/: expected ([^]*), got /, ": first $1, then "),
        );
  return changed.length === 0
    ? { input, passed: true, output, problems: [] }
    : { input, passed: false, output, differs: true, problems: changed };
}

/** Judges by the test cases, and by what the tool does with inputs that are not among them. */
export async function judgeTried(
  tool: Tool,
  { testCases, cases }: { readonly testCases: readonly TestCase[]; readonly cases: readonly CaseResult[] },
  options: TryOptions,
): Promise<Verdict> {
  const verdict = judgeTool(tool, { testCases }, cases);
  if (!verdict.approved) return verdict;
  const reason = await hardCodedReason(tool, testCases, async (input): Promise<Answer> => {
    const result = await run(tool, { input }, { ...options, repeatable: RUNS[0] });
    if (result.status === "ok") return { kind: "answer", text: JSON.stringify(outputOf(result)) };
    const { kind } = innermost(result.failure);
    if (kind === "invalid-arguments") return { kind: "refused" };
    return kind === "code-failed" || kind === "wrong-result" ? { kind: "answer", text: FAILED } : { kind: "limit" };
  });
  if (reason === undefined) return verdict;
  return {
    ...verdict,
    confidence: Math.min(verdict.confidence, HARD_CODED_CONFIDENCE_MAX),
    reasoning: `${verdict.reasoning}; it may only know the answers of its tests (confidence at most ${HARD_CODED_CONFIDENCE_MAX}): ${reason}`,
  };
}

async function run(
  tool: Tool,
  { input }: Pick<TestCase, "input">,
  { session, signal, path, repeatable }: TryOptions & { readonly repeatable: Repeatable },
): Promise<ToolResult> {
  const { onEvent: _shown, lendTerminal: _lent, hasShownOutput: _whole, ...own } = session;
  const name = tool.definition.name.value;
  const host = session.host;
  // What a tool leaves behind in its folder is gone before the next run.
  const folder = changesThings(tool)
    ? await host.files.realPath(await host.files.makeTemporaryFolder("dottool-forge-"))
    : undefined;
  try {
    return await callBelow(
      path,
      { id: `test of ${name}`, tool: name, arguments: input },
      {
        signal,
        session: {
          ...withTool(own, tool),
          memory: new Map(),
          repeatable,
          ...(folder === undefined ? {} : { cwd: folder }),
        },
      },
    );
  } finally {
    if (folder !== undefined) await host.files.remove(folder);
  }
}

function changesThings({ effects }: Tool): boolean {
  return effects.length === 0 || effects.includes("write") || effects.includes("run");
}

/** Returns the value of a result, or its text. Nothing is null. */
export function outputOf({ content }: ToolResult): Json {
  const data = content.find((item) => item.type === "json");
  if (data) return data.value;
  const texts = content.flatMap((item) => (item.type === "text" ? [item.text] : []));
  return texts.length === 0 ? null : texts.join("\n").replace(/\r?\n$/, "");
}

function failedWith(
  { failure }: ToolResult & { readonly status: "failed" },
  tool: Tool,
): Pick<CaseResult, "problems" | "isDenied" | "isUnbounded"> {
  const inner = innermost(failure);
  return {
    problems: [textOf(failure, tool)],
    ...(inner.kind === "denied" ? { isDenied: true } : {}),
    ...(inner.kind === "limit" || inner.kind === "timeout" ? { isUnbounded: true } : {}),
  };
}

function innermost(failure: Failure): Failure {
  return failure.kind === "step-failed" ? innermost(failure.cause) : failure;
}

function textOf(failure: Failure, tool: Tool): string {
  const inner = innermost(failure);
  if (inner.kind === "denied") {
    const reasons = inner.verdict.matched.filter(({ decision }) => decision !== "allow").map(({ reason }) => reason);
    const effects = tool.effects.map((effect) => `\`${effect}\``).join(", ") || "not known";
    return `\`${inner.tool}\` may not run without a person's approval: ${reasons.join("; ") || `its effects are ${effects}`}`;
  }
  return failureText(failure, { audience: "model", tool: tool.definition.name.value });
}

const SHOWN_MAX = 5;
const VALUE_CHARACTERS_MAX = 200;

/** Returns `` `result.sum`: expected 5, got 6 `` for each place, the first ones; none if the values are equal. */
function differences(expected: Json, actual: Json | undefined): readonly string[] {
  const found: string[] = [];
  add(expected, actual, { path: "result", found });
  return found.length <= SHOWN_MAX
    ? found
    : [...found.slice(0, SHOWN_MAX), `and ${found.length - SHOWN_MAX} more differences`];
}

interface Place {
  readonly path: string;
  readonly found: string[];
}

function add(expected: Json, actual: Json | undefined, { path, found }: Place): void {
  if (actual === undefined) found.push(`\`${path}\`: expected ${shown(expected)}, and it is missing`);
  else if (isList(expected) && isList(actual)) {
    for (const [index, value] of expected.entries()) add(value, actual[index], { path: `${path}[${index}]`, found });
    for (let index = expected.length; index < actual.length; index++)
      found.push(`\`${path}[${index}]\`: not expected, got ${shown(actual[index] ?? null)}`);
  } else if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const [key, value] of Object.entries(expected))
      add(value, Object.hasOwn(actual, key) ? actual[key] : undefined, { path: `${path}.${key}`, found });
    for (const [key, value] of Object.entries(actual))
      if (!Object.hasOwn(expected, key)) found.push(`\`${path}.${key}\`: not expected, got ${shown(value)}`);
  } else if (expected !== actual) found.push(`\`${path}\`: expected ${shown(expected)}, got ${shown(actual)}`);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= VALUE_CHARACTERS_MAX ? text : `${text.slice(0, VALUE_CHARACTERS_MAX).toWellFormed()}…`;
}

interface RetestOptions {
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
  const options = { session, signal, path: [] };
  const cases = await tryCases(tool, testCases, options);
  return { tool, verdict: await judgeTried(tool, { testCases, cases }, options), cases };
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
