// The judge that always judges: facts decide, and its reasoning names them. Numbers are from 0 to 1.
import type { Effect } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { Refused } from "./refusal.ts";
import type { ForgeRequest, TestCase } from "./request.ts";
import type { Json } from "../../core/schema/json.ts";

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

export interface Verdict {
  readonly approved: boolean;
  /** How far the tool can be relied on: what was shown by tests, weighed by what it may do. Use changes it. */
  readonly confidence: number;
  /** 1: it only reads. 0: it may do anything. */
  readonly safety: number;
  /** The share of the test cases that passed. */
  readonly correctness: number;
  /** 1 if each case gave the same result twice, at another time and with other chance. */
  readonly determinism: number;
  /** 1 if no case met a limit of time, memory or size. */
  readonly bounded: number;
  readonly reasoning: string;
}

/** What the confidence begins with, by the number of cases with an expected output. */
const CONFIDENCE_BY_TESTS = [0, 0.65, 0.8, 0.9, 0.95] as const;
const SAFETY_BY_EFFECT: Readonly<Record<Effect, number>> = { read: 1, network: 0.8, write: 0.6, run: 0.4 };

/** Throws `Refused` for a tool that would do more than its request declares. */
export function judgeEffects(tool: Tool, { effects: declared }: ForgeRequest): void {
  if (declared === undefined) return;
  const wider = tool.effects.filter((effect) => !declared.includes(effect));
  if (tool.effects.length > 0 && wider.length === 0) return;
  throw new Refused(
    "unsafe",
    tool.effects.length === 0
      ? `what the tool does is not known, and the request declares ${listed(declared)}`
      : `the tool has the effects ${listed(tool.effects)}, and the request declares ${listed(declared)}`,
    [
      tool.effects.length === 0
        ? "use tools whose effects are declared, or leave `effects` out"
        : `declare ${listed(tool.effects)}, or use tools that do less`,
    ],
  );
}

export function judgeTool(
  tool: Tool,
  { testCases }: Pick<ForgeRequest, "testCases">,
  cases: readonly CaseResult[],
): Verdict {
  const passed = cases.filter((one) => one.passed).length;
  const correctness = cases.length === 0 ? 0 : passed / cases.length;
  const determinism = cases.some(({ differs }) => differs) ? 0 : 1;
  const bounded = cases.some(({ isUnbounded }) => isUnbounded) ? 0 : 1;
  const safety = safetyOf(tool);
  // The same input twice shows no more than once.
  const withOutput = testCases.flatMap(({ input, expectedOutput }) =>
    expectedOutput === undefined ? [] : [JSON.stringify(input)],
  );
  const expected = new Set(withOutput).size;
  const approved = correctness === 1 && determinism === 1 && bounded === 1;
  const shown = CONFIDENCE_BY_TESTS[Math.min(expected, CONFIDENCE_BY_TESTS.length - 1)] ?? 0;
  const confidence = approved ? rounded(shown * (0.5 + safety / 2)) : 0;
  return {
    approved,
    confidence,
    safety,
    correctness: rounded(correctness),
    determinism,
    bounded,
    reasoning: [
      `${passed} of ${cases.length} ${cases.length === 1 ? "test case" : "test cases"} passed, ${withOutput.length} with an expected output${expected < withOutput.length ? ` for ${expected} different ${expected === 1 ? "input" : "inputs"}` : ""}`,
      determinism === 0
        ? "a case gave two results"
        : correctness === 1
          ? "each gave the same result twice"
          : "no case gave two results",
      bounded === 1 ? "no case met a limit" : "a case met a limit",
      tool.effects.length === 0 ? "its effects are not known" : `its effects are ${listed(tool.effects)}`,
      ...(approved
        ? [
            `confidence ${confidence}: ${shown} for ${expected} expected ${expected === 1 ? "output" : "outputs"}, times ${rounded(0.5 + safety / 2)} for what it may do`,
          ]
        : []),
    ].join("; "),
  };
}

/** Returns the safety of the worst that it may do. */
function safetyOf({ effects }: Tool): number {
  return effects.length === 0 ? 0 : Math.min(...effects.map((effect) => SAFETY_BY_EFFECT[effect]));
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function listed(effects: readonly Effect[]): string {
  return effects.length === 0 ? "none" : effects.map((effect) => `\`${effect}\``).join(", ");
}
