// A queue on PostgreSQL. pg-boss keeps the items: it hands each to one worker, and again to another when that one goes
// silent. The answers of a batch are rows of a table beside its own, which the caller removes when it has stored them,
// so that an answer outlasts a caller that is killed.
import { type OpenQueue, shownAddress } from "./queue-address.ts";
import {
  answersChannel,
  CANCELLED_KEPT,
  ITEMS_CHANNEL,
  NAME,
  type PostgresParts,
  rowOf,
  SCHEMA,
} from "./postgres-rows.ts";
import { PgBoss } from "pg-boss";
import { randomBytes } from "node:crypto";
import type { DeadItem, ItemState, OpenedQueue, QueueBatch, WorkQueue } from "../../../core/tool/host-queues.ts";
import {
  APPLICATION,
  type Database,
  openDatabase,
  pause,
  postgresTrouble,
  WORKER_APPLICATION,
} from "./postgres-connection.ts";

const DEAD_SHOWN_MAX = 1_000;
const ANSWERS_AT_ONCE = 500;
const ANSWERS_WAIT_MS = 1_000;
const TABLES = `
create table if not exists ${SCHEMA}.dottool_answer (
  place bigserial primary key, batch text not null, item text not null, answer text not null,
  made timestamptz not null default now());
create index if not exists dottool_answer_batch on ${SCHEMA}.dottool_answer (batch, place);
create table if not exists ${SCHEMA}.dottool_dead (
  id text primary key, item text not null, retries int not null, reason text not null, made timestamptz not null default now());
create table if not exists ${SCHEMA}.dottool_cancelled (id text primary key, until timestamptz not null);`;
/** The codes with which one of two processes fails that make the tables at the same time. */
const MADE_ALREADY = /^(?:23505|42P07|42710|42P06|XX000)$/;
const MAKE_TIMES = 20;

export const openPostgresQueue: OpenQueue = async (url, options): Promise<OpenedQueue> => {
  const opened = await openDatabase(url, options);
  if ("problem" in opened) return opened;
  const { database } = opened;
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: [...(await database.query(text, values)).rows] }) },
    schema: SCHEMA,
    application_name: APPLICATION,
    schedule: false,
    // Workers look after lost items themselves, as often as their lease asks for.
    supervise: false,
    monitorIntervalSeconds: 1,
    registerInstance: false,
  });
  // A statement that fails is reported where it was sent.
  boss.on("error", () => undefined);
  try {
    await makeTables(boss, database);
  } catch (error) {
    await database.close();
    return postgresTrouble(error, url);
  }
  return { queue: workQueue({ url, database, boss, onTrouble: options.onTrouble }) };
};

async function makeTables(boss: PgBoss, database: Database): Promise<void> {
  for (let times = 1; ; times++) {
    try {
      await boss.start();
      if (!(await boss.getQueue(NAME))) await boss.createQueue(NAME, { retryDelay: 0 });
      await database.query(TABLES);
      return;
    } catch (error) {
      const { code } = (error ?? {}) as { readonly code?: unknown };
      if (typeof code !== "string" || !MADE_ALREADY.test(code) || times >= MAKE_TIMES) throw error;
      await pause(times * 50, new AbortController().signal);
    }
  }
}

function workQueue(parts: PostgresParts): WorkQueue {
  const { url, database, boss } = parts;
  return {
    shownAddress: shownAddress(url),
    batch: (id) => postgresBatch(id, parts),
    work: async (options) => (await import("./postgres-worker.ts")).work(options, parts),
    counts: async () => {
      const { rows } = await database.query(
        `select count(*) filter (where state < 'active')::int as waiting,
          count(*) filter (where state = 'active')::int as running,
          (select count(*)::int from pg_stat_activity where application_name = $2 and datname = current_database()) as workers
          from ${SCHEMA}.job where name = $1`,
        [NAME, WORKER_APPLICATION],
      );
      const [{ waiting, running, workers } = {}] = rows;
      return { waiting: Number(waiting), running: Number(running), workers: Number(workers) };
    },
    dead: async () => {
      const { rows } = await database.query(
        `select id, item, retries, reason, extract(epoch from made) * 1000 as at from ${SCHEMA}.dottool_dead
          order by made desc limit ${DEAD_SHOWN_MAX}`,
      );
      return rows.map(({ id, item, retries, reason, at }) => ({
        id: String(id),
        data: JSON.parse(String(item)) as unknown,
        reason: String(reason),
        atMs: Number(at),
        retriesMax: Number(retries),
      }));
    },
    revive: async (items) => {
      const ids = items.map(({ id }) => uuidOf(id));
      if (ids.length > 0) await boss.deleteJob(NAME, ids);
      await boss.insert(
        NAME,
        items.map(({ id, data, retriesMax }) => ({ id: uuidOf(id), ...rowOf(data, retriesMax) })),
      );
      await forget(items, database);
      await database.query("select pg_notify($1, '')", [ITEMS_CHANNEL]);
    },
    forget: (items) => forget(items, database),
    close: async () => {
      // It is not told to wait for what the server does not answer.
      boss.stop({ graceful: false, close: false }).catch(() => undefined);
      await database.close();
    },
  };
}

async function forget(items: readonly Pick<DeadItem, "id">[], database: Database): Promise<void> {
  await database.query(`delete from ${SCHEMA}.dottool_dead where id = any($1)`, [items.map(({ id }) => id)]);
}

function postgresBatch(batch: string, { database, boss }: PostgresParts): QueueBatch {
  const ended = new AbortController();
  const untaken = new Set<string>();
  let wake = (): void => undefined;
  let isCalled = false;
  const channel = answersChannel(batch);
  const listener = database.listen(channel, APPLICATION, () => {
    isCalled = true;
    wake();
  });
  const read = async (): Promise<readonly { place: string; id: string; text: string }[]> => {
    const { rows } = await database.query(
      `select place::text, item, answer from ${SCHEMA}.dottool_answer
        where batch = $1 and place <> all($2::bigint[]) order by place limit ${ANSWERS_AT_ONCE}`,
      [batch, [...untaken]],
    );
    return rows.map(({ place, item, answer }) => {
      untaken.add(String(place));
      return { place: String(place), id: String(item), text: String(answer) };
    });
  };
  /** Tells workers to stop, when what waits is gone already: who stops takes the next item. */
  const cancelled = (ids: readonly string[], items: readonly string[]): Promise<unknown> =>
    database.query(
      `with gone as (delete from ${SCHEMA}.job where name = $2 and id = any($3::uuid[]) and state in ('created', 'retry'))
        insert into ${SCHEMA}.dottool_cancelled select id, now() + interval '${CANCELLED_KEPT}' from unnest($1::text[]) as id
        on conflict (id) do update set until = excluded.until`,
      [ids, NAME, items.map(uuidOf)],
    );
  const remove = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await boss.deleteJob(NAME, ids.map(uuidOf));
  };
  const states = async (ids: readonly string[]): Promise<readonly ItemState[]> => {
    const { rows } = await database.query(
      `select id::text, state::text from ${SCHEMA}.job where name = $1 and id = any($2::uuid[])`,
      [NAME, ids.map(uuidOf)],
    );
    const found = new Map(rows.map(({ id, state }) => [String(id), String(state)]));
    return ids.map((id): ItemState => {
      const state = found.get(uuidOf(id));
      if (state === undefined || state === "completed" || state === "cancelled") return { kind: "missing" };
      return state === "failed" ? { kind: "failed", reason: state } : { kind: "there" };
    });
  };
  return {
    goOn: async () => {
      await database.query(`delete from ${SCHEMA}.dottool_cancelled where id = $1`, [batch]);
      const left: { place: string; id: string; text: string }[] = [];
      for (;;) {
        const some = await read();
        if (some.length === 0) return left;
        left.push(...some);
      }
    },
    add: async (items) => {
      // What ended without a worker of dottool, such as a forged one, is in the way of another try.
      const before = await states(items.map(({ id }) => id));
      await remove(items.filter((_item, index) => before[index]?.kind !== "there").map(({ id }) => id));
      await boss.insert(
        NAME,
        items.map((item) => ({ id: uuidOf(item.id), ...rowOf(item.data, item.retriesMax) })),
      );
      await database.query("select pg_notify($1, '')", [ITEMS_CHANNEL]);
    },
    answers: async () => {
      isCalled = false;
      const found = await read();
      if (found.length > 0 || ended.signal.aborted) return found;
      const waiting = new AbortController();
      wake = () => waiting.abort();
      if (isCalled) waiting.abort();
      await pause(ANSWERS_WAIT_MS, AbortSignal.any([waiting.signal, ended.signal]));
      return ended.signal.aborted ? [] : read();
    },
    take: async (answers) => {
      const places = answers.map(({ place }) => place).filter((place) => place !== "");
      if (places.length > 0)
        await database.query(`delete from ${SCHEMA}.dottool_answer where place = any($1::bigint[])`, [places]);
      for (const place of places) untaken.delete(place);
    },
    states,
    end: async (isEmpty) => {
      ended.abort();
      listener.end();
      if (isEmpty) await database.query(`delete from ${SCHEMA}.dottool_answer where batch = $1`, [batch]);
    },
    drop: async (ids) => {
      await cancelled(ids, ids);
      await remove(ids);
    },
    cancel: async (ids) => {
      ended.abort();
      listener.end();
      await cancelled([batch], ids);
      await remove(ids);
      await database.query(`delete from ${SCHEMA}.dottool_answer where batch = $1`, [batch]);
    },
  };
}

/** An id of 32 hexadecimal digits. Another one, of a stranger's answer, names no item. */
export function uuidOf(id: string): string {
  const digits = /^[\da-f]{32}$/.test(id) ? id : randomBytes(16).toString("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
