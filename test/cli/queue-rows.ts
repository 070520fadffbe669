// What holds for every kind of server between `dottool batch --queue` and `dottool worker`, each in the real program.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { assert, type Suite } from "../harness.ts";
import { hostQueues } from "../../src/features/queue/host/host-queues.ts";
import type { QueueStore } from "../queue-server.ts";
import { whenThere } from "./runs-fixture.ts";
import { commandTool, resultsIn, scriptTool, textsIn, withQueue } from "./queue-fixture.ts";

export const SHOUT = { ".tools/shout.tool": commandTool("shout", "printf '%s!' {word}") };
const numbers = (count: number): string => `${Array.from({ length: count }, (_one, index) => index + 1).join("\n")}\n`;

export function queueRows(test: Suite, store: QueueStore): void {
  for (const [name, body] of rows) test(`${store}: ${name}`, () => body(store));
}

const rows: readonly (readonly [name: string, body: (store: QueueStore) => Promise<void>])[] = [
  [
    "workers on two machines make the calls of a batch, and the results come in order",
    (store) =>
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
  ],
  [
    "a queue that is closed leaves no timer, for which a program would wait",
    (store) =>
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
  ],
  [
    "a worker refuses by name what is not there, has other content, is not trusted, or asks",
    (store) =>
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
  ],
  [
    "--retries tries a failed call again, and a call that can never succeed is not tried again",
    (store) =>
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
  ],
  [
    "--rate sends no item before its time, over all workers together",
    (store) =>
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
  ],
  [
    "--key makes lines with the same key one call, and --done knows a line by it",
    (store) =>
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
  ],
  [
    "items that failed are listed, shown, tried again for `--done`, and dropped",
    (store) =>
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
  ],
  [
    "Ctrl-C ends a batch: waiting items never run, and those that run are stopped",
    (store) =>
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
            [
              readFileSync(join(away.folder, "begun"), "utf8").split("\n").length,
              existsSync(join(away.folder, "ended")),
            ],
            [3, false],
          );
        },
        { store },
      ),
  ],
];
