// Runs the steps of a tool: each when the steps that it waits for have ended, and independent ones together. The first
// failure stops the rest, and cleanup steps run in any case.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Content, Outcome } from "../tool/call.ts";
import { type Condition, referencesIn } from "../tool/condition.ts";
import type { Failure } from "../tool/failure.ts";
import { parseReference } from "../tool/reference.ts";
import type { TraceSpan } from "../tool/span.ts";
import { progressText, type ToolContext, type ToolEvent } from "../tool/tool.ts";
import { Turns } from "../tool/turns.ts";
import { conditionHolds, type ConditionResult } from "./condition.ts";
import type { PlannedStep, StepsPlan, StepValues } from "./plan.ts";
import { RunValues } from "./run-values.ts";
import { ShownSteps } from "./shown-steps.ts";
import { ended, print, tell } from "./step-events.ts";
import { emptyRecord, recordOf, type StepRecord } from "./step-record.ts";
import { runItems, type StepEnd, type StepPart, unable } from "./run-items.ts";
import { cleanUp, leftBehind } from "./clean-up.ts";
import { isOnlyShown, noTextFailure, tooMuch, withinBuffer } from "./output-limits.ts";
import { type JournaledStep, journalPlaceOf, throughJournal } from "./journaled-step.ts";
import { cacheKey, keepOutcome, keptOutcome } from "./step-cache.ts";

/** The limit of steps at once, the same as for processes. */
const STEPS_AT_ONCE_MAX = 16;
/** The time between a step's requests for its turn, while processes wait in line. */
const BUSY_DELAY_MS = 50;

export async function runSteps(plan: StepsPlan, args: JsonObject, context: ToolContext): Promise<Outcome> {
  const temporary = namesTemporaryFolder(plan)
    ? await context.host.files.makeTemporaryFolder("dottool-run-")
    : undefined;
  const places = {
    WORKSPACE: context.cwd,
    TOOL_NAME: plan.name,
    ...(temporary === undefined ? {} : { TEMP_DIR: temporary }),
  };
  const values = new RunValues(args, places, plan.parameters);
  const run = new StepsRun(plan, values, context);
  for (const { step } of plan.steps) tell(context, { step: step.name.value, state: "waiting" });
  for (const { step } of plan.cleanup) tell(context, { step: step.name.value, state: "waiting", isCleanup: true });
  let left: Failure | undefined;
  let outcome: Outcome;
  try {
    outcome = await run.outcome();
  } catch (error) {
    // The other steps end before anything is cleaned up.
    await run.stop();
    throw error;
  } finally {
    try {
      if (plan.cleanup.length > 0) await context.journal?.cleanUp();
      await cleanUp(plan, values, context);
    } finally {
      if (temporary !== undefined) left = await leftBehind(temporary, context);
    }
  }
  return left && outcome.status === "ok" ? { status: "failed", content: outcome.content, failure: left } : outcome;
}

function namesTemporaryFolder({ steps, cleanup, output, parameters }: StepsPlan): boolean {
  if (parameters.includes("TEMP_DIR")) return false;
  const read = [...steps, ...cleanup].some(({ references }) => references.some(({ root }) => root === "TEMP_DIR"));
  return (
    read || (output?.parts.some((part) => typeof part !== "string" && part.placeholder.startsWith("TEMP_DIR")) ?? false)
  );
}

interface StepWork extends StepPart, JournaledStep {
  readonly values: StepValues;
}

class StepsRun {
  readonly #plan: StepsPlan;
  readonly #values: RunValues;
  readonly #context: ToolContext;
  readonly #shown: ShownSteps | undefined;
  readonly #turns = new Turns(STEPS_AT_ONCE_MAX);
  readonly #ended = new Map<string, Promise<void>>();
  /** Aborts running steps when one has failed. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #failed: { readonly planned: PlannedStep; readonly outcome: Outcome & { readonly status: "failed" } } | undefined;
  #last: { readonly planned: PlannedStep; readonly outcome: Outcome } | undefined;
  #isUntrusted = false;
  #identity: { readonly value: string | undefined } | undefined;

  constructor(plan: StepsPlan, values: RunValues, context: ToolContext) {
    this.#plan = plan;
    this.#values = values;
    this.#context = context;
    if (context.showsSteps) this.#shown = new ShownSteps(plan, context);
    this.#signal = AbortSignal.any([context.signal, this.#stop.signal]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#ended.values());
  }

  async outcome(): Promise<Outcome> {
    for (const planned of this.#inOrder()) {
      const before = planned.after.map((name) => this.#ended.get(name));
      this.#ended.set(
        planned.step.name.value,
        Promise.all(before).then(() => this.#step(planned)),
      );
    }
    await Promise.all(this.#ended.values());
    if (this.#failed) return this.#failure(this.#failed.planned, this.#failed.outcome);
    if (this.#context.signal.aborted) return { status: "failed", content: [], failure: { kind: "cancelled" } };
    return this.#result();
  }

  /** Returns the steps, each after those that it waits for. */
  #inOrder(): readonly PlannedStep[] {
    const left = new Set(this.#plan.steps);
    const placed = new Set<string>();
    const sorted: PlannedStep[] = [];
    while (left.size > 0) {
      const before = left.size;
      for (const planned of left) {
        if (!planned.after.every((name) => placed.has(name))) continue;
        left.delete(planned);
        placed.add(planned.step.name.value);
        sorted.push(planned);
      }
      if (left.size === before) throw new Error(`the steps of ${this.#plan.name} wait for each other`);
    }
    return sorted;
  }

  async #step(planned: PlannedStep): Promise<void> {
    const { step } = planned;
    const name = step.name.value;
    if (this.#signal.aborted) return this.#values.record(step, emptyRecord);
    const asked = step.when && this.#asked(step.when.condition);
    const span = this.#context.span?.begin({ kind: "step", name, tool: planned.tool });
    if (asked && !asked.failure && !asked.holds) {
      span?.end("skipped");
      tell(this.#context, { step: name, state: "skipped" });
      return this.#values.record(step, emptyRecord);
    }
    const { outcome, record } = asked?.failure ? unable(asked.failure) : await this.#run(planned, span);
    span?.end(outcome);
    await this.#end(planned, outcome, record);
  }

  #asked(condition: Condition): ConditionResult {
    const unreadable = this.#values.unreadable(referencesIn(condition));
    if (unreadable !== undefined) return { failure: noTextFailure(unreadable) };
    return conditionHolds(condition, {
      valueOf: (reference) => this.#values.valueOf(reference),
      runBounded: this.#context.host.runBounded,
    });
  }

  #run(planned: PlannedStep, span: TraceSpan | undefined): Promise<StepEnd> {
    const { forEach, name } = planned.step;
    if (forEach) return this.#forEach(planned, this.#values.items(forEach.items), span);
    tell(this.#context, { step: name.value, state: "running" });
    return this.#once(planned, { span });
  }

  async #end(planned: PlannedStep, outcome: Outcome, record: StepRecord): Promise<void> {
    const { step } = planned;
    this.#values.record(step, record);
    if (outcome.isUntrusted) this.#isUntrusted = true;
    // A step that another one's failure has stopped has not failed itself.
    const isStopped = outcome.status === "failed" && outcome.failure.kind === "cancelled" && this.#signal.aborted;
    tell(this.#context, {
      step: step.name.value,
      state: outcome.status === "ok" ? "done" : isStopped ? "stopped" : "failed",
    });
    if (outcome.status === "ok" || step.continuesOnError) {
      if (this.#isLater(planned)) this.#last = { planned, outcome };
      return;
    }
    if (this.#failed || (this.#context.signal.aborted && outcome.failure.kind === "cancelled")) return;
    this.#failed = { planned, outcome };
    this.#stop.abort();
    await this.#shown?.fail(planned);
    const text = `${ended(record.stdout)}${record.stderr}`;
    if (step.output.mode !== "buffer" || this.#shown?.hasShown(planned) || text === "") return;
    await this.#shown?.head(step.name.value);
    await print(this.#context, "stderr", text);
  }

  #isLater({ step }: PlannedStep): boolean {
    const place = (one: string): number => this.#plan.steps.findIndex((planned) => planned.step.name.value === one);
    return !this.#last || place(this.#last.planned.step.name.value) < place(step.name.value);
  }

  async #once(planned: PlannedStep, part: StepPart): Promise<StepEnd> {
    const { step } = planned;
    const unreadable = this.#values.unreadable(planned.references);
    if (unreadable !== undefined) return unable(noTextFailure(unreadable));
    const begin = (): Promise<Outcome> => {
      const work: StepWork = { ...part, planned, values: this.#values.stepValues(planned.references, part.item) };
      return throughJournal(work, this.#context.journal, async () => {
        const outcome = await (step.cacheMs === undefined ? this.#executed(work) : this.#cached(work, step.cacheMs));
        await this.#showing(planned)?.end(
          journalPlaceOf(step, part.item),
          planned,
          recordOf(outcome, step.output.bytesMax),
        );
        return outcome;
      });
    };
    // What a worker does takes nothing here.
    const outcome = (await (part.queued ? begin() : this.#turns.take(this.#signal, begin))) ?? cancelled;
    const record = recordOf(outcome, step.output.bytesMax);
    // A shell step is stopped at its limit. A tool has its own limit, and a later step must not get half of its output.
    if (record.isCut && outcome.status === "ok" && step.output.mode === "buffer")
      return { outcome: { ...outcome, status: "failed", failure: tooMuch(planned) }, record: { ...record, ok: false } };
    return { outcome, record };
  }

  #showing(planned: PlannedStep): ShownSteps | undefined {
    return this.#shown?.takes(planned) ? this.#shown : undefined;
  }

  async #executed(work: StepWork): Promise<Outcome> {
    for (;;) {
      const outcome = withinBuffer(await work.planned.execute(work.values, this.#stepContext(work)), work.planned);
      // Lists within lists can need more places than may wait in line.
      if (outcome.status === "ok" || outcome.failure.kind !== "busy" || this.#signal.aborted) return outcome;
      await this.#context.host.sleep(BUSY_DELAY_MS, this.#signal);
    }
  }

  /** Runs with a cache. Code can read every value. */
  async #cached(work: StepWork, cacheMs: number): Promise<Outcome> {
    const {
      planned: { step },
      values,
    } = work;
    const { host, cwd } = this.#context;
    const identity = (this.#identity ??= { value: this.#plan.identity(host) }).value;
    if (identity === undefined) return this.#executed(work);
    const key = cacheKey(
      {
        identity,
        step,
        values: step.action.kind === "code" ? values.everything() : values.read,
        cwd,
        provider: this.#context.provider,
      },
      host,
    );
    const kept = keptOutcome(key, cacheMs, host);
    if (kept) {
      // The output is printed byte for byte as it was when the step ran.
      if (step.output.mode === "stream" && !this.#showing(work.planned))
        await print(this.#context, "stdout", recordOf(kept, Infinity).stdout);
      return kept;
    }
    const outcome = await this.#executed(work);
    keepOutcome(key, outcome, host);
    return outcome;
  }

  #stepContext({ planned, item, span, queued }: Omit<StepWork, "values">): ToolContext {
    const { step } = planned;
    const shown = this.#showing(planned);
    const { limits } = this.#context;
    const place = journalPlaceOf(step, item);
    const emit = (event: ToolEvent): void | Promise<void> => {
      if (event.kind === "output" && !planned.isSecret) this.#context.journal?.write(place, event.stream, event.bytes);
      if (event.kind === "output" && shown) return shown.write(place, planned, event);
      if (event.kind === "output") return step.output.mode === "stream" ? this.#context.emit(event) : undefined;
      if (event.kind === "log" || event.kind === "resource-changed") return this.#context.emit(event);
      return this.#context.emit(
        event.kind === "progress"
          ? // What one step has done says nothing of the others.
            { kind: "progress", text: `${step.name.value}: ${progressText(event)}` }
          : { ...event, within: [place, ...event.within] },
      );
    };
    const outputBytesMax =
      step.output.mode === "buffer" ? Math.min(step.output.bytesMax, limits.outputBytesMax) : limits.outputBytesMax;
    const { keepOutput, ...context } = this.#context;
    return {
      ...context,
      ...(queued ? { queued: queued.queued } : {}),
      ...(keepOutput && isOnlyShown(planned, this.#plan) ? { keepOutput } : {}),
      signal: this.#signal,
      limits: {
        ...limits,
        outputBytesMax,
        timeoutMs: step.timeoutMs ?? (queued ? Number.POSITIVE_INFINITY : limits.timeoutMs),
      },
      emit,
      ...(span ? { span } : {}),
    };
  }

  #forEach(planned: PlannedStep, items: readonly Json[], span: TraceSpan | undefined): Promise<StepEnd> {
    return runItems(planned, items, {
      context: this.#stepContext({ planned, span }),
      signal: this.#signal,
      openQueue: (context) => this.#plan.openQueue?.(planned.step, this.#values.args, context),
      once: (part) => this.#once(planned, part),
      tell: (done) =>
        tell(this.#context, {
          step: planned.step.name.value,
          state: "running",
          items: { done, all: items.length },
        }),
      span,
    });
  }

  #failure({ step, tool }: PlannedStep, outcome: Outcome & { readonly status: "failed" }): Outcome {
    const failure: Failure = { kind: "step-failed", step: step.name.value, tool, cause: outcome.failure };
    return { status: "failed", content: outcome.content, failure, ...this.#trust() };
  }

  #trust(): { readonly isUntrusted?: true } {
    return this.#isUntrusted ? { isUntrusted: true } : {};
  }

  async #result(): Promise<Outcome> {
    const { output } = this.#plan;
    if (output) {
      const unreadable = this.#values.unreadable(
        output.parts.flatMap((part) => (typeof part === "string" ? [] : (parseReference(part.placeholder) ?? []))),
      );
      if (unreadable !== undefined) return { status: "failed", content: [], failure: noTextFailure(unreadable) };
      const text = this.#values.filled(output);
      if (this.#shown?.seesAnswer) await this.#shown.head(this.#plan.name);
      await print(this.#context, "stdout", ended(text));
      return { status: "ok", content: [{ type: "text", text }], ...this.#trust() };
    }
    const last = this.#last;
    const content: readonly Content[] = last?.outcome.content ?? [];
    if (last && this.#shown?.seesAnswer) {
      if (this.#shown.hasShown(last.planned)) return { status: "ok", content, isShown: true, ...this.#trust() };
      await this.#shown.head(last.planned.step.name.value);
    }
    const stdout = last && this.#values.recordOf(last.planned.step.name.value)?.stdout;
    if (last?.planned.step.output.mode === "buffer" && stdout && content.every((item) => item.type === "text"))
      await print(this.#context, "stdout", ended(stdout));
    return { status: "ok", content, ...this.#trust() };
  }
}

const cancelled: Outcome = { status: "failed", content: [], failure: { kind: "cancelled" } };
