// Nothing of a run survives it: every escape that needs no bad intent, with real processes, seen through /proc.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { randomId } from "../../src/core/host/random-id.ts";
import { assert, suite } from "../harness.ts";
import { livingWith, processFixture } from "./process-fixture.ts";

const test = suite("process-tree");
const hasProc = existsSync("/proc/self/environ");

const aborted = (signalName: string): object => ({ kind: "exited", signalName, cutBytes: 0, stopped: "aborted" });

const scripts: readonly (readonly [name: string, script: string])[] = [
  ["a plain child", "echo ready; exec sleep 50"],
  ["a child in the background", "sleep 50 & echo ready; sleep 50"],
  ["nested shells", "sh -c \"sh -c 'sleep 50 & echo ready; sleep 50'\"; true"],
  ["a child in a session of its own", "setsid sleep 50 & echo ready; sleep 50"],
  ["a double fork", "(setsid sh -c 'sleep 50 & sleep 50' &) ; echo ready; sleep 50"],
  [
    "twenty sessions",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do setsid sleep 50 & done; echo ready; sleep 50",
  ],
];

for (const [name, script] of scripts) {
  test(`followProcess leaves nothing of ${name} after an abort`, async () => {
    if (!hasProc) return;
    const bench = processFixture();
    const { result } = await bench.abortWhenReady(script);
    assert.equal([result, bench.living()], [aborted("SIGTERM"), []]);
  });
}

test("followProcess kills what ignores TERM", async () => {
  if (!hasProc) return;
  const bench = processFixture();
  const { result } = await bench.abortWhenReady("trap '' TERM; setsid sleep 50 & echo ready; sleep 50; sleep 50");
  assert.equal([result, bench.living()], [aborted("SIGKILL"), []]);
});

test("followProcess lets a process clean up at TERM", async () => {
  const bench = processFixture();
  const { result, stdout } = await bench.abortWhenReady(
    "trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.01; done",
  );
  assert.equal(
    [result, stdout],
    [{ kind: "exited", exitCode: 3, cutBytes: 0, stopped: "aborted" }, "ready\ncleaned\n"],
  );
});

const leavers: readonly (readonly [name: string, script: string])[] = [
  ["a quiet child in the background", "sleep 50 >/dev/null 2>&1 & echo done"],
  ["a quiet child in a session of its own", "setsid sleep 50 >/dev/null 2>&1 & echo done"],
  ["a quiet double fork", "(setsid sh -c 'sleep 50 & sleep 50' >/dev/null 2>&1 &) ; echo done"],
  ["a child that holds the pipes", "sleep 50 & echo done"],
  ["a session that holds the pipes and ignores TERM", "trap '' TERM; setsid sleep 50 & echo done"],
];

for (const [name, script] of leavers) {
  test(`followProcess leaves nothing of ${name} when the process has exited`, async () => {
    if (!hasProc) return;
    const bench = processFixture();
    const { result, stdout } = await bench.shell(script);
    assert.equal([result, stdout, bench.living()], [{ kind: "exited", exitCode: 0, cutBytes: 0 }, "done\n", []]);
  });
}

test("followProcess finds leftovers of a run that is no longer young", async () => {
  if (!hasProc) return;
  const bench = processFixture();
  const { result } = await bench.shell("setsid sleep 50 >/dev/null 2>&1 & sleep 2.1; exit 4");
  assert.equal([result, bench.living()], [{ kind: "exited", exitCode: 4, cutBytes: 0 }, []]);
});

test("followProcess finds leftovers among many younger processes", async () => {
  if (!hasProc) return;
  const bench = processFixture();
  const { result } = await bench.shell(
    "setsid sleep 50 >/dev/null 2>&1 & i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done; exit 4",
  );
  assert.equal([result, bench.living()], [{ kind: "exited", exitCode: 4, cutBytes: 0 }, []]);
});

test("followProcess delivers what a child prints within 250 ms of the exit", async () => {
  const bench = processFixture();
  const { stdout } = await bench.shell("(sleep 0.05; echo late) & echo early");
  assert.equal(stdout, "early\nlate\n");
});

test("followProcess leaves other runs alone", async () => {
  const bench = processFixture();
  const [slow, quick] = await Promise.all([bench.shell("sleep 0.4; echo slow"), bench.shell("sleep 50 & echo quick")]);
  assert.equal(
    [slow.stdout, slow.result, quick.stdout],
    ["slow\n", { kind: "exited", exitCode: 0, cutBytes: 0 }, "quick\n"],
  );
});

const innerProgram = fileURLToPath(new URL("inner-dottool.ts", import.meta.url));

test("followProcess leaves nothing of a dottool inside it that is killed", async () => {
  if (!hasProc) return;
  const bench = processFixture();
  // The inner program has no time to end what it has started in a group of its own.
  const shoot = (_stream: string, bytes: Uint8Array): void => {
    const pid = /pid (\d+)\n/.exec(Buffer.from(bytes).toString())?.[1];
    if (pid !== undefined) process.kill(Number(pid), "SIGKILL");
  };
  const { result } = await bench.run(innerWords("hold"), { onOutput: shoot });
  assert.equal([result, bench.living()], [{ kind: "exited", signalName: "SIGKILL", cutBytes: 0 }, []]);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`createProcesses ends its runs when ${signal} ends the program`, async () => {
    if (!hasProc) return;
    assert.equal(await innerEnding("hold", signal), { exitCode: null, signal, living: [] });
  });
}

test("createProcesses ends its runs when the program throws", async () => {
  if (!hasProc) return;
  assert.equal(await innerEnding("throw"), { exitCode: 1, signal: null, living: [] });
});

test("createProcesses ends its runs when the program exits", async () => {
  if (!hasProc) return;
  assert.equal(await innerEnding("exit"), { exitCode: 7, signal: null, living: [] });
});

test("endAll ends its runs politely and starts no more", async () => {
  if (!hasProc) return;
  assert.equal(await innerEnding("end-all"), { exitCode: 0, signal: null, living: [] });
});

/** Runs inner-dottool.ts, which prints `ready` when its own run does, and then ends as told. */
async function innerEnding(what: string, signal?: NodeJS.Signals): Promise<object> {
  const mark = randomId();
  const [program = "", ...words] = innerWords(what);
  const inner = spawn(program, words, { env: { ...process.env, MARK: mark }, stdio: ["ignore", "pipe", "ignore"] });
  inner.stdout.on("data", (bytes: Buffer) => {
    if (signal !== undefined && bytes.includes("ready")) inner.kill(signal);
  });
  const [exitCode, endedBy] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    inner.once("exit", (code, name) => resolve([code, name])),
  );
  return { exitCode, signal: endedBy, living: livingWith(mark) };
}

function innerWords(what: string): readonly string[] {
  return [process.execPath, ...(process.execPath.endsWith("deno") ? ["run", "-A"] : []), innerProgram, what];
}

test.run();
