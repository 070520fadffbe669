// What strangers put into a queue, and what a queue must never hold.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { stores } from "../queue-server.ts";
import { withStranger } from "../queue-stranger.ts";
import { commandTool, type QueueFixture, resultsIn, scriptTool, withQueue } from "./queue-fixture.ts";

const test = suite("cli/queue-hostile");

const batchOf = (data: unknown): string =>
  (data as { readonly batch?: unknown } | null)?.batch === BATCH ? BATCH : "unknown";
const BATCH = "0123456789abcdef0123456789abcdef";
const touch = { ".tools/mark.tool": scriptTool("mark", "touch marked; printf 'marked %s' {word}") };

/** The same has to hold for every kind of server. */
const forEachStore = (name: string, body: (bench: QueueFixture) => Promise<void>): void => {
  for (const store of stores) test(`${store}: ${name}`, () => withQueue(body, { store }));
};

/** Returns what an answer says: its failure, or its content. */
function saidIn(answer: string): string {
  const { shown } = JSON.parse(answer) as {
    readonly shown?: { readonly failure?: { readonly message: string }; readonly content: readonly unknown[] };
  };
  return shown?.failure?.message ?? JSON.stringify(shown?.content);
}

forEachStore(
  "an item of a stranger runs nothing that is not installed with this content, trusted and allowed",
  async ({ server, machine, worker, batch }) => {
    const away = machine(touch);
    await worker(away);
    const sent = batch(machine(touch), "a\n", "mark");
    assert.is(await sent.ended, 0);
    await withStranger(server, async ({ put }) => {
      const job = { form: 1, batch: BATCH, tool: "mark", content: "0".repeat(64), arguments: { word: "x" } };
      const deep: unknown = Array.from({ length: 4_000 }).reduce<unknown>((inner) => [inner], "x");
      const said: string[] = [];
      for (const data of [
        job,
        { ...job, tool: "run_command", arguments: { command: "touch marked-2" } },
        { ...job, tool: "../../mark" },
        { ...job, tool: "/etc/passwd" },
        { ...job, tool: "__proto__" },
        { ...job, tool: "constructor" },
        { ...job, form: 2 },
        { ...job, run: "touch marked-2" },
        { ...job, arguments: ["x"] },
        { ...job, arguments: { word: "x".repeat(1_100_000) } },
        { ...job, arguments: deep },
        { ...job, batch: "../x" },
        "touch marked-2",
        null,
      ])
        said.push(
          saidIn(await put(data, batchOf(data)))
            .replaceAll(/`[^`\n]*:\d+`/g, "WORKER")
            .replaceAll(/[\da-f]{12}/g, "HASH"),
        );
      const lines = (from: number, to: number): readonly string[] =>
        said.slice(from, to).map((text) =>
          text
            .split("\n")
            .slice(0, 2)
            .map((line) => line.trim())
            .join(" | "),
        );
      const version = "WORKER has another version of it: HASH, and the batch was made with HASH";
      const none = "the worker WORKER has no such tool";
      const because = "failed[rejected]: WORKER does not run this item, because it";
      const help = "= make batches and workers with the same version of dottool";
      assert.equal(lines(0, said.length), [
        `failed[unavailable]: \`mark\` cannot run here | the worker ${version}`,
        `failed[unavailable]: \`run_command\` cannot run here | the worker ${version}`,
        `failed[unavailable]: \`../../mark\` cannot run here | ${none}`,
        `failed[unavailable]: \`/etc/passwd\` cannot run here | ${none}`,
        `failed[unavailable]: \`__proto__\` cannot run here | ${none}`,
        `failed[unavailable]: \`constructor\` cannot run here | ${none}`,
        `${because} has the form 2, and this version of dottool reads form 1 | ${help}`,
        `${because} has parts that are not of its form | ${help}`,
        `${because} has no arguments | ${help}`,
        `${because} has more than 1,048,576 characters of arguments | ${help}`,
        `${because} has no arguments | ${help}`,
        `failed[unavailable]: \`mark\` cannot run here | the worker ${version}`,
        `${because} is not an object | ${help}`,
        `${because} is not an object | ${help}`,
      ]);
    });
    assert.not(existsSync(join(away.folder, "marked-2")));
  },
);

forEachStore(
  "arguments with keys of prototypes are refused by name, and change nothing",
  async ({ server, machine, worker, batch }) => {
    const files = { ".tools/say.tool": commandTool("say", "printf %s {word}") };
    await worker(machine(files));
    const content = await contentOf(server, () => batch(machine(files), "a\n", "say").ended);
    await withStranger(server, async ({ put }) => {
      const evil = JSON.parse('{"word":"x","__proto__":{"polluted":1},"constructor":1}') as object;
      const said = saidIn(await put({ form: 1, batch: BATCH, tool: "say", content, arguments: evil }, BATCH));
      assert.match(said, /^failed\[invalid-arguments\]/);
      assert.match(said, /__proto__/);
      const harmless = { word: "$(touch marked); `id`" };
      assert.is(
        saidIn(await put({ form: 1, batch: BATCH, tool: "say", content, arguments: harmless }, BATCH)),
        '[{"type":"text","text":"$(touch marked); `id`"}]',
      );
    });
  },
);

/** Returns the content hash of the items that a caller puts in. */
async function contentOf(server: QueueFixture["server"], send: () => Promise<unknown>): Promise<string> {
  const traffic = await server.watch();
  await send();
  return /\\*"content\\*":\\*"([\da-f]{64})/.exec(await traffic.end())?.[1] ?? "";
}

forEachStore("an answer that no worker wrote does not count", async ({ server, machine, worker, batch }) => {
  const files = { ".tools/say.tool": scriptTool("say", "until test -e go; do sleep 0.02; done; printf %s {word}") };
  const away = machine(files);
  await worker(away);
  const sent = batch(machine(files), "a\n", "say");
  await withStranger(server, async ({ running, answer }) => {
    const { id, batch: own } = await running();
    for (const text of [
      "{",
      "null",
      '{"status":"ok"}',
      '{"status":"ok","exitCode":0,"durationMs":1,"worker":"w","shown":[]}',
    ])
      await answer(own, id, text);
    await answer(own, "another", "{}");
  });
  away.write("go", "");
  assert.is(await sent.ended, 0);
  assert.equal(
    resultsIn(sent.stdout()).map(({ content }) => content[0]?.text),
    ["a"],
  );
});

const CANARY = "canary-8f2a61c07b";

forEachStore(
  "a queue never holds a secret: not one of a worker, and not one in a line",
  async ({ server, machine, worker, batch }) => {
    const files = {
      ".tools/leak.tool": scriptTool(
        "leak",
        `printf 'token %s %s' "$TOKEN" {word}; echo "$TOKEN" >&2; test {word} != fail`,
        "@env TOKEN=secret:LEAK_TOKEN\n",
      ),
      ".tools/login.tool": commandTool("login", "printf %s {word}", "@param token {string} [secret] Token\n"),
    };
    // Items and answers stay until they are taken, so the whole traffic is read and not only what is left.
    const watched = await server.watch();
    await worker(machine(files), { environment: { LEAK_TOKEN: CANARY } });
    const made = batch(machine(files), "one\nfail\n", "--in-order", "--retries", "1", "leak");
    assert.is(await made.ended, 1);
    assert.match(made.stdout(), /token ••• one/);
    const refused = batch(machine(files), `{"word":"a","token":"${CANARY}"}\n`, "login");
    assert.is(await refused.ended, 1);
    assert.match(resultsIn(refused.stdout())[0]?.failure?.message ?? "", /`token` is secret/);
    const traffic = await watched.end();
    let left = "";
    await withStranger(server, async ({ all }) => void (left = await all()));
    assert.match(traffic, /token (?:•|\\xe2|â)/);
    for (const text of [traffic, made.stdout(), made.stderr(), refused.stdout(), left])
      assert.not.match(text, new RegExp(CANARY));
  },
);

test.run();
