// The steps of a tool, as data. Placeholders in the texts of a step are references: see ./reference.ts.
import type { Spanned } from "../text/source.ts";
import type { PlatformCommand } from "./command.ts";
import type { Condition } from "./condition.ts";
import type { Preset, Template } from "./template.ts";

export type StepAction =
  /** A placeholder of its commands is a reference as written: `{clone.stdout}` is called `clone.stdout`. */
  | { readonly kind: "command"; readonly commands: readonly PlatformCommand[] }
  /** Calls another tool through the gate. `provider` is for the prompts in it. */
  | {
      readonly kind: "tool";
      readonly tool: Spanned<string>;
      readonly arguments: readonly Preset[];
      readonly provider?: string;
    }
  /** A model of the user's configuration. */
  | { readonly kind: "prompt"; readonly prompt: Template; readonly provider?: string }
  /** `leaves` are the variables of the outputs, if there are several. The first is called as the step. */
  | {
      readonly kind: "code";
      readonly language: CodeLanguage;
      readonly code: Spanned<string>;
      readonly leaves?: readonly Spanned<string>[];
    };

/** JavaScript runs in the sandbox, Python in `python3`. */
export type CodeLanguage = "javascript" | "python";

export interface Step {
  readonly name: Spanned<string>;
  readonly action: StepAction;
  /** The step is skipped if this is false. */
  readonly when?: { readonly condition: Condition; readonly span: Spanned<string>["span"] };
  /** Names of steps. If absent, the step before it. */
  readonly waitsFor?: readonly Spanned<string>[];
  /** Whether it starts together with the step before it. */
  readonly isParallel: boolean;
  /** Whether a failure of this step fails nothing else. */
  readonly continuesOnError: boolean;
  /** Set if it must not run twice, even if it is not known whether it ran. */
  readonly isOnce?: true;
  readonly retries?: StepRetries;
  readonly timeoutMs?: number;
  /** Runs the step once for each item; `{item}` and `{index}` are the item and its index, from 0. */
  readonly forEach?: ForEach;
  readonly stdin?: Template;
  readonly output: StepOutput;
  /** The time for which a cached output may be reused for the same values. */
  readonly cacheMs?: number;
  /** The action that runs when all attempts have failed. */
  readonly fallback?: StepAction;
}

/** Returns the names by which other steps read the step's output. */
export function outputNames({ name, action }: Step): readonly Spanned<string>[] {
  return action.kind === "code" ? (action.leaves ?? [name]) : [name];
}

export interface ForEach {
  readonly items: Template;
  /** How many at the same time. */
  readonly concurrency: number;
  /** Set if the calls go to the user's queue, where workers make them. Only for a tool. */
  readonly isQueued?: true;
}

/** The number of items at the same time if the step does not say it: waiting for workers takes no process here. */
export const QUEUED_CONCURRENCY = 100;

export function concurrencyText({ concurrency, isQueued }: ForEach): string | undefined {
  return concurrency === (isQueued ? QUEUED_CONCURRENCY : 1) ? undefined : `${concurrency}`;
}

export interface StepRetries {
  /** The number of attempts in all: 1 tries once. */
  readonly attempts: number;
  /** The time before the second attempt. */
  readonly delayMs: number;
  /** Whether each delay is twice the one before it. */
  readonly isExponential: boolean;
}

export interface StepOutput {
  /**
   * `stream`: passed on as it comes, and the part past the limit is not kept for other steps. `buffer`: more than the
   * limit fails the step.
   */
  readonly mode: "buffer" | "stream";
  readonly bytesMax: number;
}

export const STEP_OUTPUT_BYTES_MAX = 10 * 1024 * 1024;

/** A step that says nothing but its name and its action. */
export const plainStep = {
  isParallel: false,
  continuesOnError: false,
  output: { mode: "buffer", bytesMax: STEP_OUTPUT_BYTES_MAX },
} as const satisfies Partial<Step>;

/** References that name no parameter and no step. */
export const runReferences = ["WORKSPACE", "TEMP_DIR", "TOOL_NAME"] as const;
export const itemReferences = ["item", "index"] as const;
/**
 * The fields in `{step.FIELD}`. A path may follow `json`. `value` is the data of a tool that returns data, else the
 * text.
 */
export const stepFields = ["output", "stdout", "stderr", "exit-code", "ok", "json", "value"] as const;

/** Whether the step runs a command. Surroundings mean nothing for tools, models and JavaScript. */
export function isCommandStep({ action, fallback }: Pick<Step, "action" | "fallback">): boolean {
  return action.kind === "command" || fallback?.kind === "command";
}
