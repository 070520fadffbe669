// The side of a worker on Redis or Valkey: BullMQ hands it items, and it puts the answer of each into the stream of its
// batch before BullMQ removes the item. A worker that is killed between the two leaves an answer and an item that runs
// again; its caller takes the first answer.
import { type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { HandledItem, WorkOptions } from "../../../core/tool/host-queues.ts";
import { ANSWERS_S, answersKey, cancelledKey, NAME, PREFIX, type RedisParts } from "./redis-keys.ts";
import { BegunItems } from "./server-away.ts";

/** No number: also a living worker loses its lease, when the server or the machine stands still for so long. */
const STALLED_MAX = 1_000_000;
const CANCEL_LOOK_MS = 1_000;
/** How long a worker waits for an item before it asks again, in seconds. */
const DRAIN_S = 5;

export async function work(options: WorkOptions, parts: RedisParts): Promise<void> {
  const { parallel, leaseMs, signal } = options;
  const running: Running = new Map();
  const begun = new BegunItems();
  const handling = { options, parts, running, begun };
  const worker = new Worker(NAME, (job: Job, token?: string) => handled(job, token, handling), {
    connection: parts.redis,
    prefix: PREFIX,
    concurrency: parallel,
    lockDuration: leaseMs,
    lockRenewTime: Math.ceil(leaseMs / 3),
    stalledInterval: Math.ceil(leaseMs / 2),
    maxStalledCount: STALLED_MAX,
    runRetryDelay: 1_000,
    drainDelay: DRAIN_S,
    autorun: false,
  });
  worker.on("error", (error) => {
    // An item whose lease ended meanwhile has been answered, or is another worker's.
    if (/lock|not in the active state/i.test(error.message)) return;
    parts.say(error);
  });
  const looking = setInterval(() => void stopCancelled(running, parts).catch(() => undefined), CANCEL_LOOK_MS);
  const stop = (): void => {
    for (const controller of running.keys()) controller.abort();
    void worker.close().catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  const left = begun.whenLeft(signal, () => parts.redis.status !== "ready").then(() => "left" as const);
  try {
    const ended = signal.aborted ? undefined : worker.run().then(() => worker.close());
    if ((await Promise.race([ended, left])) === "left") parts.leave(begun.leftText);
  } finally {
    clearInterval(looking);
    signal.removeEventListener("abort", stop);
  }
}

interface Handling {
  readonly options: WorkOptions;
  readonly parts: RedisParts;
  readonly running: Running;
  readonly begun: BegunItems;
}

/** The ids of the batch and of the item, for each that runs, by what stops it. */
type Running = Map<AbortController, readonly string[]>;

function handled(job: Job, token: string | undefined, handling: Handling): Promise<void> {
  return handling.begun.begin(
    () => called(job, handling),
    (done) => answered(done, { job, token, parts: handling.parts }),
  );
}

async function called(job: Job, { options, running }: Handling): Promise<HandledItem> {
  const controller = new AbortController();
  running.set(controller, [batchOf(job.data), job.id ?? ""]);
  if (options.signal.aborted) controller.abort();
  try {
    return await options.handle(
      { data: job.data, begun: job.attemptsStarted - 1 - job.attemptsMade },
      controller.signal,
    );
  } finally {
    running.delete(controller);
  }
}

interface Answering {
  readonly job: Job;
  readonly token: string | undefined;
  readonly parts: RedisParts;
}

async function answered(done: HandledItem, { job, token, parts }: Answering): Promise<void> {
  if (done.kind === "put-back") {
    await job.moveToWait(token);
    throw new WaitingError();
  }
  // BullMQ makes another attempt of an item that throws, unless it was the last one.
  if (done.kind === "failed" && done.mayRetry && job.attemptsMade + 1 < (job.opts.attempts ?? 1))
    throw new Error(done.reason);
  const key = answersKey(batchOf(job.data));
  await parts.whenRoom(async () => {
    const added = parts.redis.xadd(key, "*", "id", job.id ?? "", "text", done.text);
    await Promise.all([added, parts.redis.expire(key, ANSWERS_S)]);
  });
  if (done.kind === "failed" && done.isDead) throw new UnrecoverableError(done.reason);
}

function batchOf(data: unknown): string {
  const batch = typeof data === "object" && data !== null && "batch" in data ? data.batch : undefined;
  return typeof batch === "string" && /^[\da-f]{32}$/.test(batch) ? batch : "unknown";
}

async function stopCancelled(running: Running, { redis }: RedisParts): Promise<void> {
  const ids = [...new Set([...running.values()].flat())];
  if (ids.length === 0 || redis.status !== "ready") return;
  const found = await redis.mget(...ids.map(cancelledKey));
  const cancelled = new Set(ids.filter((_id, index) => typeof found[index] === "string"));
  for (const [controller, own] of running) if (own.some((id) => cancelled.has(id))) controller.abort("cancelled");
}
