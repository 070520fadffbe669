// What happens to a batch when its workers, its server and its caller are killed: no item is lost, none is recorded
// twice, and the batch ends. The long run kills 200 times.
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { amount, isLong, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import type { TestProject } from "../test-project.ts";
import { type QueueStore, stores } from "../queue-server.ts";
import { whenThere } from "./runs-fixture.ts";
import { type QueueFixture, resultsIn, scriptTool, type StartedWorker, textsIn, withQueue } from "./queue-fixture.ts";

const test = suite("cli/queue-faults");

/** The same has to hold for every kind of server. */
const forEachStore = (name: string, body: (store: QueueStore) => Promise<void>): void => {
  for (const store of stores) test(`${store}: ${name}`, () => body(store));
};

const LEASE = ["--lease", "1"];
const numbers = (count: number): string => `${Array.from({ length: count }, (_one, index) => index + 1).join("\n")}\n`;
/** Each item is a line in `made`, so that a lost one would be missing there. */
const MAKE = { ".tools/make.tool": scriptTool("make", "echo {word} >> made; sleep 0.05; printf 'made %s' {word}") };

/** Numbers from 0 to 1 that the seed decides. */
function chances(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const made = (bench: TestProject): readonly string[] => {
  const path = join(bench.folder, "made");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
};

const KILLS = amount(4, 200);
const WORKERS = 3;
/** So many items that they outlast the kills. */
const ITEMS = KILLS * 40;
const ITEMS_BETWEEN = 15;

forEachStore(
  `${KILLS} kills of workers and of the server at random moments lose no item and record none twice`,
  (store) =>
    withQueue(
      async (queue) => {
        const { server, machine, worker, batch } = queue;
        const away = machine(MAKE);
        const chance = chances(seed);
        const running = new Set<StartedWorker>();
        const startWorker = async (): Promise<void> => {
          running.add(await worker(away, { words: [...LEASE, "--parallel", "4"] }));
        };
        for (let count = 0; count < WORKERS; count++) await startWorker();
        const sent = batch(machine(MAKE), numbers(ITEMS), "--parallel", "100", "make");
        for (let kill = 0; kill < KILLS; kill++) {
          await whenMade(away, Math.min(made(away).length + Math.ceil(chance() * ITEMS_BETWEEN), ITEMS));
          await strike(queue, { kill, chance, running, startWorker });
        }
        server.goOn();
        await sent.ended;
        const results = resultsIn(sent.stdout());
        assert.equal(
          results.filter(({ status }) => status !== "ok"),
          [],
        );
        assert.equal(
          results.map(({ line, content }) => `${line} ${content[0]?.text}`).toSorted(),
          Array.from({ length: ITEMS }, (_one, index) => `${index + 1} made ${index + 1}`).toSorted(),
        );
        assert.is(new Set(made(away)).size, ITEMS);
      },
      { store },
    ),
);

interface Striking {
  readonly kill: number;
  chance(): number;
  readonly running: Set<StartedWorker>;
  startWorker(): Promise<void>;
}

/** On each push every kind once: the server, the network, and workers twice. */
const IN_TURN = [0.5, 0.1, 0.25, 0.5];

async function strike({ server }: QueueFixture, { kill, chance, running, startWorker }: Striking): Promise<void> {
  const what = isLong ? chance() : (IN_TURN[kill] ?? 1);
  if (what < 0.2) {
    await server.kill();
    await server.start();
    return;
  }
  if (what < 0.3) {
    // A broken network: nothing is closed, and nothing answers.
    server.pause();
    await new Promise((resolve) => setTimeout(resolve, chance() * 1_500));
    server.goOn();
    return;
  }
  const [victim] = [...running].filter((_one, index, { length }) => index === Math.floor(chance() * length));
  const one = victim ?? [...running][0];
  if (!one) return;
  running.delete(one);
  one.kill("SIGKILL");
  await one.ended;
  await startWorker();
}

/** Waits until so many items have begun. */
async function whenMade(bench: TestProject, count: number): Promise<void> {
  await whenThere(join(bench.folder, "made"), (text) => text.split("\n").length > count);
}

test("a server that loses everything when it is killed gets the items again", () =>
  withQueue(
    async ({ server, machine, worker, batch }) => {
      const away = machine(MAKE);
      await worker(away, { words: LEASE });
      const sent = batch(machine(MAKE), numbers(60), "make");
      await whenMade(away, 10);
      await server.kill();
      await server.start();
      assert.is(await sent.ended, 0, sent.stderr());
      assert.is(new Set(textsIn(sent.stdout())).size, 60);
      assert.is(resultsIn(sent.stdout()).length, 60);
      assert.match(sent.stderr(), /cannot be reached: .*; waiting for it\nbatch: `redis:.*` answers again\n/);
    },
    { words: ["--save", "", "--appendonly", "no"] },
  ));

forEachStore("a server that goes away and comes back is named once, by the caller and by the worker", (store) =>
  withQueue(
    async ({ server, machine, worker, batch }) => {
      const away = machine(MAKE);
      const working = await worker(away, { words: LEASE });
      const sent = batch(machine(MAKE), numbers(60), "make");
      await whenMade(away, 10);
      await server.kill();
      while (![sent, working].every(({ stderr }) => stderr().includes("waiting for it"))) await delay(10);
      await server.start();
      assert.is(await sent.ended, 0, sent.stderr());
      working.kill("SIGTERM");
      await working.ended;
      const said = (who: string): string =>
        `${who}: the queue at \`${server.address}\` cannot be reached: WHY; waiting for it\n${who}: \`${server.address}\` answers again\n`
          // The address without the user.
          .replaceAll("dottool@", "");
      const plain = (text: string): string =>
        text
          .replaceAll("dottool@", "")
          .replace(/(?<=reached: )(?:the connection was closed|nothing listens there)/, "WHY");
      assert.is(plain(sent.stderr()), said("batch"));
      assert.is(plain(working.stderr()).replace(/^.* at a time\n|worker: \d+ done, 0 failed\n$/g, ""), said("worker"));
    },
    { store },
  ),
);

forEachStore("a caller whose queue has no workers is told so", (store) =>
  withQueue(
    async ({ server, machine, worker, batch }) => {
      const sent = batch(machine(MAKE), numbers(2), "make");
      while (sent.stderr() === "") await delay(10);
      await worker(machine(MAKE));
      assert.is(await sent.ended, 0);
      const shown = server.address.replace("dottool@", "");
      assert.is(
        sent.stderr(),
        `batch: no worker listens to this queue\n  = start one: \`dottool worker --queue ${shown}\`\n`,
      );
    },
    { store },
  ),
);

forEachStore("a full disk of the server is named and waited for, and no item is lost", (store) =>
  withQueue(
    async ({ server, machine, worker, batch }) => {
      const away = machine(MAKE);
      const working = await worker(away, { words: LEASE });
      // So many that they are not done before the disk is full.
      const sent = batch(machine(MAKE), numbers(600), "--parallel", "20", "make");
      await whenMade(away, 10);
      server.fill();
      while (![sent, working].some(({ stderr }) => stderr().includes("has no room left"))) await delay(10);
      server.empty();
      assert.is(await sent.ended, 0, sent.stderr());
      assert.match(
        sent.stderr() + working.stderr(),
        /has no room left, .*; waiting for it\n(?:.*\n)*.*has room again\n/,
      );
      assert.equal([new Set(textsIn(sent.stdout())).size, resultsIn(sent.stdout()).length], [600, 600]);
    },
    { store, hasSmallDisk: true, words: ["--save", "", "--appendonly", "yes"] },
  ),
);

test("a caller whose workers wait for a server without memory says so as well, and no item is lost", () =>
  withQueue(async ({ server, machine, worker, batch }) => {
    const away = machine(MAKE);
    await worker(away, { words: LEASE });
    const sent = batch(machine(MAKE), numbers(60), "make");
    await whenMade(away, 10);
    await sendLine(server.port, "CONFIG SET maxmemory 1");
    while (!sent.stderr().includes("has no room left")) await delay(10);
    await sendLine(server.port, "CONFIG SET maxmemory 0");
    assert.is(await sent.ended, 0, sent.stderr());
    const shown = `\`${server.address}\``;
    assert.is(
      sent.stderr(),
      `batch: ${shown} has no room left, in memory or on its disk; waiting for it\nbatch: ${shown} has room again\n`,
    );
    assert.equal([new Set(textsIn(sent.stdout())).size, resultsIn(sent.stdout()).length], [60, 60]);
  }));

forEachStore("a worker that is told to end does so without its server, with what it does and with nothing", (store) =>
  withQueue(
    async ({ server, machine, worker, batch }) => {
      const files = { ".tools/wait.tool": scriptTool("wait", "echo {word} >> begun; sleep 1000") };
      const away = machine(files);
      const sent = batch(machine(files), "one\n", "wait");
      const busy = await worker(away, { words: ["--parallel", "1"] });
      await whenThere(join(away.folder, "begun"));
      const idle = await worker(machine({}));
      // It answers nothing, and closes no connection.
      server.pause();
      for (const one of [busy, idle]) one.kill("SIGTERM");
      assert.equal([await busy.ended, await idle.ended], [0, 0], busy.stderr() + idle.stderr());
      assert.match(
        busy.stderr(),
        /\nworker: one item that was begun goes to another worker\nworker: 0 done, 0 failed\n$/,
      );
      assert.match(idle.stderr(), /at a time\nworker: 0 done, 0 failed\n$/);
      server.goOn();
      const another = await worker(away);
      await server.kill();
      while (!another.stderr().includes("waiting for it")) await delay(10);
      another.kill("SIGTERM");
      assert.is(await another.ended, 0);
      assert.match(another.stderr(), /worker: 0 done, 0 failed\n$/);
      sent.kill("SIGKILL");
    },
    { store },
  ),
);

function sendLine(port: number, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${line}\r\n`));
    socket.on("error", reject).on("data", () => {
      socket.destroy();
      resolve();
    });
  });
}

forEachStore("an item that kills its workers ends, and the others are made", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      // The parent of the shell is the worker.
      const files = {
        ".tools/poison.tool": scriptTool(
          "poison",
          'if test {word} = bad; then echo x >> tries; kill -9 "$PPID"; sleep 10; fi; printf %s {word}',
        ),
      };
      const away = machine(files);
      const sent = batch(machine(files), "one\nbad\ntwo\n", "--in-order", "poison");
      let isOver = false;
      const keepWorking = async (): Promise<void> => {
        while (!isOver)
          await Promise.race([(await worker(away, { words: [...LEASE, "--parallel", "1"] })).ended, sent.ended]);
      };
      const working = keepWorking().catch(() => undefined);
      assert.is(await sent.ended, 1);
      isOver = true;
      await working;
      assert.equal(textsIn(sent.stdout()), ["1 one", "2 rejected", "3 two"]);
      assert.match(
        resultsIn(sent.stdout())[1]?.failure?.message ?? "",
        /every worker that began this item was killed or lost/,
      );
      assert.is(readFileSync(join(away.folder, "tries"), "utf8"), "x\n".repeat(3));
    },
    { store },
  ),
);

forEachStore("a step that must not run twice is reported as unknown when its worker is killed", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const files = {
        ".tools/pay.tool":
          "Pays.\n\n@title Pay\n@name pay\n@param word {string} [required] Word\n@step pay sh [once]\n    echo paid >> paid; until test -e go; do sleep 0.02; done\n@tags run\n",
      };
      const away = machine(files);
      const first = await worker(away, { words: LEASE });
      const sent = batch(machine(files), "a\n", "pay");
      await whenThere(join(away.folder, "paid"));
      first.kill("SIGKILL");
      await first.ended;
      await worker(away, { words: LEASE });
      assert.is(await sent.ended, 1);
      assert.match(
        resultsIn(sent.stdout())[0]?.failure?.message ?? "",
        /must not run twice, and this item may have run/,
      );
      assert.is(readFileSync(join(away.folder, "paid"), "utf8"), "paid\n");
      away.write("go", "");
    },
    { store },
  ),
);

forEachStore("--done takes the answers that a killed caller has left, and calls nothing twice", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const files = {
        ".tools/make.tool": scriptTool(
          "make",
          "echo {word} >> made; test {word} = 1 || until test -e go; do sleep 0.02; done; printf 'made %s' {word}",
        ),
      };
      const [away, home] = [machine(files), machine(files)];
      await worker(away, { words: ["--parallel", "10"] });
      const killed = batch(home, numbers(10), "make");
      await killed.whenPrinted(1);
      await whenMade(away, 10);
      killed.kill("SIGKILL");
      await killed.ended;
      home.write("results", killed.stdout());
      away.write("go", "");
      const again = batch(home, numbers(10), "--done", "results", "make");
      assert.is(await again.ended, 0);
      const lines = resultsIn(killed.stdout() + again.stdout()).map(({ line }) => line);
      assert.equal(
        lines.toSorted((one, other) => one - other),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
      assert.is(made(away).length, 10);
    },
    { store },
  ),
);

forEachStore("a worker that is told to end leaves its items to another one", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const files = {
        ".tools/wait.tool": scriptTool(
          "wait",
          "echo {word} >> made; until test -e go; do sleep 0.02; done; printf %s {word}",
        ),
      };
      const away = machine(files);
      const first = await worker(away);
      const sent = batch(machine(files), numbers(3), "--in-order", "wait");
      await whenMade(away, 3);
      first.kill("SIGTERM");
      assert.is(await first.ended, 0);
      away.write("go", "");
      await worker(away);
      assert.is(await sent.ended, 0);
      assert.equal(textsIn(sent.stdout()), ["1 1", "2 2", "3 3"]);
    },
    { store },
  ),
);

if (process.platform !== "win32") test.run();
