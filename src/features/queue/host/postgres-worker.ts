// The side of a worker on PostgreSQL: it takes as many items as it has places for, says that it is alive, and puts the
// answer of each into the table before the item is removed. A worker that is killed between the two leaves an answer and
// an item that runs again; its caller takes the first answer.
import type { HandledItem, WorkOptions } from "../../../core/tool/host-queues.ts";
import { pause, postgresTrouble, WORKER_APPLICATION } from "./postgres-connection.ts";
import {
  ANSWERS_KEPT,
  answersChannel,
  DEAD_KEPT,
  ITEMS_CHANNEL,
  LEASE_S,
  NAME,
  type PostgresParts,
  rowOf,
  SCHEMA,
  type StoredItem,
} from "./postgres-rows.ts";
import { BegunItems } from "./server-away.ts";

const CANCEL_LOOK_MS = 1_000;
/** How long a worker waits for an item before it asks again. */
const IDLE_MS = 2_000;
const LOOK_MS_MIN = 500;
const BACKOFF_S = 1;

interface Taken {
  readonly id: string;
  readonly data: unknown;
  readonly retryCount: number;
}

interface Running {
  readonly job: Taken;
  /** The ids of the batch and of the item. */
  readonly ids: readonly string[];
}

export async function work(options: WorkOptions, parts: PostgresParts): Promise<void> {
  const { signal } = options;
  const { database } = parts;
  const begun = new BegunItems();
  const left = begun.whenLeft(signal, database.isAway).then(() => "left" as const);
  const ended = new AbortController();
  if ((await Promise.race([takeItems(options, { parts, begun, ended }), left])) !== "left") return;
  if (begun.leftText !== undefined) parts.onTrouble(begun.leftText);
  ended.abort();
  database.leave();
}

interface Taking {
  readonly parts: PostgresParts;
  readonly begun: BegunItems;
  readonly ended: AbortController;
}

async function takeItems(options: WorkOptions, { parts, begun, ended }: Taking): Promise<void> {
  const { parallel, leaseMs, signal } = options;
  const { database } = parts;
  const running = new Map<AbortController, Running>();
  const done = new Set<Promise<void>>();
  let wake = (): void => undefined;
  let isCalled = false;
  const call = (): void => {
    isCalled = true;
    wake();
  };
  const listener = database.listen(ITEMS_CHANNEL, WORKER_APPLICATION, call);
  const loops = [
    every(leaseMs / 3, ended.signal, () => alive(running, parts)),
    every(CANCEL_LOOK_MS, ended.signal, () => stopCancelled(running, parts)),
    every(Math.max(leaseMs / 2, LOOK_MS_MIN), ended.signal, () => cleared(parts).then(call)),
  ];
  const stop = (): void => {
    for (const controller of running.keys()) controller.abort();
    call();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      isCalled = false;
      const free = parallel - running.size;
      const jobs = free > 0 ? await taken(free, leaseMs, parts) : [];
      for (const job of jobs) {
        const one = handled(job, { options, parts, running, begun, ended }).finally(() => {
          done.delete(one);
          call();
        });
        done.add(one);
      }
      if (jobs.length > 0 && jobs.length < free) continue;
      const waiting = new AbortController();
      wake = () => waiting.abort();
      if (isCalled || signal.aborted) continue;
      await pause(IDLE_MS, waiting.signal);
    }
  } finally {
    stop();
    await Promise.all(done);
    ended.abort();
    listener.end();
    await Promise.all(loops);
    signal.removeEventListener("abort", stop);
  }
}

async function taken(count: number, leaseMs: number, { boss, database }: PostgresParts): Promise<readonly Taken[]> {
  const jobs = await boss.fetch(NAME, { batchSize: count });
  const leaseS = Math.max(1, Math.round(leaseMs / 1_000));
  if (jobs.length > 0 && leaseS !== LEASE_S)
    await database.query(
      `update ${SCHEMA}.job set heartbeat_seconds = $2 where name = $3 and id = any($1::uuid[]) and state = 'active'`,
      [jobs.map(({ id }) => id), leaseS, NAME],
    );
  return jobs;
}

async function every(ms: number, signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await pause(ms, signal);
    if (signal.aborted) return;
    await act().catch(() => undefined);
  }
}

async function alive(running: ReadonlyMap<AbortController, Running>, { boss }: PostgresParts): Promise<void> {
  const jobs = [...running.values()].map(({ job: { id, retryCount } }) => ({ id, retryCount }));
  if (jobs.length > 0) await boss.touch(NAME, jobs);
}

/** Gives items of silent workers to others, and removes what nobody has come back for. */
async function cleared({ boss, database }: PostgresParts): Promise<void> {
  await boss.supervise(NAME);
  await database.query(`delete from ${SCHEMA}.dottool_answer where made < now() - interval '${ANSWERS_KEPT}'`);
  await database.query(`delete from ${SCHEMA}.dottool_dead where made < now() - interval '${DEAD_KEPT}'`);
  await database.query(`delete from ${SCHEMA}.dottool_cancelled where until < now()`);
}

interface Handling {
  readonly options: WorkOptions;
  readonly parts: PostgresParts;
  readonly running: Map<AbortController, Running>;
  readonly begun: BegunItems;
  readonly ended: AbortController;
}

/** Never rejects: what could not be stored stays in the queue, and goes to another worker. */
async function handled(job: Taken, { options, parts, running, begun, ended }: Handling): Promise<void> {
  const stored = storedItem(job.data);
  const batch = batchOf(stored.item);
  const id = job.id.replaceAll("-", "");
  const controller = new AbortController();
  running.set(controller, { job, ids: [batch, id] });
  if (options.signal.aborted) controller.abort();
  try {
    await begun.begin(
      () => options.handle({ data: stored.item, begun: job.retryCount }, controller.signal),
      (end) => store(end, { job, id, batch, stored, parts }),
    );
  } catch (error) {
    // A worker that has ended without its server has said so.
    if (!ended.signal.aborted) parts.onTrouble(postgresTrouble(error, parts.url).problem);
  } finally {
    running.delete(controller);
  }
}

interface Storing {
  readonly job: Taken;
  readonly id: string;
  readonly batch: string;
  readonly stored: StoredItem & { readonly item: unknown };
  readonly parts: PostgresParts;
}

async function store(end: HandledItem, { job, id, batch, stored, parts }: Storing): Promise<void> {
  const { boss, database } = parts;
  const { retriesMax, failed } = stored;
  const mine = { id: job.id, retryCount: job.retryCount };
  if (end.kind === "put-back") {
    await boss.fail(NAME, mine);
    return;
  }
  if (end.kind === "failed" && end.mayRetry && failed < retriesMax) {
    await boss.deleteJob(NAME, mine);
    const startAfter = new Date(Date.now() + BACKOFF_S * 1_000 * 2 ** failed);
    await boss.insert(NAME, [{ id: job.id, startAfter, ...rowOf(stored.item, retriesMax, failed + 1) }]);
    return;
  }
  await database.query(
    `with put as (insert into ${SCHEMA}.dottool_answer (batch, item, answer) values ($1, $2, $3)) select pg_notify($4, '')`,
    [batch, id, end.text, answersChannel(batch)],
  );
  if (end.kind === "failed" && end.isDead)
    await database.query(
      `insert into ${SCHEMA}.dottool_dead (id, item, retries, reason) values ($1, $2, $3, $4)
        on conflict (id) do update set reason = excluded.reason, made = now()`,
      [id, JSON.stringify(stored.item ?? null), retriesMax, end.reason],
    );
  await boss.deleteJob(NAME, mine);
}

/** A stranger may have put in something else. */
function storedItem(data: unknown): StoredItem & { readonly item: unknown } {
  const { text, retriesMax, failed } = (typeof data === "object" && data !== null ? data : {}) as Partial<StoredItem>;
  const whole = (value: unknown): number => (typeof value === "number" && value >= 0 ? value : 0);
  const rest = { text: "", retriesMax: whole(retriesMax), failed: whole(failed) };
  try {
    return { ...rest, item: typeof text === "string" ? (JSON.parse(text) as unknown) : data };
  } catch {
    return { ...rest, item: data };
  }
}

function batchOf(item: unknown): string {
  const batch = typeof item === "object" && item !== null && "batch" in item ? item.batch : undefined;
  return typeof batch === "string" && /^[\da-f]{32}$/.test(batch) ? batch : "unknown";
}

async function stopCancelled(running: Map<AbortController, Running>, { database }: PostgresParts): Promise<void> {
  const ids = [...new Set([...running.values()].flatMap((one) => one.ids))];
  if (ids.length === 0) return;
  const { rows } = await database.query(`select id from ${SCHEMA}.dottool_cancelled where id = any($1)`, [ids]);
  const cancelled = new Set(rows.map(({ id }) => String(id)));
  for (const [controller, one] of running) if (one.ids.some((id) => cancelled.has(id))) controller.abort("cancelled");
}
