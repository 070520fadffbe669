// A queue on a server that several machines share: callers put items in, workers take them and answer. An interface;
// real in host/queues/.
import type { JsonObject } from "../schema/json.ts";

export interface HostQueues {
  /** The name of this process among the workers of a queue: machine and process id. */
  readonly workerName: string;
  /** Connects. `address` is that of the server, with its password if it has one. */
  open(address: string, options: QueueOptions): Promise<OpenedQueue>;
}

export interface QueueOptions {
  /** Is told in words what is wrong with the server, and when it answers again. */
  onTrouble(text: string): void;
}

/** `problem` and `help` never hold a password. */
export type OpenedQueue =
  | { readonly queue: WorkQueue }
  | { readonly problem: string; readonly help: readonly string[] };

export interface WorkQueue {
  /** The server, without a password. */
  readonly shownAddress: string;
  /** `id` is for one caller alone. */
  batch(id: string): QueueBatch;
  /** Takes items and answers them until the signal aborts and each begun item is answered or put back. */
  work(options: WorkOptions): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** Items that ended with a failure, the latest first; they stay for a week. */
  dead(): Promise<readonly DeadItem[]>;
  /** Puts them in again, as if they were new; their answers go to their batches. */
  revive(items: readonly DeadItem[]): Promise<void>;
  forget(items: readonly DeadItem[]): Promise<void>;
  /** Ends the connections. What was not answered stays in the queue. */
  close(): Promise<void>;
}

export interface DeadItem {
  readonly id: string;
  /** As it stands in the queue: anybody who can write there may have made it. */
  readonly data: unknown;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly retriesMax: number;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
  /** Undefined if the server does not tell. */
  readonly workers: number | undefined;
}

export interface QueuedItem {
  /** Letters and digits. An item with an id that is in the queue already is not added. */
  readonly id: string;
  readonly data: JsonObject;
  /** How often it is tried again after it has failed. A worker that was killed does not count. */
  readonly retriesMax: number;
}

export interface QueueAnswer {
  /** Where the queue has it, for `take`. */
  readonly place: string;
  readonly id: string;
  readonly text: string;
}

export interface TakenAnswer extends Pick<QueueAnswer, "place" | "id"> {
  readonly hasFailed: boolean;
}

/** `failed`: without an answer, because no worker survived it. */
export type ItemState =
  | { readonly kind: "there" }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly reason: string };

/** The side of a caller. Every function waits for a server that is away, and rejects when it is given up. */
export interface QueueBatch {
  /**
   * Returns the answers that were not read yet, without waiting: those of an earlier process of the same batch, and what
   * has come since. Items of it that failed are added anew.
   */
  goOn(): Promise<readonly QueueAnswer[]>;
  add(items: readonly QueuedItem[]): Promise<void>;
  /** Waits a second at most. An answer may come twice, and is given again after the server was away. */
  answers(): Promise<readonly QueueAnswer[]>;
  /** Removes answers, and what is left of items that failed. */
  take(answers: readonly TakenAnswer[]): Promise<void>;
  /** In the order of `ids`. */
  states(ids: readonly string[]): Promise<readonly ItemState[]>;
  /** Stops waiting for answers. If nothing of the batch is left, removes what the queue has of it. */
  end(isEmpty: boolean): Promise<void>;
  /** Removes these items if they wait, and has the workers stop those that run. */
  drop(ids: readonly string[]): Promise<void>;
  /** The same for all items of the batch. */
  cancel(ids: readonly string[]): Promise<void>;
}

export interface WorkOptions {
  /** How many items at the same time. */
  readonly parallel: number;
  /** How long the items of a worker that has gone silent stay its own. */
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  handle(item: TakenItem, signal: AbortSignal): Promise<HandledItem>;
}

export interface TakenItem {
  /** As it stands in the queue: anybody who can write there may have made it. */
  readonly data: unknown;
  /** How many workers began it before and ended without an answer. */
  readonly begun: number;
}

/** `put-back` leaves it to another worker. */
export type HandledItem =
  | { readonly kind: "answered"; readonly text: string }
  /** `isDead`: it is stored for a person who looks for it, unless another attempt is made. */
  | {
      readonly kind: "failed";
      readonly text: string;
      readonly reason: string;
      readonly mayRetry: boolean;
      readonly isDead: boolean;
    }
  | { readonly kind: "put-back" };
