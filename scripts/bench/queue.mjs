// A batch on a queue beside the same calls without dottool: what an item costs over a bare job of BullMQ, how waiting
// work scales with workers, and 10,000 calls of a short program beside `xargs -P`, GNU parallel and BullMQ with a spawn.
// The same item on PostgreSQL is beside a bare job of pg-boss. It starts servers of its own on free ports.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { PgBoss } from "pg-boss";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { queueServer } from "../../test/queue-server.ts";

const ITEMS = 2_000;
const CALLS = 10_000;
const ROUNDS = 5;
const MANY = 100_000;
/** Enough items that the start of the batch is a small part, also with the most workers. */
const WAITING = 192;
/** Long beside what a process costs, so that it is the waiting that is measured. */
const WAIT_S = 2;
const PARALLEL = 4;
const WAITING_PARALLEL = 8;
/** The timestamp resolution of file systems: see src/core/catalog/tool-tree.ts. */
const TICK_MS = 2_100;

const tools = {
  // Code needs a thread; a read of a file is the cheapest call.
  look: "Looks.\n\n@title Look\n@name look\n@wrapped read_file\n@with file_path = {word}\n@param word {path} [required] Word\n@tags read\n",
  say: "Says.\n\n@title Say\n@name say\n@wrapped run_command\n@command true {word}\n@param word {string} [required] Word\n@tags read\n",
  wait: `Waits.\n\n@title Wait\n@name wait\n@wrapped run_command\n@command sleep {seconds}\n@param seconds {number} [required] Seconds\n@tags read\n`,
};

/** Stored once a second, as servers have it by default. */
const REDIS = { words: ["--save", "", "--appendonly", "yes"] };
/** Without fsync, for both. */
const POSTGRES = { store: "postgres" };

/** What an item costs, and how waiting work scales. */
export const benchQueue = async (dottool) => [
  ...(await withBench(dottool, async (bench) => [
    ...(await costOfItem(bench, { jobs: bareJobs, of: "bare BullMQ", target: 2 })),
    ...(await scaling(bench)),
  ])),
  ...(await withBench(dottool, (bench) => costOfItem(bench, { jobs: bareBossJobs, of: "bare pg-boss" }), POSTGRES)),
];

/** Many calls of a short program, beside others that make them. */
export const benchQueueCalls = (dottool) => withBench(dottool, manyCalls);

/** The memory that many items take. */
export const benchQueueMemory = (dottool) => withBench(dottool, (bench) => memory(bench, MANY));

async function withBench(dottool, measure, options = REDIS) {
  const folder = mkdtempSync(join(tmpdir(), "dottool-bench-queue-"));
  const server = await queueServer(options);
  try {
    return await measure(makeBench(folder, dottool, server));
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same file is read by the tool and by the bare job. */
async function costOfItem(bench, { jobs, of, target }) {
  const path = join(bench.folder, "word");
  const lines = `${path}\n`.repeat(ITEMS);
  const here = await timed(() => bench.batch(["look"], lines));
  const [onQueue, bare] = [[], []];
  const worker = await bench.worker(["--parallel", `${PARALLEL}`]);
  await bench.batch(["--queue", "-", "look"], `${path}\n`.repeat(200));
  for (let turn = 0; turn < 3; turn++) onQueue.push(await timed(() => bench.batch(["--queue", "-", "look"], lines)));
  await end(worker);
  for (let turn = 0; turn < 3; turn++)
    bare.push(await timed(() => jobs(bench, ITEMS, () => readFileSync(path, "utf8"))));
  const [ms, bareMs] = [Math.min(...onQueue) / ITEMS, Math.min(...bare) / ITEMS];
  return [
    { name: "item of a batch on a queue, one worker", value: ms, unit: "ms", reference: bareMs, of },
    { name: "the same over a bare job", value: ms - bareMs, unit: "ms", ...(target === undefined ? {} : { target }) },
    { name: "the same in one process, without a queue", value: here / ITEMS, unit: "ms" },
  ];
}

async function scaling(bench) {
  const lines = `${WAIT_S}\n`.repeat(WAITING);
  const seconds = {};
  for (const count of [1, 2, 4]) {
    const workers = [];
    for (let at = 0; at < count; at++) workers.push(await bench.worker(["--parallel", `${WAITING_PARALLEL}`]));
    await bench.batch(["--queue", "-", "wait"], "0\n".repeat(WAITING_PARALLEL * count));
    seconds[count] = (await timed(() => bench.batch(["--queue", "-", "wait"], lines))) / 1_000;
    for (const worker of workers) await end(worker);
  }
  return [2, 4].map((count) => ({
    name: `waiting work of ${WAITING} items, ${count} workers`,
    value: seconds[count],
    unit: "s",
    reference: seconds[1] / count,
    of: `1 worker / ${count}`,
    target: seconds[1] / count / 0.9,
  }));
}

/** The same calls by everything that can make them: of a program, and of a tool that starts none. */
async function manyCalls(bench) {
  const path = join(bench.folder, "word");
  const round = CALLS / ROUNDS;
  return [
    ...(await sameCalls(bench, {
      name: "of `true`",
      tool: "say",
      lines: `${Array.from({ length: round }, (_one, index) => index).join("\n")}\n`,
      program: "true",
      job: () => new Promise((resolve) => spawn("true").on("close", resolve)),
    })),
    ...(await sameCalls(bench, {
      name: "that read a file (xargs and parallel: `cat`)",
      tool: "look",
      lines: `${path}\n`.repeat(round),
      program: "cat",
      job: () => readFile(path, "utf8"),
    })),
  ];
}

/** Each way takes turns with the others, so that other work on the machine meets all of them. */
async function sameCalls(bench, { name, tool, lines, program, job }) {
  const onQueue = async (count) => {
    const workers = [];
    for (let at = 0; at < count; at++) workers.push(await bench.worker(["--parallel", `${PARALLEL / count}`]));
    const ms = await timed(() => bench.batch(["--queue", "-", tool], lines));
    for (const worker of workers) await end(worker);
    return ms;
  };
  const ways = {
    [`xargs -P ${PARALLEL}`]: () => timed(() => filter("xargs", ["-n", "1", "-P", `${PARALLEL}`, program], lines)),
    ...(spawnSync("parallel", ["--version"]).status === 0
      ? {
          [`GNU parallel -j ${PARALLEL}`]: () =>
            timed(() => filter("parallel", ["--will-cite", "-j", `${PARALLEL}`, program], lines)),
        }
      : {}),
    "bare BullMQ": () => timed(() => bareJobs(bench, CALLS / ROUNDS, job)),
    "dottool batch": () => timed(() => bench.batch(["--parallel", `${PARALLEL}`, tool], lines)),
    "dottool batch --queue, one worker": () => onQueue(1),
    "dottool batch --queue, two workers": () => onQueue(2),
  };
  const loads = [];
  const took = Object.fromEntries(Object.keys(ways).map((how) => [how, 0]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [how, act] of Object.entries(ways)) {
      took[how] += await act();
      loads.push(loadavg()[0]);
    }
  const load = `load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  return Object.entries(took).map(([how, ms]) => ({
    name: `${CALLS.toLocaleString("en")} calls ${name}, ${load}: ${how}`,
    value: ms / 1_000,
    unit: "s",
  }));
}

/** The memory of the caller and of the server, when a tenth is done and at the end. */
async function memory(bench, items) {
  const path = join(bench.folder, "word");
  const worker = await bench.worker(["--parallel", "16"]);
  const samples = { caller: [], worker: [], server: [] };
  const child = bench.start(["batch", "--queue", "-", "look"], "ignore");
  const sample = setInterval(async () => {
    samples.caller.push(residentMb(child.pid));
    samples.worker.push(residentMb(worker.pid));
    samples.server.push(await serverMb(bench.port));
  }, 1_000);
  const started = performance.now();
  feed(child, `${path}\n`, items);
  await ended(child);
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(sample);
  await end(worker);
  const parts = Object.entries(samples).map(([who, all]) => {
    const known = all.filter((mb) => mb > 0);
    const tenth = Math.max(...known.slice(0, Math.max(3, Math.ceil(known.length / 10))));
    return {
      name: `memory of the ${who}, ${items.toLocaleString("en")} items`,
      value: Math.max(...known.slice(-Math.ceil(known.length / 10))),
      unit: "MB",
      reference: tenth,
      of: "first tenth",
    };
  });
  return [...parts, { name: `${items.toLocaleString("en")} items, one worker`, value: seconds, unit: "s" }];
}

function makeBench(folder, dottool, { address, port }) {
  const home = join(folder, "home");
  mkdirSync(join(folder, ".tools"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(folder, "word"), "hello\n");
  for (const [name, text] of Object.entries(tools)) writeFileSync(join(folder, ".tools", `${name}.tool`), text);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS);
  const host = createNodeHost();
  const own = { ...host, folders: { ...host.folders, state: join(home, ".local/state/dottool"), temporary: tmpdir() } };
  trustContent(readContent(join(folder, ".tools"), own), own);
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", DOTTOOL_QUEUE: address };
  const start = (words, output) =>
    spawn(dottool, words, { cwd: folder, env, stdio: ["pipe", output, output === "ignore" ? "inherit" : "pipe"] });
  return {
    folder,
    address,
    port,
    start,
    batch: async (words, lines) => {
      const child = start(["batch", ...words], "ignore");
      child.stdin.end(lines);
      const code = await ended(child);
      if (code !== 0) throw new Error(`dottool batch ${words.join(" ")} ended with ${code}`);
    },
    worker: (words) =>
      new Promise((resolve, reject) => {
        const child = spawn(dottool, ["worker", ...words], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
        let said = "";
        child.stderr.on("data", (bytes) => {
          said += bytes;
          if (said.includes("takes items")) resolve(child);
        });
        child.on("close", () => reject(new Error(said)));
      }),
  };
}

/** The same number of jobs, in bulks, with a worker in this process. */
async function bareJobs({ port }, count, work) {
  const connection = new Redis(port, { maxRetriesPerRequest: null });
  const queue = new Queue("bare", { connection });
  let done = 0;
  await new Promise((resolve) => {
    const worker = new Worker(
      "bare",
      async () => {
        await work();
      },
      { connection, concurrency: PARALLEL },
    );
    worker.on("completed", async () => {
      if (++done < count) return;
      await worker.close();
      resolve();
    });
    for (let at = 0; at < count; at += 200)
      queue.addBulk(
        Array.from({ length: Math.min(200, count - at) }, (_one, index) => ({
          name: "call",
          data: { at: at + index },
          opts: { removeOnComplete: true },
        })),
      );
  });
  await queue.close();
  connection.disconnect();
}

/** The same on PostgreSQL: as many jobs as may run at once are taken, made and completed together. */
async function bareBossJobs({ address }, count, work) {
  const boss = new PgBoss({ connectionString: address, schema: "bare", schedule: false, supervise: false });
  boss.on("error", (error) => console.error(error.message));
  await boss.start();
  await boss.createQueue("bare");
  for (let at = 0; at < count; at += 200)
    await boss.insert(
      "bare",
      Array.from({ length: Math.min(200, count - at) }, (_one, index) => ({ data: { at: at + index } })),
    );
  for (let done = 0; done < count; ) {
    const taken = await boss.fetch("bare", { batchSize: PARALLEL });
    for (const _job of taken) await work();
    await boss.complete(
      "bare",
      taken.map(({ id }) => id),
    );
    done += taken.length;
  }
  await boss.deleteAllJobs("bare");
  await boss.stop({ graceful: false });
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function ended(child) {
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

async function end(child) {
  child.removeAllListeners("close");
  const gone = ended(child);
  child.kill("SIGTERM");
  await gone;
}

async function filter(program, words, lines) {
  const child = spawn(program, words, { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(lines);
  await ended(child);
}

function feed({ stdin }, line, count) {
  let left = count;
  const write = () => {
    while (left > 0) {
      const lines = Math.min(left, 500);
      left -= lines;
      if (!stdin.write(line.repeat(lines))) return void stdin.once("drain", write);
    }
    stdin.end();
  };
  write();
}

function residentMb(pid) {
  try {
    const [, kb] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kb ?? 0) / 1_000;
  } catch {
    return 0;
  }
}

async function serverMb(port) {
  const redis = new Redis(port);
  const [, bytes] = /used_memory:(\d+)/.exec(await redis.info("memory")) ?? [];
  redis.disconnect();
  return Number(bytes) / 1e6;
}
