// Somebody else who reaches the server of a queue, for tests: puts in items, answers in place of workers, and reads
// everything.
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { setTimeout as delay } from "node:timers/promises";
import type { QueueServer } from "./queue-server.ts";

export interface Stranger {
  /** Puts an item in as any program can, and returns the text of the answer to the batch. */
  put(data: unknown, batch: string): Promise<string>;
  /** Waits for an item that a worker makes. */
  running(): Promise<{ readonly id: string; readonly batch: string }>;
  answer(batch: string, item: string, text: string): Promise<void>;
  /** All that the server has, as text. */
  all(): Promise<string>;
}

export async function withStranger(server: QueueServer, use: (stranger: Stranger) => Promise<void>): Promise<void> {
  return server.address.startsWith("redis:") ? onRedis(server, use) : onPostgres(server, use);
}

const batchIn = (text: string): string => (JSON.parse(text) as { readonly batch: string }).batch;

async function onRedis({ port }: QueueServer, use: (stranger: Stranger) => Promise<void>): Promise<void> {
  const redis = new Redis(port, { maxRetriesPerRequest: null }).on("error", () => undefined);
  const queue = new Queue("items", { connection: redis, prefix: "dottool" });
  const key = (batch: string): string => `dottool:answers:${batch}`;
  try {
    await use({
      put: async (data, batch) => {
        await queue.add("call", data);
        for (;;) {
          const [entry] = await redis.xrange(key(batch), "-", "+");
          if (entry) {
            await redis.del(key(batch));
            return entry[1][3] ?? "";
          }
          await delay(10);
        }
      },
      running: async () => {
        for (;;) {
          const [id] = await redis.lrange("dottool:items:active", 0, 0);
          if (id !== undefined) return { id, batch: batchIn((await redis.hget(`dottool:items:${id}`, "data")) ?? "") };
          await delay(10);
        }
      },
      answer: async (batch, item, text) => void (await redis.xadd(key(batch), "*", "id", item, "text", text)),
      all: async () => {
        const dumps = await Promise.all((await redis.keys("*")).map((one) => redis.dumpBuffer(one)));
        return dumps.map((bytes) => bytes?.toString("latin1")).join("\n");
      },
    });
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

async function onPostgres({ address }: QueueServer, use: (stranger: Stranger) => Promise<void>): Promise<void> {
  const boss = new PgBoss({ connectionString: address, schema: "dottool", schedule: false, supervise: false });
  const client = new pg.Client(address).on("error", () => undefined);
  await client.connect();
  try {
    await boss.start();
    await use({
      put: async (data, batch) => {
        await boss.insert("items", [{ data: { text: JSON.stringify(data), retriesMax: 0, failed: 0 } }]);
        await client.query("select pg_notify('dottool_items', '')");
        for (;;) {
          const { rows } = await client.query("delete from dottool.dottool_answer where batch = $1 returning answer", [
            batch,
          ]);
          if (rows.length > 0) return String(rows[0].answer);
          await delay(10);
        }
      },
      running: async () => {
        for (;;) {
          const { rows } = await client.query("select id, data from dottool.job where state = 'active'");
          if (rows.length > 0) return { id: rows[0].id.replaceAll("-", ""), batch: batchIn(rows[0].data.text) };
          await delay(10);
        }
      },
      answer: async (batch, item, text) => {
        const values = [batch, item, text];
        await client.query("insert into dottool.dottool_answer (batch, item, answer) values ($1, $2, $3)", values);
      },
      all: async () => {
        const { rows } = await client.query(
          "select query_to_xml('select * from dottool.' || tablename, true, true, '') as text from pg_tables where schemaname = 'dottool'",
        );
        return JSON.stringify(rows);
      },
    });
  } finally {
    await client.end();
    await boss.stop({ graceful: false });
  }
}
