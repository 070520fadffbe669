// Steps whose items workers make: `[for-each={list} on=queue]`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { STATE, whenThere } from "./runs-fixture.ts";
import { stores } from "../queue-server.ts";
import { commandTool, type QueueFixture, scriptTool, withQueue } from "./queue-fixture.ts";

const test = suite("cli/queue-steps");

/** The same has to hold for every kind of server. */
const forEachStore = (name: string, body: (bench: QueueFixture) => Promise<void>): void => {
  for (const store of stores) test(`${store}: ${name}`, () => withQueue(body, { store }));
};

/** A tool that has `uses` called for each of its words by workers. */
const each = (uses: string, options = ""): string =>
  `All.\n\n@title All\n@name all\n@param words {array<string>} [required] Words\n@step each uses ${uses} [for-each={words} on=queue${options}]\n    word = {item}\n@output\n    {each}\n@tags run\n`;

const SHOUT = { ".tools/shout.tool": commandTool("shout", "printf '%s!' {word}") };
const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_one, index) => `${index + 1}`);
const madeIn = (bench: TestProject): readonly string[] => {
  const path = join(bench.folder, "made");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
};

/** Waits until a run has stored an outcome: what workers have made is not stored at once. */
async function whenStored({ folder }: TestProject): Promise<void> {
  const runs = join(folder, STATE, "runs");
  const isStored = (): boolean =>
    existsSync(runs) && readdirSync(runs).some((id) => existsSync(join(runs, id, "steps.jsonl")));
  while (!isStored()) await delay(10);
}

forEachStore(
  "workers make the items of a step, and its output has them in order",
  async ({ machine, worker, call }) => {
    const [one, other] = [await worker(machine(SHOUT)), await worker(machine(SHOUT))];
    const sent = call(
      machine({ ...SHOUT, ".tools/all.tool": each("shout", " concurrency=200") }),
      "all",
      ...numbers(300),
    );
    assert.is(await sent.ended, 0, sent.stderr());
    assert.equal(
      sent.stdout().trimEnd().split("\n"),
      numbers(300).map((number) => `${number}!`),
    );
    for (const { kill } of [one, other]) kill("SIGTERM");
    const done = await Promise.all(
      [one, other].map(async ({ ended, stderr }) => {
        await ended;
        return Number(/(\d+) done/.exec(stderr())?.[1]);
      }),
    );
    assert.is((done[0] ?? 0) + (done[1] ?? 0), 300);
  },
);

test("an item that fails fails the step with its exit code, and continue-on-error makes the others", () =>
  withQueue(async ({ machine, worker, call }) => {
    const files = {
      ".tools/pick.tool": scriptTool("pick", 'test {word} != 2 || { echo "no two" >&2; exit 7; }; printf %s {word}'),
    };
    await worker(machine(files));
    const stopped = call(
      machine({ ...files, ".tools/all.tool": each("pick", " concurrency=1") }),
      "all",
      ...numbers(3),
    );
    assert.equal([await stopped.ended, stopped.stdout()], [7, ""]);
    assert.match(stopped.stderr(), /no two/);
    const going = call(
      machine({ ...files, ".tools/all.tool": each("pick", " continue-on-error").replace("{each}", "{each.json}") }),
      "all",
      ...numbers(3),
    );
    assert.equal([await going.ended, going.stdout()], [0, '[1,"",3]\n']);
  }));

test("without a queue the step says where its address comes from", async () => {
  using bench = testProject({ ...SHOUT, ".tools/all.tool": each("shout") });
  bench.trust();
  const { stderr, exitCode } = await bench.run(["all", ...numbers(2)], { environment: { DOTTOOL_QUEUE: "" } });
  assert.equal(
    [exitCode, stderr],
    [
      66,
      "failed[unavailable]: `all` cannot run here\n  the step `each` needs a queue, and none is set\n  = set DOTTOOL_QUEUE to its address, such as `redis://HOST`, or write `queue: {address: redis://HOST}` in your `config.yaml`\n",
    ],
  );
  const checked = await bench.run(["check"]);
  assert.match(
    checked.stdout + checked.stderr,
    /warning.*`all` cannot run here: the step `each` needs a queue, and none is set/,
  );
});

test("the address comes from the user's config.yaml, too", () =>
  withQueue(async ({ server, machine, worker }) => {
    await worker(machine(SHOUT));
    const home = machine({ ...SHOUT, ".tools/all.tool": each("shout") });
    home.write("home/.config/dottool/config.yaml", `queue: {address: "${server.address}"}\n`);
    home.trust();
    const { stdout, stderr } = await home.run(["all", ...numbers(2)]);
    assert.equal([stdout, stderr], ["1!\n2!\n", ""]);
  }));

const CANARY = "canary-2c91";

test("a secret of the calling tool never stands in the queue, whatever the parameter that gets it", () =>
  withQueue(async ({ server, machine, worker, call }) => {
    await worker(machine(SHOUT));
    const all = each("shout")
      .replace("{item}", "{item}{token}")
      .replace("@step", "@param token {string} [secret] Token\n@step");
    const traffic = await server.watch();
    const sent = call(machine({ ...SHOUT, ".tools/all.tool": all }), "all", "a", `--token=${CANARY}`);
    assert.is(await sent.ended, 1);
    assert.match(sent.stderr(), /`word` is secret, and what stands in a queue can be read by all who reach it/);
    assert.not.match((await traffic.end()) + sent.stderr(), new RegExp(CANARY));
  }));

/** Waits for the file `go` behind its line in `made`, but for the word 1. */
const WAIT = {
  ".tools/wait.tool": scriptTool(
    "wait",
    "echo {word} >> made; test {word} = 1 || until test -e go; do sleep 0.02; done; printf 'made %s' {word}",
  ),
};

forEachStore(
  "runs resume goes on with a killed run, and makes no item twice that the queue still has",
  async ({ machine, worker, call }) => {
    const [away, home] = [machine(WAIT), machine({ ...WAIT, ".tools/all.tool": each("wait") })];
    await worker(away, { words: ["--parallel", "5"] });
    const killed = call(home, "all", ...numbers(20));
    await whenThere(join(away.folder, "made"), (text) => text.split("\n").length > 6);
    await whenStored(home);
    killed.kill("SIGKILL");
    await killed.ended;
    away.write("go", "");
    const again = call(home, "runs", "resume", "last");
    assert.is(await again.ended, 0, again.stderr());
    assert.equal(
      again.stdout().trimEnd().split("\n"),
      numbers(20).map((number) => `made ${number}`),
    );
    assert.is(madeIn(away).length, 20);
  },
);

forEachStore(
  "an item that must not run twice is taken from the queue when its run is resumed, and else is unknown",
  async ({ machine, worker, call }) => {
    const [away, home] = [machine(WAIT), machine({ ...WAIT, ".tools/all.tool": each("wait", " once") })];
    const lease = { words: ["--lease", "1", "--parallel", "3"] };
    const first = await worker(away, lease);
    const killed = call(home, "all", ...numbers(4));
    await whenThere(join(away.folder, "made"), (text) => text.split("\n").length > 4);
    killed.kill("SIGKILL");
    await killed.ended;
    first.kill("SIGKILL");
    await first.ended;
    away.write("go", "");
    await worker(away, lease);
    const again = call(home, "runs", "resume", "last");
    assert.is(await again.ended, 1, again.stderr());
    assert.match(again.stderr(), /this call of `wait` must not run twice, and this item may have run/);
    const made = madeIn(away);
    assert.is(new Set(made).size, made.length);
  },
);

forEachStore(
  "Ctrl-C ends a step on a queue: waiting items never run, and those that run are stopped",
  async ({ machine, worker, call }) => {
    const files = {
      ...SHOUT,
      ".tools/wait.tool": scriptTool("wait", "echo {word} >> made; sleep 1000; echo {word} >> ended"),
    };
    const [away, home] = [machine(files), machine({ ...files, ".tools/all.tool": each("wait") })];
    await worker(away, { words: ["--parallel", "2"] });
    const sent = call(home, "all", ...numbers(50));
    await whenThere(join(away.folder, "made"), (text) => text.split("\n").length > 2);
    sent.kill("SIGINT");
    assert.is(await sent.ended, 130);
    home.write(".tools/all.tool", each("shout"));
    const next = call(home, "all", ...numbers(2));
    assert.equal([await next.ended, next.stdout()], [0, "1!\n2!\n"], next.stderr());
    assert.equal([madeIn(away).length, existsSync(join(away.folder, "ended"))], [2, false]);
  },
);

test("the time limit of a step stops one item, and the others go on", () =>
  withQueue(async ({ machine, worker, call }) => {
    const files = {
      ".tools/slow.tool": scriptTool(
        "slow",
        "test {word} != 1 || { trap 'echo > stopped; exit 1' TERM; echo > began; while :; do sleep 0.05; done; }; printf %s {word}",
      ),
    };
    const [away, home] = [
      machine(files),
      machine({ ...files, ".tools/all.tool": each("slow", " continue-on-error timeout=5s") }),
    ];
    await worker(away, { words: ["--parallel", "2"] });
    const sent = call(home, "all", ...numbers(2));
    await whenThere(join(away.folder, "began"));
    assert.equal([await sent.ended, sent.stdout()], [0, "2\n"], sent.stderr());
    await whenThere(join(away.folder, "stopped"));
  }));

test("only a step that uses a tool can be on a queue", async () => {
  using bench = testProject({
    ".tools/all.tool": each("x").replace("uses x", "sh").replace("word = ", "echo "),
  });
  const { stdout, stderr } = await bench.run(["check", ".tools/all.tool"]);
  assert.match(stdout + stderr, /`on=queue` is an option of `uses` steps/);
});

test.run();
