// The output of steps for a person who watches: a heading for each step, and what it writes as it comes. One step is
// shown at a time, so that no line is torn; what others write meanwhile is held. All of it is emitted as output of the
// tool, so it passes the masks of the call.
import { HeldEvents } from "../output/held-output.ts";
import { printable } from "../text/display.ts";
import type { OutputStream } from "../tool/call.ts";
import type { OutputEvent, ToolContext } from "../tool/tool.ts";
import type { PlannedStep, StepsPlan } from "./plan.ts";
import type { StepRecord } from "./step-record.ts";

const LINE_END = 10;

/** A step, or its work for one item. */
interface Place {
  readonly planned: PlannedStep;
  /** What it wrote while another one was shown. */
  held?: HeldEvents | undefined;
  hasWritten: boolean;
  hasEnded: boolean;
}

export class ShownSteps {
  readonly #plan: StepsPlan;
  readonly #context: ToolContext;
  /** The step whose output is the answer, unless it is skipped. */
  readonly #answer: PlannedStep | undefined;
  readonly #places = new Map<string, Place>();
  readonly #shown = new Set<PlannedStep>();
  /** The place that is shown. It stays until the next one has caught up. */
  #speaker: string | undefined;
  /** After a failure, only that step is shown. */
  #failed: PlannedStep | undefined;
  #last: { readonly stream: OutputStream; readonly byte: number | undefined } = { stream: "stderr", byte: LINE_END };

  constructor(plan: StepsPlan, context: ToolContext) {
    this.#plan = plan;
    this.#context = context;
    this.#answer = plan.output ? undefined : plan.steps.at(-1);
  }

  /** Whether the output of the step is shown here. Where the answer is not seen, it goes where it goes without a person. */
  takes(planned: PlannedStep): boolean {
    if (planned.isSecret) return false;
    return this.seesAnswer || (planned.step.output.mode === "buffer" && planned !== this.#answer);
  }

  get seesAnswer(): boolean {
    return this.#context.showsSteps === "with-answer";
  }

  /** Whether the output of a step that has ended was shown. */
  hasShown(planned: PlannedStep): boolean {
    return this.#shown.has(planned);
  }

  write(name: string, planned: PlannedStep, { bytes, ...event }: OutputEvent): void | Promise<void> {
    if (bytes.length === 0 || (this.#failed && this.#failed !== planned)) return;
    const isPassedOn = planned === this.#answer || planned.step.output.mode === "stream";
    const stream = isPassedOn ? event.stream : "stderr";
    const place = this.#placeOf(name, planned);
    this.#speaker ??= name;
    if (this.#speaker !== name) {
      place.hasWritten = true;
      return (place.held ??= new HeldEvents(this.#context)).add({ ...event, stream, bytes });
    }
    const heading = place.hasWritten ? undefined : this.head(name);
    place.hasWritten = true;
    const written = this.#emit(stream, bytes);
    return heading ? heading.then(() => written) : written;
  }

  /** Shows the output of a step that wrote none as it ran, such as that of a tool or from the cache. */
  async end(name: string, planned: PlannedStep, record: StepRecord): Promise<void> {
    const place = this.#placeOf(name, planned);
    if (place.hasWritten || planned !== this.#answer || planned.step.output.mode === "stream") {
      this.#shown.add(planned);
      if (!place.hasWritten)
        for (const stream of ["stderr", "stdout"] as const)
          await this.write(name, planned, { kind: "output", stream, bytes: new TextEncoder().encode(record[stream]) });
    }
    place.hasEnded = true;
    // One that failed comes last, so that its output stands before the failure.
    if (!record.ok && this.#places.delete(name)) this.#places.set(name, place);
    if (this.#speaker === name) await this.#giveTurn();
  }

  /** Shows nothing more but the output of this step, which another one may still hold up. */
  async fail(planned: PlannedStep): Promise<void> {
    this.#failed = planned;
    for (const place of this.#places.values()) {
      if (place.planned === planned) continue;
      await place.held?.end();
      place.held = undefined;
    }
  }

  /** Writes a heading, if there is more than one thing to tell apart. */
  async head(name: string): Promise<void> {
    if (this.#plan.steps.length === 1 && !this.#plan.output) return;
    await Promise.all([this.#endLine(), this.#emit("stderr", new TextEncoder().encode(`── ${printable(name)}\n`))]);
  }

  #placeOf(name: string, planned: PlannedStep): Place {
    const known = this.#places.get(name);
    if (known) return known;
    const place: Place = { planned, hasWritten: false, hasEnded: false };
    this.#places.set(name, place);
    return place;
  }

  /** What comes while a place catches up is held as well. */
  async #giveTurn(): Promise<void> {
    await this.#endLine();
    for (;;) {
      const next = [...this.#places].find(([, { held }]) => held);
      if (!next) break;
      const [name, place] = next;
      await this.head(name);
      for (let { held } = place; held; { held } = place) {
        place.held = undefined;
        await held.end((event) => (event.kind === "output" ? this.#emit(event.stream, event.bytes) : undefined));
      }
      if (!place.hasEnded) return void (this.#speaker = name);
      await this.#endLine();
    }
    this.#speaker = undefined;
  }

  #endLine(): void | Promise<void> {
    if (this.#last.byte !== LINE_END) return this.#emit(this.#last.stream, Uint8Array.of(LINE_END));
  }

  #emit(stream: OutputStream, bytes: Uint8Array): void | Promise<void> {
    this.#last = { stream, byte: bytes.at(-1) };
    return this.#context.emit({ kind: "output", stream, bytes });
  }
}
