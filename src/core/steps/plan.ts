// Steps that can run: ../builder/composed.ts makes them from a definition, run-steps.ts runs them.
import type { JsonObject } from "../schema/json.ts";
import type { Expansion, Outcome } from "../tool/call.ts";
import type { Effect, Requirement } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { Reference } from "../tool/reference.ts";
import type { Step } from "../tool/step.ts";
import type { Template } from "../tool/template.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";
import type { ArgumentIssue, Failure } from "../tool/failure.ts";

/** Runs the action of a step: a command, a tool, a prompt or code. */
export interface StepExecutor {
  /** The name in messages: of a tool, a program or a shell. */
  readonly tool: string;
  readonly effects: readonly Effect[];
  readonly requires: readonly Requirement[];
  readonly runsProcess: boolean;
  readonly target?: Tool;
  /** References that become a part of a secret. */
  readonly secret: ReadonlySet<string>;
  /** Returns the call that it makes with these values, by the texts of the references. Pure. */
  expand?(read: JsonObject): Expansion;
  /** Returns the values that are not allowed in their place, by the texts of the references. Pure. */
  check?(read: JsonObject): readonly ArgumentIssue[];
  execute(values: StepValues, context: ToolContext): Promise<Outcome>;
}

export interface StepsPlan {
  /** The name of the tool. */
  readonly name: string;
  /** The steps in the order written. */
  readonly steps: readonly PlannedStep[];
  readonly cleanup: readonly PlannedStep[];
  readonly output?: Template;
  /** The names of the tool's parameters. */
  readonly parameters: readonly string[];
  /** Opens the user's queue for a step whose items workers make. */
  openQueue?(step: Step, args: JsonObject, context: ToolContext): Promise<StepQueue | { readonly failure: Failure }>;
  /**
   * Returns a hash of everything that decides what its steps return for the same values. Undefined if its outputs may
   * hold secrets, which are not cached.
   */
  identity(host: Host): string | undefined;
}

/** The items of one step in a queue. */
export interface StepQueue {
  /** `mayHaveRun`: it must not run twice, and an earlier process began it. */
  item(index: number, options: { readonly isOnce: boolean; readonly mayHaveRun: boolean }): StepQueueItem;
  /** Ends when nothing of them is left in the queue. */
  end(): Promise<void>;
}

export interface StepQueueItem {
  queued(tool: Tool): Tool;
  /** Removes the answer from the queue, once the outcome is stored elsewhere. */
  stored(): void;
}

export interface PlannedStep {
  readonly step: Step;
  /** The name in messages: of the tool, program or shell that the step runs. */
  readonly tool: string;
  /** Set if it, or a step of a tool that it uses, must not run twice. */
  readonly isOnce?: true;
  /** Set if its output becomes a secret of another step. */
  readonly isSecret?: true;
  /** Names of the steps that must have ended. */
  readonly after: readonly string[];
  /** The references that its texts read. */
  readonly references: readonly Reference[];
  readonly effects: readonly Effect[];
  /** Returns what it would do with these values, by the texts of the references. Pure. Absent for code. */
  expand?(read: JsonObject): Expansion;
  /** The tool of its fallback, and what that would do. */
  readonly fallback?: Pick<PlannedStep, "tool" | "expand">;
  /** Runs the step with retries, fallback and deadline. Expected failures are returned. */
  execute(values: StepValues, context: ToolContext): Promise<Outcome>;
}

export interface StepValues {
  /** The values of `references`, by their text. Absent values are missing. */
  readonly read: JsonObject;
  /** Returns all values, for code: arguments, finished steps, the item. */
  everything(): JsonObject;
}
