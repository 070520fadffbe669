// The output of an attempt, held back while another attempt may follow: in memory up to some MiB, then in the gate's
// store.
import type { HeldOutput, OutputEvent, ToolContext } from "../tool/tool.ts";

const MEMORY_BYTES_MAX = 2 * 1024 * 1024;

export class HeldEvents {
  readonly #context: Pick<ToolContext, "holdOutput">;
  #events: OutputEvent[] = [];
  #sizeBytes = 0;
  #file: Promise<HeldOutput> | undefined;
  /** The last write to that store. */
  #added: Promise<void> | undefined;
  #isOver = false;

  constructor(context: Pick<ToolContext, "holdOutput">) {
    this.#context = context;
  }

  /** Returns a promise if the store is slow. */
  add(event: OutputEvent): void | Promise<void> {
    // The attempt was abandoned.
    if (this.#isOver) return;
    this.#events.push(event);
    this.#sizeBytes += event.bytes.length;
    if (this.#sizeBytes <= MEMORY_BYTES_MAX || !this.#context.holdOutput) return;
    this.#file ??= this.#context.holdOutput();
    this.#added = this.#handOver(this.#file, this.#added);
    return this.#added;
  }

  /** Sends the output to `emit`, if given; later output is dropped. */
  async end(emit?: ToolContext["emit"]): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#added;
    const events = this.#events;
    this.#events = [];
    await (await this.#file)?.end(emit);
    if (emit) for (const event of events) await emit(event);
  }

  async #handOver(opening: Promise<HeldOutput>, before: Promise<void> | undefined): Promise<void> {
    await before;
    const file = await opening;
    for (const event of this.#events.splice(0)) await file.add(event);
  }
}
