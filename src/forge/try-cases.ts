// Runs the test cases of a tool before anyone relies on it: each twice, apart from everything before it. The two runs
// have different clocks and different chance, so that a result which depends on either is found for certain.
import { callBelow } from "../run/call-tool.ts";
import { failureText } from "../run/failure-text.ts";
import type { Session } from "../run/session.ts";
import { withTool } from "../run/with-tool.ts";
import type { Json } from "../schema/json.ts";
import type { ToolResult } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { Repeatable, Tool } from "../tool/tool.ts";
import { differences } from "./difference.ts";
import type { TestCase } from "./request.ts";

export interface CaseResult {
  readonly input: TestCase["input"];
  readonly passed: boolean;
  /** Absent if the call failed. A text result is a string. */
  readonly output?: Json;
  /** What is wrong. Empty if it passed. */
  readonly problems: readonly string[];
  /** Set if the two runs did not agree. */
  readonly differs?: true;
  /** Set if policy did not let it run. */
  readonly isDenied?: true;
  /** Set if it ran into a limit of time, memory or size. */
  readonly isUnbounded?: true;
}

export interface TryOptions {
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

async function run(
  tool: Tool,
  { input }: TestCase,
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
