// The keys on a Redis server, and what is open of one.
import type { Queue } from "bullmq";
import type { OpenRedis } from "./redis-connection.ts";

/** BullMQ's keys are `dottool:items:…`. */
export const PREFIX = "dottool";
export const NAME = "items";
/** How long answers wait for a caller that was killed and comes back with `--done`. */
export const ANSWERS_S = 24 * 60 * 60;
export const answersKey = (batch: string): string => `${PREFIX}:answers:${batch}`;
/** The key that cancels a batch or one item. */
export const cancelledKey = (id: string): string => `${PREFIX}:cancelled:${id}`;

export interface RedisParts extends OpenRedis {
  readonly url: URL;
  readonly queue: Queue;
}
