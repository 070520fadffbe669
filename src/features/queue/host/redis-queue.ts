// A queue on Redis or Valkey. BullMQ keeps the items: it hands each to one worker, and again to another when that one
// goes silent. The answers of a batch are a stream of their own, from which its caller removes what it has stored, so
// that an answer outlasts a caller that is killed.
import { type OpenQueue, shownAddress } from "./queue-address.ts";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type {
  DeadItem,
  ItemState,
  OpenedQueue,
  QueueAnswer,
  QueueBatch,
  WorkQueue,
} from "../../../core/tool/host-queues.ts";
import { answersKey, cancelledKey, NAME, PREFIX, type RedisParts } from "./redis-keys.ts";
import { CONNECT_MS_MAX, disconnect, openConnection, redisTrouble } from "./redis-connection.ts";

/** How long workers are told that a batch was cancelled. */
const CANCELLED_S = 60 * 60;
const ANSWERS_AT_ONCE = 500;
const ANSWERS_WAIT_MS = 1_000;
/** Items that failed stay for a person who looks for them. */
const DEAD_S = 7 * 24 * 60 * 60;
const DEAD_MAX = 10_000;
const DEAD_SHOWN_MAX = 1_000;
const BACKOFF_MS = 1_000;

const ROOM_KEY = `${PREFIX}:room`;
const itemKey = (id: string): string => `${PREFIX}:${NAME}:${id}`;

export const openRedisQueue: OpenQueue = async (url, options): Promise<OpenedQueue> => {
  // The library would go on with database 0.
  if (!/^\/?\d*$/.test(url.pathname))
    return {
      problem: `\`${shownAddress(url)}\` names a database that is not a number`,
      help: ["Redis has numbers for databases, most servers 0 to 15: `redis://HOST/2`"],
    };
  const opened = await openConnection(url, options);
  if ("problem" in opened) return opened;
  const { redis, ...rest } = opened;
  const queue = new Queue(NAME, { connection: redis, prefix: PREFIX, skipMetasUpdate: true });
  queue.on("error", () => undefined);
  try {
    await queue.waitUntilReady();
  } catch (error) {
    disconnect(redis);
    return redisTrouble(error, url);
  }
  return { queue: workQueue({ url, redis, queue, ...rest }) };
};

function workQueue(parts: RedisParts): WorkQueue {
  const { url, redis, queue } = parts;
  const readers: Redis[] = [];
  return {
    shownAddress: shownAddress(url),
    batch: (id) => {
      const reader = redis.duplicate();
      readers.push(reader);
      return redisBatch(id, reader, parts);
    },
    work: async (options) => (await import("./redis-worker.ts")).work(options, parts),
    counts: async () => {
      const { waiting = 0, prioritized = 0, delayed = 0, active = 0 } = await queue.getJobCounts();
      const workers = await queue.getWorkersCount().catch(() => undefined);
      return { waiting: waiting + prioritized + delayed, running: active, workers };
    },
    dead: async () =>
      (await queue.getFailed(0, DEAD_SHOWN_MAX - 1)).flatMap(({ id, data, failedReason, finishedOn, opts }) =>
        id === undefined
          ? []
          : [{ id, data, reason: failedReason, atMs: finishedOn ?? 0, retriesMax: (opts.attempts ?? 1) - 1 }],
      ),
    revive: async (items) => {
      await Promise.all(items.map(({ id }) => queue.remove(id)));
      await queue.addBulk(items.map(({ id, data, retriesMax }) => bullItem({ id, data, retriesMax })));
    },
    forget: async (items) => void (await Promise.all(items.map(({ id }) => queue.remove(id)))),
    close: async () => {
      for (const reader of readers) disconnect(reader);
      // A server that does not answer is not waited for.
      const late = new Promise<void>((resolve) => setTimeout(resolve, CONNECT_MS_MAX).unref());
      await Promise.race([queue.close().catch(() => undefined), late]);
      disconnect(redis);
    },
  };
}

/** `reader` waits for answers, which would hold up everything else on its connection. */
function redisBatch(batch: string, reader: Redis, { redis, queue, whenRoom }: RedisParts): QueueBatch {
  const key = answersKey(batch);
  let after = "0";
  let isContinued = false;
  // A server that comes back may be another one, with a clock of its own.
  reader.on("ready", () => void (after = "0"));
  const read = async (waitMs: number): Promise<readonly QueueAnswer[]> => {
    const [[, entries] = []] =
      (await (waitMs === 0
        ? reader.xread("COUNT", ANSWERS_AT_ONCE, "STREAMS", key, after)
        : reader.xread("COUNT", ANSWERS_AT_ONCE, "BLOCK", waitMs, "STREAMS", key, after))) ?? [];
    after = entries?.at(-1)?.[0] ?? after;
    return (entries ?? []).map(([place, [, id = "", , text = ""]]) => ({ place, id, text }));
  };
  const states = async (ids: readonly string[]): Promise<readonly ItemState[]> => {
    const pipeline = redis.pipeline();
    for (const id of ids) pipeline.hmget(itemKey(id), "data", "finishedOn", "failedReason");
    return ((await pipeline.exec()) ?? []).map(([error, fields]) => {
      if (error) throw error;
      return stateOf(fields as readonly (string | null)[]);
    });
  };
  // One that runs is locked, and stays until its worker stops it.
  const remove = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(ids.map((id) => queue.remove(id).catch(() => undefined)));
  };
  /** Tells workers to stop, when what waits is gone already: who stops takes the next item. */
  const stop = async (told: readonly string[], items: readonly string[]): Promise<void> => {
    await remove(items);
    await Promise.all(told.map((id) => redis.set(cancelledKey(id), "1", "EX", CANCELLED_S)));
    await remove(items);
  };
  return {
    goOn: async () => {
      isContinued = true;
      await whenRoom(() => redis.del(cancelledKey(batch)));
      const left: QueueAnswer[] = [];
      for (;;) {
        const some = await read(0);
        if (some.length === 0) return left;
        left.push(...some);
      }
    },
    add: async (items) => {
      if (isContinued) {
        const before = await states(items.map(({ id }) => id));
        await Promise.all(
          items.map(({ id }, index) => (before[index]?.kind === "failed" ? queue.remove(id) : undefined)),
        );
      }
      await whenRoom(() => queue.addBulk(items.map(bullItem)));
    },
    answers: () => read(ANSWERS_WAIT_MS),
    take: async (answers) => {
      const places = answers.map(({ place }) => place).filter((place) => place !== "");
      if (places.length > 0) await whenRoom(() => redis.xdel(key, ...places));
    },
    states: async (ids) => {
      // A caller that only waits would not hear that its workers cannot answer.
      await whenRoom(() => redis.set(ROOM_KEY, "1", "EX", 1));
      return states(ids);
    },
    end: async (isEmpty) => {
      disconnect(reader);
      if (isEmpty) await whenRoom(() => redis.del(key));
    },
    drop: async (ids) => {
      await stop(ids, ids);
    },
    cancel: async (ids) => {
      await stop([batch], ids);
      await redis.del(key);
    },
  };
}

function bullItem({ id, data, retriesMax }: Pick<DeadItem, "id" | "data" | "retriesMax">): BullItem {
  return {
    name: "call",
    data,
    opts: {
      jobId: id,
      attempts: retriesMax + 1,
      backoff: { type: "exponential", delay: BACKOFF_MS },
      removeOnComplete: true,
      removeOnFail: { age: DEAD_S, count: DEAD_MAX },
    },
  };
}

type BullItem = Parameters<Queue["addBulk"]>[0][number];

function stateOf([data, finishedOn, reason]: readonly (string | null)[]): ItemState {
  if (typeof data !== "string") return { kind: "missing" };
  return typeof finishedOn === "string" && typeof reason === "string" ? { kind: "failed", reason } : { kind: "there" };
}
