// The rows and names in a PostgreSQL database, and what is open of one.
import type { JobInsert, PgBoss } from "pg-boss";
import type { Database } from "./postgres-connection.ts";

export const SCHEMA = "dottool";
export const NAME = "items";
export const ITEMS_CHANNEL = "dottool_items";
/** How long answers wait for a caller that was killed and comes back with `--done`. */
export const ANSWERS_KEPT = "1 day";
/** How long workers are told that a batch was cancelled. */
export const CANCELLED_KEPT = "1 hour";
/** Items that failed stay for a person who looks for them. */
export const DEAD_KEPT = "7 days";
/** This holds until a worker that takes an item says its own. */
export const LEASE_S = 30;
/** The longest that an item may run, as for the library; its tool has its own limit. */
const RUN_S_MAX = 30 * 24 * 60 * 60;
/** No number: a living worker loses its lease as well, when the server or the machine stands still for so long. */
const LOST_MAX = 1_000_000;

export interface PostgresParts {
  readonly url: URL;
  readonly database: Database;
  readonly boss: PgBoss;
  onTrouble(text: string): void;
}

/** What stands in a row of pg-boss. The item is text, because JSON in PostgreSQL cannot hold every character. */
export interface StoredItem {
  readonly text: string;
  readonly retriesMax: number;
  readonly failed: number;
}

type Row = Pick<JobInsert, "data" | "retryLimit" | "retryDelay" | "expireInSeconds" | "heartbeatSeconds">;

export function rowOf(data: unknown, retriesMax: number, failed = 0): Row {
  return {
    data: { text: JSON.stringify(data), retriesMax, failed },
    retryLimit: LOST_MAX,
    retryDelay: 0,
    expireInSeconds: RUN_S_MAX,
    heartbeatSeconds: LEASE_S,
  };
}

export const answersChannel = (batch: string): string => `dottool_${/^[\da-f]{32}$/.test(batch) ? batch : "unknown"}`;
