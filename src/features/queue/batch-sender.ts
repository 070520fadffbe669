// The caller's side of a batch on a queue. It remembers what has no answer yet, and nothing else: an answer that comes
// twice is dropped, and an item that the queue has lost, as a server does that is killed, is put in again.
import type { Host } from "../../core/tool/host.ts";
import type {
  ItemState,
  QueueAnswer,
  QueueBatch,
  QueuedItem,
  TakenAnswer,
  WorkQueue,
} from "../../core/tool/host-queues.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { type JobAnswer, readAnswer } from "./queue-job.ts";

const ADDED_AT_ONCE = 200;
/** How long an item has no answer before the queue is asked whether it still has it, and how often. */
const LOOK_MS = 3_000;
const LOOKED_AT_ONCE = 500;
/** The limit of failed items that are remembered, in case a person has them tried again meanwhile. */
const FAILED_MAX = 10_000;
const CANCEL_MS_MAX = 3_000;

export interface SenderOptions {
  readonly queue: WorkQueue;
  readonly host: Host;
  /** 32 hexadecimal digits. */
  readonly batch: string;
  readonly isContinued: boolean;
  readonly retriesMax: number;
}

export interface SentAnswer {
  readonly answer: JobAnswer;
  /** Removes it from the queue, once it is stored elsewhere. */
  taken(): void;
}

interface Open {
  readonly data: JsonObject;
  readonly since: { ms: number };
  /** Set if the queue had no item when it was asked; its answer may have been on the way. */
  isMissing?: boolean;
  /** Set if its worker was still stopping it for an earlier process, so that it is put in again. */
  wasStopped?: boolean;
  answer(sent: SentAnswer): void;
  fail(error: unknown): void;
}

export class BatchSender {
  #answeredCount = 0;
  readonly #failed = new Set<string>();
  #hasRevived = false;
  readonly #open = new Map<string, Open>();
  /** Answers of items of an earlier process that are not asked for yet. */
  readonly #early = new Map<string, QueueAnswer>();
  /** What has been answered, where answers may come before they are asked for. */
  readonly #done = new Set<string>();
  readonly #taken: TakenAnswer[] = [];
  readonly #ended = new AbortController();
  readonly #options: SenderOptions;
  readonly #batch: QueueBatch;
  #toAdd: QueuedItem[] = [];
  #working: Promise<void> = Promise.resolve();
  #adding: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  private constructor(options: SenderOptions) {
    this.#options = options;
    this.#batch = options.queue.batch(options.batch);
  }

  static async begin(options: SenderOptions): Promise<BatchSender> {
    const sender = new BatchSender(options);
    if (options.isContinued) for (const answer of await sender.#batch.goOn()) sender.#early.set(answer.id, answer);
    sender.#working = Promise.all([sender.#listen(), sender.#look()]).then(
      () => undefined,
      (error: unknown) => {
        if (!sender.#ended.signal.aborted) sender.#failAll(error);
      },
    );
    return sender;
  }

  /** How many items have no answer. */
  get open(): number {
    return this.#open.size;
  }

  /** How many answers have come. */
  get answered(): number {
    return this.#answeredCount;
  }

  /** Whether the queue has the item, or an answer of it. */
  async isThere(id: string): Promise<boolean> {
    if (this.#early.has(id)) return true;
    const [state] = await this.#batch.states([id]);
    if (state?.kind === "there") return true;
    for (const answer of await this.#batch.goOn()) this.#answered(answer);
    return this.#early.has(id);
  }

  /** Gives up one item, and stops it. Its promise rejects. */
  drop(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#toAdd = this.#toAdd.filter((item) => item.id !== id);
    this.#batch.drop([id]).catch(() => undefined);
    open.fail(new Error("dropped"));
  }

  /**
   * Rejects if the server has been given up. `id` are hexadecimal digits, and no other open item's. One that `isThere`
   * is not added, because it may have ended since.
   */
  ask(id: string, data: JsonObject, isThere = false): Promise<SentAnswer> {
    return new Promise((answer, fail) => {
      if (this.#failure) return fail(this.#failure.error);
      this.#open.set(id, { data, since: { ms: this.#options.host.nowMs() }, answer, fail });
      const early = this.#early.get(id);
      this.#early.delete(id);
      if (early) return this.#answered(early);
      if (!isThere) this.#add({ id, data, retriesMax: this.#options.retriesMax });
    });
  }

  /** Stops what has no answer. Ends within seconds, even if the server does not answer. */
  async cancel(): Promise<void> {
    const ids = [...this.#open.keys()];
    this.#ended.abort();
    const cancelled = new AbortController();
    const late = this.#options.host.sleep(CANCEL_MS_MAX, cancelled.signal);
    await Promise.race([this.#batch.cancel(ids).catch(() => undefined), late]);
    cancelled.abort();
    this.#failAll(new Error("cancelled"));
  }

  /** Ends when every taken answer is removed. */
  async end(): Promise<void> {
    this.#ended.abort();
    if (this.#failure) return;
    await this.#removeTaken();
    await this.#batch.end(this.#early.size === 0 && !this.#hasRevived);
    await this.#working;
  }

  #add(item: QueuedItem): void {
    this.#toAdd.push(item);
    this.#adding ??= this.#addAll().catch((error: unknown) => this.#failAll(error));
  }

  async #addAll(): Promise<void> {
    // What is asked in the same turn is added together.
    await Promise.resolve();
    while (this.#toAdd.length > 0 && !this.#ended.signal.aborted) {
      const items = this.#toAdd.splice(0, ADDED_AT_ONCE);
      await this.#batch.add(this.#options.isContinued ? await this.#absent(items) : items);
    }
    this.#adding = undefined;
  }

  /** Returns those of an earlier process that neither are in the queue nor have an answer, which comes before they go. */
  async #absent(items: readonly QueuedItem[]): Promise<readonly QueuedItem[]> {
    const states = await this.#batch.states(items.map(({ id }) => id));
    const absent = items.filter((_item, index) => states[index]?.kind !== "there");
    if (absent.length > 0) for (const answer of await this.#batch.goOn()) this.#answered(answer);
    return absent.filter(({ id }) => this.#open.has(id));
  }

  async #listen(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      for (const answer of await this.#batch.answers()) this.#answered(answer);
      await this.#removeTaken();
    }
  }

  #answered(given: QueueAnswer): void {
    const { place, id, text } = given;
    const open = this.#open.get(id);
    const taken = (hasFailed: boolean): void => void this.#taken.push({ place, id, hasFailed });
    if (!open && this.#options.isContinued && !this.#done.has(id)) return void this.#early.set(id, given);
    // A person had it tried again; the answer waits for `--done`.
    if (!open && this.#failed.has(id)) return void (this.#hasRevived = true);
    if (!open) return taken(false);
    const answer = readAnswer(text);
    // This process stops nothing that it waits for: an earlier one has asked for that.
    const isStopped = this.#options.isContinued && !open.wasStopped && isCancelled(answer);
    if (isStopped) open.wasStopped = true;
    if (!answer || isStopped) {
      open.isMissing = true;
      return taken(false);
    }
    this.#open.delete(id);
    this.#answeredCount++;
    if (answer.status === "failed" && this.#failed.size < FAILED_MAX) this.#failed.add(id);
    if (this.#options.isContinued) this.#done.add(id);
    open.answer({ answer, taken: () => taken(answer.status === "failed") });
  }

  async #removeTaken(): Promise<void> {
    const taken = this.#taken.splice(0);
    if (taken.length > 0) await this.#batch.take(taken);
  }

  async #look(): Promise<void> {
    const { host } = this.#options;
    for (;;) {
      await host.sleep(LOOK_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      const now = host.nowMs();
      const waiting = [...this.#open].filter(([, { since }]) => now - since.ms >= LOOK_MS).map(([id]) => id);
      for (let at = 0; at < waiting.length; at += LOOKED_AT_ONCE) {
        const ids = waiting.slice(at, at + LOOKED_AT_ONCE);
        const states = await this.#batch.states(ids);
        for (const [index, id] of ids.entries()) this.#found(id, states[index] ?? { kind: "there" });
      }
    }
  }

  /** An answer is in the queue before its item is gone, so one look later it would have been read. */
  #found(id: string, state: ItemState): void {
    const open = this.#open.get(id);
    if (!open) return;
    if (state.kind === "there") open.isMissing = false;
    else if (!open.isMissing) open.isMissing = true;
    else if (state.kind === "missing") {
      open.isMissing = false;
      open.since.ms = this.#options.host.nowMs();
      this.#add({ id, data: { ...open.data, isAgain: true }, retriesMax: this.#options.retriesMax });
    } else {
      this.#open.delete(id);
      open.answer({
        answer: lostAnswer(),
        taken: () => void this.#taken.push({ place: "", id, hasFailed: true }),
      });
    }
  }

  #failAll(error: unknown): void {
    this.#failure ??= { error };
    this.#ended.abort();
    for (const { fail } of this.#open.values()) fail(error);
    this.#open.clear();
  }
}

function isCancelled(answer: JobAnswer | undefined): boolean {
  const failure = answer?.shown["failure"];
  return isJsonObject(failure) && failure["kind"] === "cancelled";
}

/** `reason` of the state is the library's, and says no more. */
function lostAnswer(): JobAnswer {
  const reason = "every worker that began this item was killed or lost, so it is not tried again";
  const help = ["try the call alone, in a place that may crash: `dottool NAME …`"];
  return {
    status: "failed",
    exitCode: 137,
    durationMs: 0,
    worker: "",
    shown: {
      content: [],
      failure: { kind: "rejected", reason, help, message: `failed[rejected]: ${reason}\n  = ${help[0]}` },
    },
  };
}
