// `dottool batch --queue` and `dottool worker` in the real program, with a real server between them.
import { createServer } from "node:net";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { commandTool, resultsIn, textsIn, withQueue } from "./queue-fixture.ts";
import { queueRows, SHOUT } from "./queue-rows.ts";

const test = suite("cli/queue");

queueRows(test, "redis");

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

test("what is wrong with the queue is said in words, without the password", async () => {
  using bench = testProject(SHOUT);
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

test.run();
