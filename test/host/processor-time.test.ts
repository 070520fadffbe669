// Limits that count processor time: what waits for a processor, or for anything else, is no loop.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createNodeHost, runBounded } from "../../src/core/host/node-host.ts";
import { limitThread } from "../../src/core/host/processor-time.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import type { SandboxRun } from "../../src/core/tool/host-sandbox.ts";
import { assert, suite } from "../harness.ts";

const test = suite("processor time");

/** Takes time and no processor, as work does on a busy machine. */
const wait = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

// Deno only has the time of the whole process, which compiles in other threads.
test("runBounded counts what its work computes, and not how long it takes", () => {
  let tries = 0;
  assert.is(
    runBounded(() => {
      tries++;
      wait(400);
      return "done";
    }, 150),
    "done",
  );
  assert.ok(tries > 1);
});

test("runBounded stops work that computes, after it has waited", () => {
  const endless = (): void => {
    wait(30);
    for (;;);
  };
  assert.throws(
    () => runBounded(endless, 20),
    (error: unknown) => codeOf(error) === "ETIMEDOUT",
  );
});

test("limitThread lets a thread wait longer than it may compute", async () => {
  const worker = new Worker(
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500); require('node:worker_threads').parentPort.postMessage('done')",
    { eval: true },
  );
  const stopped: string[] = [];
  const unlimit = limitThread(worker, 1_000, () => stopped.push("over"));
  assert.equal(await once(worker, "message"), ["done"]);
  unlimit();
  assert.equal(stopped, []);
  await worker.terminate();
});

test("limitThread stops a thread that computes longer than it may", async () => {
  const worker = new Worker("for (;;);", { eval: true });
  await new Promise<void>((resolve) => void limitThread(worker, 50, resolve));
  await worker.terminate();
});

test("the time of sandboxed code counts from when its machine is ready", async () => {
  const { sandbox } = createNodeHost();
  const one: SandboxRun = {
    driver: "(log, call, done) => (program, input) => done('value', input)",
    program: "0",
    input: "kept",
    limits: {
      cpuMsMax: 1_000,
      wallMsMax: 2_000,
      memoryBytesMax: 2 ** 25,
      hostCallsMax: 1,
      resultBytesMax: 100,
      logCharactersMax: 100,
    },
    signal: new AbortController().signal,
    depth: 0,
    call: async () => "",
  };
  await sandbox.run(one);
  const run = sandbox.run(one);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  // The thread runs it, and this one hears nothing of that for longer than the limit.
  wait(2_200);
  assert.equal(await run, { kind: "answered", mark: "value", text: "kept", log: "" });
});

test.run();
