// `dottool batch --queue` and `dottool worker` in the real program, with a real server between them.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { assert, suite } from "../harness.ts";
import { toolBench } from "../tool-bench.ts";
import { hostQueues } from "../../src/host/queues/host-queues.ts";
import { type QueueStore, stores } from "../queue-server.ts";
import { whenThere } from "./runs-bench.ts";
import { commandTool, resultsIn, scriptTool, textsIn, withQueue } from "./queue-bench.ts";

const test = suite("cli/queue");

/** The same has to hold for every kind of server. */
const forEachStore = (name: string, body: (store: QueueStore) => Promise<void>): void => {
  for (const store of stores) test(`${store}: ${name}`, () => body(store));
};

const SHOUT = { ".tools/shout.tool": commandTool("shout", "printf '%s!' {word}") };
const numbers = (count: number): string => `${Array.from({ length: count }, (_one, index) => index + 1).join("\n")}\n`;

forEachStore("workers on two machines make the calls of a batch, and the results come in order", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const [one, other] = [await worker(machine(SHOUT)), await worker(machine(SHOUT))];
      const sent = batch(machine(SHOUT), numbers(40), "--in-order", "shout");
      assert.is(await sent.ended, 0);
      assert.equal(
        textsIn(sent.stdout()),
        Array.from({ length: 40 }, (_one, index) => `${index + 1} ${index + 1}!`),
      );
      const workers = new Set(resultsIn(sent.stdout()).map((result) => result.worker?.split(":").at(-1)));
      assert.equal([...workers].toSorted(), [`${one.pid}`, `${other.pid}`].toSorted());
      one.kill("SIGTERM");
      assert.is(await one.ended, 0);
      assert.match(
        one.stderr(),
        /^worker: `.*` takes items from `\w+:\/\/127\.0\.0\.1:\d+[^`]*`, 4 at a time\nworker: \d+ done, 0 failed\n$/,
      );
    },
    { store },
  ),
);

forEachStore("a queue that is closed leaves no timer, for which a program would wait", (store) =>
  withQueue(
    async ({ server }) => {
      const open = (kind: string): number => process.getActiveResourcesInfo().filter((one) => one === kind).length;
      const [timers, sockets] = [open("Timeout"), open("TCPSocketWrap")];
      const opened = await hostQueues.open(server.address, { onTrouble: () => undefined });
      assert.ok("queue" in opened);
      const batch = opened.queue.batch("0123456789abcdef0123456789abcdef");
      assert.equal(await batch.answers(), []);
      await batch.end(true);
      await opened.queue.close();
      // One that stays is waited for until the time limit of the test.
      while (open("TCPSocketWrap") > sockets || open("Timeout") > timers) await delay(10);
    },
    { store },
  ),
);

forEachStore("a worker refuses by name what is not there, has other content, is not trusted, or asks", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const all = {
        ...SHOUT,
        ".tools/other.tool": commandTool("other", "echo one {word}"),
        ".tools/absent.tool": commandTool("absent", "echo {word}"),
        ".tools/ask.tool": commandTool("ask", "echo {word}", "@confirm Sure?\n"),
      };
      const { ".tools/absent.tool": _absent, ...there } = all;
      const away = machine({ ...there, ".tools/other.tool": commandTool("other", "echo two {word}") });
      await worker(away);
      const messages: string[] = [];
      for (const name of ["other", "absent", "ask", "run_command"]) {
        const sent = batch(machine(all), name === "run_command" ? '{"command":"touch made"}\n' : "x\n", name);
        assert.is(await sent.ended, 1);
        messages.push(resultsIn(sent.stdout())[0]?.failure?.message ?? "");
      }
      assert.match(
        messages[0] ?? "",
        /^failed\[unavailable\]: `other` .*\n.*has another version of it: [\da-f]{12}, and the batch was made with [\da-f]{12}/,
      );
      assert.match(messages[1] ?? "", /the worker `.*` has no such tool/);
      assert.match(messages[2] ?? "", /^failed\[denied\]: `ask` was not approved for `dottool worker`/);
      assert.match(messages[3] ?? "", /^failed\[denied\]: `run_command` was not approved for `dottool worker`/);
      assert.not(existsSync(join(away.folder, "made")));
    },
    { store },
  ),
);

test("a worker with names serves these alone, and says which", () =>
  withQueue(async ({ machine, worker, batch }) => {
    const files = { ...SHOUT, ".tools/say.tool": commandTool("say", "printf %s {word}") };
    await worker(machine(files), { words: ["say"] });
    const [refused, made] = [batch(machine(files), "x\n", "shout"), batch(machine(files), "x\n", "say")];
    assert.equal([await refused.ended, await made.ended], [1, 0]);
    assert.match(resultsIn(refused.stdout())[0]?.failure?.message ?? "", /serves `say` alone/);
    const unknown = machine(SHOUT);
    const { stderr, exitCode } = await unknown.run(["worker", "--queue", "redis://127.0.0.1:1", "shuot"]);
    assert.equal(
      [stderr, exitCode],
      [
        "failed[unknown-tool]: there is no tool `shuot` for the worker to serve\n  = `dottool list` shows the tools\n",
        66,
      ],
    );
  }));

test("a worker follows its definitions", () =>
  withQueue(async ({ machine, worker, batch }) => {
    const away = machine({ ...SHOUT, ".tools/late.tool": commandTool("late", "printf 'old %s' {word}") });
    await worker(away);
    const files = { ".tools/late.tool": commandTool("late", "printf 'new %s' {word}") };
    away.write(".tools/late.tool", files[".tools/late.tool"]);
    away.trust();
    for (;;) {
      const sent = batch(machine(files), "x\n", "late");
      if ((await sent.ended) !== 0) continue;
      assert.equal(textsIn(sent.stdout()), ["1 new x"]);
      return;
    }
  }));

forEachStore("--retries tries a failed call again, and a call that can never succeed is not tried again", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const files = {
        ".tools/flaky.tool": scriptTool("flaky", `echo {word} >> tries; test "$(wc -l < tries)" -ge 2`),
      };
      const away = machine(files);
      await worker(away);
      const sent = batch(machine(files), '{"word":"a"}\n{"wrod":"a"}\n', "--in-order", "--retries", "3", "flaky");
      assert.is(await sent.ended, 1);
      assert.equal(textsIn(sent.stdout()), ["1 ", "2 invalid-arguments"]);
      assert.is(readFileSync(join(away.folder, "tries"), "utf8"), "a\na\n");
    },
    { store },
  ),
);

forEachStore("--rate sends no item before its time, over all workers together", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      for (const _one of [1, 2]) await worker(machine(SHOUT));
      const beganMs = performance.now();
      const sent = batch(machine(SHOUT), numbers(6), "--rate", "4/s", "shout");
      const atMs: number[] = [];
      for (let count = 1; count <= 6; count++) {
        await sent.whenPrinted(count);
        atMs.push(performance.now() - beganMs);
      }
      assert.is(await sent.ended, 0);
      // A result is never earlier than its item, however slow the machine is.
      assert.equal(
        atMs.filter((ms, index) => ms < index * 250),
        [],
      );
    },
    { store },
  ),
);

forEachStore("--key makes lines with the same key one call, and --done knows a line by it", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      await worker(machine(SHOUT));
      const home = machine(SHOUT);
      const lines = '{"word":"a"}\n{"word":"b"}\n{"word":"a"}\n';
      const sent = batch(home, lines, "--in-order", "--key", "word", "shout");
      assert.is(await sent.ended, 0);
      assert.equal(
        resultsIn(sent.stdout()).map(({ line, key }) => [line, key]),
        [
          [1, "a"],
          [2, "b"],
        ],
      );
      assert.is(sent.stderr(), "batch: 2 ok, 1 left out, with a key that an earlier line has\n");
      home.write("results", sent.stdout());
      const again = batch(home, `${lines}{"word":"c"}\n`, "--done", "results", "--key", "word", "shout");
      assert.is(await again.ended, 0);
      assert.equal(textsIn(again.stdout()), ["4 c!"]);
    },
    { store },
  ),
);

forEachStore("items that failed are listed, shown, tried again for `--done`, and dropped", (store) =>
  withQueue(
    async ({ machine, worker, batch, call }) => {
      const files = {
        ".tools/need.tool": scriptTool("need", "echo {word} >> tries; test -e ok && printf 'got %s' {word}"),
      };
      const [away, home] = [machine(files), machine(files)];
      await worker(away);
      const sent = batch(home, "a\nb\n", "need");
      assert.is(await sent.ended, 1);
      home.write("results", sent.stdout());
      const dead = async (...words: readonly string[]): Promise<string> => {
        const asked = call(home, "worker", "--dead", ...words);
        await asked.ended;
        return asked.stdout() + asked.stderr();
      };
      const listed = await dead("list");
      assert.match(listed, /^([\da-f]{12} {2}[\d-]+ [\d:]+ {2}need {2}failed\[exit\]: .*\n){2}$/);
      const [first = "", second = ""] = listed.split("\n").map((line) => line.slice(0, 12));
      assert.match(await dead("show", first), /"arguments": \{\s*"word": "[ab]"/);
      away.write("ok", "");
      assert.is(await dead("retry", first), "worker: 1 put in again\n");
      assert.is(await dead("drop", second), "worker: 1 dropped\n");
      const again = batch(home, "a\nb\n", "--done", "results", "need");
      assert.is(await again.ended, 0);
      assert.equal(textsIn(again.stdout()).toSorted(), ["1 got a", "2 got b"]);
      // Each once more: one because of `retry`, the other because of `--done`.
      assert.is(readFileSync(join(away.folder, "tries"), "utf8").split("\n").length, 5);
      assert.is(await dead("list"), "worker: no item of this queue has failed\n");
      assert.match(await dead("drop", "ffff"), /no item that failed begins with `ffff`/);
    },
    { store },
  ),
);

test("what is wrong with the queue is said in words, without the password", async () => {
  const bench = toolBench(SHOUT);
  const http = createServer((socket) => socket.on("error", () => undefined).write("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    const said = async (...words: readonly string[]): Promise<string> => {
      const { stderr, exitCode } = await bench.run(words, { stdin: "x\n" });
      assert.not.match(stderr, /hunter2/);
      return `${exitCode} ${stderr.split("\n")[0]}`.replaceAll(`${port}`, "PORT");
    };
    const on = (queue: string): Promise<string> => said("batch", "--queue", queue, "shout");
    assert.equal(
      [
        await on("redis://:hunter2@127.0.0.1:1"),
        await on("amqp://u:hunter2@127.0.0.1"),
        await on("hunter2"),
        await on("127.0.0.1:1"),
        await on("redis://127.0.0.1:1#hunter2"),
        await on("redis://127.0.0.1:1/abc"),
        await on(`redis://127.0.0.1:${port}`),
        await on("redis://no-such-host.invalid"),
        await on("postgres://u:hunter2@127.0.0.1:1/d"),
        await said("worker"),
        await said("worker", "redis://:hunter2@127.0.0.1:1"),
        await said("batch", "--queue", "redis://:hunter2@127.0.0.1:1"),
        await said("batch", "--queue", "shout"),
        await said("batch", "--key", "word", "shout"),
        await said("batch", "--queue", "-", "--rate", "often", "shout"),
        await said("batch", "--queue", "redis://127.0.0.1:1", "--key", "wrod", "shout"),
      ],
      [
        "1 failed[queue]: the queue at `redis://127.0.0.1:1` cannot be reached: nothing listens there",
        "1 failed[queue]: `amqp://` is not a kind of queue that dottool knows",
        "1 failed[queue]: the address of the queue does not begin with `redis://` or `postgres://`",
        "1 failed[queue]: the queue at `redis://127.0.0.1:1` cannot be reached: nothing listens there",
        "1 failed[queue]: the address of the queue has something behind `#`",
        "1 failed[queue]: `redis://127.0.0.1:1/abc` names a database that is not a number",
        "1 failed[queue]: `redis://127.0.0.1:PORT` is not a Redis or Valkey server",
        "1 failed[queue]: the queue at `redis://no-such-host.invalid` cannot be reached: there is no such host",
        "1 failed[queue]: the queue at `postgres://127.0.0.1:1/d` cannot be reached: nothing listens there",
        "64 failed[usage]: `worker` needs the queue: `--queue redis://HOST`, or the address in DOTTOOL_QUEUE",
        "1 failed[queue]: the queue at `redis://127.0.0.1:1` cannot be reached: nothing listens there",
        "64 failed[usage]: `batch` needs the name of a tool",
        "64 failed[usage]: `batch` needs the name of a tool; `shout` is the value of `--queue`",
        "64 failed[usage]: `--key` goes with `--queue`",
        "64 failed[usage]: `--rate` must be a number and a unit, such as 10/s or 500/m; got `often`",
        "64 failed[usage]: `--key` names a parameter of `shout`: word; got `wrod`",
      ],
    );
  } finally {
    http.close();
    bench.remove();
  }
});

test("a server that evicts is told of once, in our words", () =>
  withQueue(
    async ({ machine, worker, batch, server }) => {
      const started = await worker(machine(SHOUT));
      const sent = batch(machine(SHOUT), "a\n", "shout");
      assert.is(await sent.ended, 0);
      started.kill("SIGTERM");
      await started.ended;
      const told = `\`${server.address}\` removes items and answers when its memory is full (\`maxmemory-policy allkeys-lru\`), and their calls are made again; \`noeviction\` keeps them\n`;
      assert.is(sent.stderr(), `batch: ${told}`);
      assert.is(sent.stdout().split("\n").length, 2);
      const [first, ...others] = started.stderr().split("\n");
      assert.is(`${first}\n`, `worker: ${told}`);
      assert.not.match(others.join("\n"), /evict|noeviction|IMPORTANT/i);
    },
    { words: ["--save", "", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"] },
  ));

test("a wrong password, and none, are told apart and never shown", () =>
  withQueue(
    async ({ machine, server }) => {
      const bench = machine(SHOUT);
      const on = async (queue: string): Promise<string> => {
        const { stderr } = await bench.run(["batch", "--queue", queue, "shout"], { stdin: "x\n" });
        assert.not.match(stderr, /hunter/);
        return stderr.split("\n")[0]?.replaceAll(`${server.port}`, "PORT") ?? "";
      };
      assert.is(
        await on(`redis://:hunter2@127.0.0.1:${server.port}/99`),
        "failed[queue]: `redis://127.0.0.1:PORT/99` has no database of this number",
      );
      assert.equal(
        [await on(server.address), await on(`redis://:hunter3@127.0.0.1:${server.port}`)],
        [
          "failed[queue]: `redis://127.0.0.1:PORT` asks for a password",
          "failed[queue]: `redis://127.0.0.1:PORT` does not accept this user and password",
        ],
      );
    },
    { words: ["--save", "", "--requirepass", "hunter2"] },
  ));

forEachStore("Ctrl-C ends a batch: waiting items never run, and those that run are stopped", (store) =>
  withQueue(
    async ({ machine, worker, batch }) => {
      const files = {
        ".tools/wait.tool": scriptTool("wait", "echo {word} >> begun; sleep 1000; echo {word} >> ended"),
        ...SHOUT,
      };
      const away = machine(files);
      await worker(away, { words: ["--parallel", "2"] });
      const sent = batch(machine(files), numbers(50), "wait");
      await whenThere(join(away.folder, "begun"), (text) => text.split("\n").length > 2);
      sent.kill("SIGINT");
      assert.is(await sent.ended, 130);
      assert.equal([sent.stdout(), sent.stderr()], ["", "batch: 0 ok, 50 cancelled\n"]);
      const next = batch(machine(files), numbers(2), "shout");
      assert.is(await next.ended, 0);
      assert.equal(
        [readFileSync(join(away.folder, "begun"), "utf8").split("\n").length, existsSync(join(away.folder, "ended"))],
        [3, false],
      );
    },
    { store },
  ),
);

test.run();
