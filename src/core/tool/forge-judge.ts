// Judges of forged tools that a plugin has. They are asked after the tests, and can only make the verdict stricter.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Effect } from "./definition.ts";

export interface ForgeJudgeSpec {
  /** What the verdict calls it, after the name of the plugin: `house_rules/short_code`. */
  readonly name: string;
  /** What it throws, and an answer that is none of these, refuses the tool. */
  judge(request: ForgeJudgeRequest, context: ForgeJudgeContext): ForgeJudgement | Promise<ForgeJudgement>;
}

/** A tool that passed its tests. It is a copy: to change it changes nothing. */
export interface ForgeJudgeRequest {
  readonly name: string;
  readonly description: string;
  /** JSON Schemas: those of the request, or what its test cases have. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly implementation:
    | { readonly mode: "sandbox"; readonly code: string; readonly allowlist: readonly string[] }
    | { readonly mode: "compose"; readonly steps: readonly ForgeJudgeStep[] };
  /** What it may do, with all that it calls. Empty: unknown. */
  readonly effects: readonly Effect[];
  readonly tests: readonly {
    readonly input: JsonObject;
    readonly expectedOutput?: Json;
    readonly output?: Json;
    readonly passed: boolean;
  }[];
  /** The definition, as a `.tool` file has it. */
  readonly definition: string;
  /** From 0 to 1, before any other judge. */
  readonly confidence: number;
}

interface ForgeJudgeStep {
  readonly name: string;
  readonly tool: string;
  readonly inputMapping: JsonObject;
  readonly condition?: string;
}

interface ForgeJudgeContext {
  /** Aborts when the time of the judge is over, or the call is cancelled. */
  readonly signal: AbortSignal;
}

export type ForgeJudgement =
  /** `confidence`, from 0 to 1, is the most that the tool can have. */
  | { readonly approved: true; readonly confidence?: number; readonly reasoning?: string }
  | { readonly approved: false; readonly reasoning: string };

export const FORGE_TOOL = "forge_tool";
export const RUN_FORGED = "run_forged";
export const forgeNames = [FORGE_TOOL, RUN_FORGED] as const;
