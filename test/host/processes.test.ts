import { EventEmitter } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { randomId } from "../../src/core/host/random-id.ts";
import { nowMs } from "../../src/core/host/monotonic-clock.ts";
import { followProcess } from "../../src/core/host/processes/process-run.ts";
import { createProcesses } from "../../src/core/host/processes/processes.ts";
import type { SpawnRequest, SpawnResult } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { processFixture } from "./process-fixture.ts";

const test = suite("processes");

const done = (exitCode: number): SpawnResult => ({ kind: "exited", exitCode, cutBytes: 0 });

test("run gives the streams apart and the exit code", async () => {
  assert.equal(await processFixture().shell("echo out; echo err >&2; exit 3"), {
    result: done(3),
    stdout: "out\n",
    stderr: "err\n",
  });
});

test("run gives the name of the signal that ended the process", async () => {
  assert.equal((await processFixture().shell("kill -KILL $$")).result, {
    kind: "exited",
    signalName: "SIGKILL",
    cutBytes: 0,
  });
});

test("run passes words as they are", async () => {
  const words = ["", " ", "a b", "*", "$HOME", "`id`", "'\"\\", "-n", "é\u{1f600}", "line\nend"];
  assert.equal((await processFixture().run(["printf", "%s\\0", ...words])).stdout, `${words.join("\0")}\0`);
});

test("run keeps the name that the program was called by", async () => {
  assert.equal(
    (await processFixture().run(["sh", "-c", "tr '\\0' ' ' < /proc/$$/cmdline | cut -d' ' -f1"])).stdout,
    "sh\n",
  );
});

test("run gives the environment it is given, and its own id", async () => {
  const { stdout } = await processFixture().run(["env"], {
    environment: { PATH: process.env["PATH"] ?? "", A: "1", DOTTOOL_RUN_ID: "forged" },
  });
  assert.equal(
    stdout
      .replace(/(DOTTOOL_RUN_ID=)[0-9a-f]{32}\n/, "$1ID\n")
      .split("\n")
      .filter((line) => !line.startsWith("PATH=")),
    ["A=1", "DOTTOOL_RUN_ID=ID", ""],
  );
});

test("run adds its id to those of the runs around it", async () => {
  const processes = createProcesses({ platform: "linux", randomId: () => "inner", outerRunIds: "outermost:outer" });
  let output = "";
  await processes.run({
    argv: ["/bin/sh", "-c", "echo $DOTTOOL_RUN_ID"],
    cwd: "/",
    environment: {},
    confinement: { unconfined: "trusted" },
    signal: new AbortController().signal,
    outputBytesMax: 100,
    onOutput: (_stream, bytes) => void (output += Buffer.from(bytes).toString()),
  });
  assert.equal(output, "outermost:outer:inner\n");
});

test("run refuses to nest without end", async () => {
  const outerRunIds = Array.from({ length: 16 }, randomId).join(":");
  const processes = createProcesses({ platform: "linux", randomId, outerRunIds });
  const result = await processes.run({
    argv: ["/bin/true"],
    cwd: "/",
    environment: {},
    confinement: { unconfined: "trusted" },
    signal: new AbortController().signal,
    outputBytesMax: 100,
    onOutput: () => undefined,
  });
  assert.equal(result, { kind: "not-started", reason: "system", detail: "dottool runs inside itself, 16 deep" });
});

test("run reads nothing where no stdin is given", async () => {
  assert.equal(await processFixture().run(["cat"]), { result: done(0), stdout: "", stderr: "" });
});

test("run passes a stdin of 5 MiB", async () => {
  assert.equal(
    (await processFixture().run(["wc", "-c"], { stdin: "é".repeat(2.5 * 1024 * 1024) })).stdout.trim(),
    "5242880",
  );
});

test("run lets a process leave its stdin unread", async () => {
  assert.equal((await processFixture().run(["head", "-c", "3"], { stdin: "abc".repeat(1_000_000) })).stdout, "abc");
});

test("run keeps every byte", async () => {
  const bytes: number[] = [];
  await processFixture().shell('i=0; while [ $i -lt 256 ]; do printf "\\\\$(printf %03o $i)"; i=$((i+1)); done', {
    onOutput: (_stream, chunk) => void bytes.push(...chunk),
  });
  assert.equal(
    bytes,
    Array.from({ length: 256 }, (_item, index) => index),
  );
});

test("run waits for what is in a pipe when its sink gets ready just as time runs out", async () => {
  const stdout = Object.assign(new EventEmitter(), {
    pause: () => undefined,
    resume: () => void setTimeout(next, 30),
    destroy: () => undefined,
  });
  const child = Object.assign(new EventEmitter(), {
    exitCode: 0,
    signalCode: null,
    stdin: null,
    stdout,
    stderr: null,
    stdio: [null, stdout, null],
  });
  const chunks = ["a", "b", "c"];
  const next = (): void =>
    void (chunks.length === 0 ? child.emit("close") : stdout.emit("data", Buffer.from(chunks.shift() ?? "")));
  let output = "";
  // Pipes are waited for twice 250 ms: the first piece is taken 15 ms before the second wait ends, and the next one
  // comes 15 ms after it.
  const onOutput = (_stream: string, bytes: Uint8Array): void | Promise<void> => {
    output += new TextDecoder().decode(bytes);
    return output === "a" ? new Promise((resolve) => void setTimeout(resolve, 485)) : undefined;
  };
  const tree = { platform: "linux", pid: 2 ** 30, runId: randomId(), startedAtMs: nowMs() } as const;
  const run = followProcess(child, tree, {
    argv: [],
    cwd: "/",
    environment: {},
    signal: new AbortController().signal,
    outputBytesMax: 100,
    onOutput,
  });
  next();
  child.emit("exit", 0, null);
  const result = await Promise.race([run, new Promise((resolve) => void setTimeout(resolve, 5_000))]);
  assert.equal([output, result], ["ab", done(0)]);
});

test("run gives output as it comes", async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  // The second line is only printed after the first has arrived and the reader has answered through the abort. The
  // signal may come to the group and to the process.
  const { result } = await processFixture().shell(
    "trap 'trap : TERM; echo second; exit 5' TERM; echo first; while :; do sleep 0.01; done",
    {
      signal: controller.signal,
      onOutput: (stream, bytes) => {
        if (stream === "stdout") seen.push(Buffer.from(bytes).toString());
        controller.abort();
      },
    },
  );
  assert.equal(
    [seen, result],
    [["first\n", "second\n"], { kind: "exited", exitCode: 5, cutBytes: 0, stopped: "aborted" }],
  );
});

test("run stops a process at the limit of its output", async () => {
  const { result, stdout, stderr } = await processFixture().shell(
    "while :; do echo 0123456789; echo 0123456789 >&2; done",
    { outputBytesMax: 1_000 },
  );
  assert.equal(result.kind === "exited" && { ...result, cutBytes: result.cutBytes > 0 }, {
    kind: "exited",
    signalName: "SIGTERM",
    cutBytes: true,
    stopped: "output-limit",
  });
  assert.is(stdout.length + stderr.length, 1_000);
});

test("run holds the process back while the reader is behind", async () => {
  let kept = 0;
  let most = 0;
  let pending = 0;
  const { result } = await processFixture().run(["head", "-c", "3000000", "/dev/zero"], {
    outputBytesMax: 4_000_000,
    onOutput: (_stream, bytes) => {
      kept += bytes.length;
      pending += bytes.length;
      most = Math.max(most, pending);
      return new Promise((resolve) => setImmediate(() => resolve(void (pending -= bytes.length))));
    },
  });
  assert.equal([result, kept], [done(0), 3_000_000]);
  assert.ok(most < 1_000_000, `${most} bytes were on their way`);
});

test("run waits for a slow reader when the process has exited, but not after an abort", async () => {
  const read = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));
  const { stdout } = await processFixture().run(["head", "-c", "200000", "/dev/zero"], { onOutput: read });
  const controller = new AbortController();
  const { result } = await processFixture().shell("while :; do echo more; done", {
    signal: controller.signal,
    onOutput: () => {
      controller.abort();
      return new Promise(() => undefined);
    },
  });
  assert.equal(
    [stdout.length, result],
    [200_000, { kind: "exited", signalName: "SIGTERM", cutBytes: 0, stopped: "aborted" }],
  );
});

test("run ends the process and throws when the reader throws", async () => {
  const bench = processFixture();
  let message = "";
  await bench
    .shell("echo ready; sleep 50", {
      onOutput: () => {
        throw new Error("reader broke");
      },
    })
    .catch((error: Error) => {
      message = error.message;
    });
  assert.equal([message, bench.living()], ["reader broke", []]);
});

test("run does not start what is aborted already", async () => {
  assert.equal((await processFixture().run(["true"], { signal: AbortSignal.abort() })).result, {
    kind: "exited",
    cutBytes: 0,
    stopped: "aborted",
  });
});

test("run says why a process was not started", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-processes-"));
  try {
    const file = (name: string, text: string, mode: number): string => {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), mode);
      return join(folder, name);
    };
    const bench = processFixture();
    const why = async (argv: readonly string[], cwd = folder): Promise<SpawnResult> =>
      (await bench.run(argv, { cwd, environment: { PATH: "/nowhere:relative::." } })).result;
    const reason = (name: string, detail: string): SpawnResult => ({
      kind: "not-started",
      reason: name as "system",
      detail,
    });
    const plain = file("plain", "text", 0o644);
    file("closed", "#!/bin/sh\n", 0o644);
    const lost = file("lost", "#!/nowhere/sh\n", 0o755);
    assert.equal(await why(["nothing"]), reason("program-missing", "looked in /nowhere"));
    assert.equal(await why(["closed"]), reason("program-missing", "looked in /nowhere"));
    assert.equal(await why(["./nothing"]), reason("file-missing", join(folder, "nothing")));
    assert.equal(await why([""]), reason("program-missing", "looked in /nowhere"));
    assert.equal(await why([plain]), reason("not-executable", `${plain} is not executable`));
    assert.equal(await why([folder]), reason("file-missing", folder));
    assert.equal(
      await why([lost]),
      reason("not-executable", `the interpreter that ${lost} names in its first line is missing`),
    );
    const elf = readFileSync(realpathSync("/bin/sh"));
    // Every program for Linux names its loader; one that names another is what a program for another system is.
    const foreign = join(folder, "foreign");
    writeFileSync(foreign, elf.toString("latin1").replace(/\/ld-linux/g, "/xx-linux"), {
      encoding: "latin1",
      mode: 0o755,
    });
    assert.equal(
      await why([foreign]),
      reason("not-executable", `the loader that ${foreign} was built for is missing, as when it is for another system`),
    );
    assert.equal(await why(["/bin/true"], join(folder, "nothing")), reason("folder-missing", join(folder, "nothing")));
    assert.equal(await why(["./bad"], join(folder, "nothing")), reason("folder-missing", join(folder, "nothing")));
    assert.equal(await why(["/bin/true"], plain), reason("folder-missing", plain));
    assert.equal(await why(["build.CMD"]), reason("batch-file", "build.CMD"));
    assert.equal(await why(["C:\\x\\build.bat. ."]), reason("batch-file", "C:\\x\\build.bat. ."));
    assert.equal(
      await why(["/bin/true", "x".repeat(3 * 1024 * 1024)]),
      reason("too-large", "the arguments and the environment together are longer than the system allows"),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("run finds a relative program from the folder it runs in", async () => {
  assert.equal((await processFixture().run(["./true"], { cwd: "/bin" })).result, done(0));
});

test("find passes over empty and relative entries of PATH", () => {
  const { processes } = processFixture();
  const cwd = process.cwd();
  process.chdir("/bin");
  try {
    assert.equal(
      [
        processes.find("sh", "::.:../bin"),
        processes.find("sh", ".:/bin"),
        processes.find("./sh", "/bin"),
        processes.find("", "/bin"),
      ],
      [undefined, "/bin/sh", undefined, undefined],
    );
  } finally {
    process.chdir(cwd);
  }
});

test("run holds a process to its memory", async () => {
  const { result, stderr } = await processFixture().run(["dd", "if=/dev/zero", "of=/dev/null", "bs=200M", "count=1"], {
    memoryBytesMax: 100 * 1024 * 1024,
  });
  assert.equal([result, /dd: memory exhausted/.test(stderr)], [done(1), true]);
});

test("run holds a process to its processor time", async () => {
  assert.equal((await processFixture().shell("while :; do :; done", { cpuMsMax: 1 })).result, {
    kind: "exited",
    signalName: "SIGXCPU",
    cutBytes: 0,
  });
});

test("run passes words and output through its limits as they are", async () => {
  const { result, stdout } = await processFixture().run(["printf", "%s|", "", "a b", "-e", "$1"], {
    memoryBytesMax: 64 * 1024 * 1024,
    cpuMsMax: 5_000,
  });
  assert.equal([result, stdout], [done(0), "|a b|-e|$1|"]);
});

test("run says when a limit cannot be set", async () => {
  const onMacos = createProcesses({ platform: "macos", randomId, outerRunIds: undefined });
  const request: SpawnRequest = {
    argv: ["/bin/true"],
    cwd: "/",
    environment: {},
    confinement: { unconfined: "trusted" },
    signal: new AbortController().signal,
    outputBytesMax: 1,
    memoryBytesMax: 1e6,
    onOutput: () => undefined,
  };
  assert.equal(await onMacos.run(request), {
    kind: "not-started",
    reason: "system",
    detail: "macOS accepts a memory limit but does not enforce it",
  });
});

test("run says when the system does not take a limit", async () => {
  const { result } = await processFixture().run(["true"], { memoryBytesMax: 1e30 });
  assert.equal(
    result.kind === "not-started" && [result.reason, result.detail.startsWith("the limits cannot be set: ")],
    ["system", true],
  );
});

test("run keeps 16 running and 1,000 waiting, and is busy for one more", async () => {
  const bench = processFixture();
  const controller = new AbortController();
  const { signal } = controller;
  let started = 0;
  const allStarted = new Promise<void>((resolve) => {
    const count = (): void => {
      started++;
      if (started === 16) resolve();
    };
    for (let index = 0; index < 16; index++)
      running.push(bench.shell("echo ready; exec sleep 600", { signal, onOutput: count }));
  });
  await allStarted;
  const waiting = Array.from({ length: 1_000 }, () => bench.run(["true"], { signal }));
  assert.equal((await bench.run(["true"])).result, { kind: "busy", waiting: 1_000 });
  controller.abort();
  const kinds = [...(await Promise.all(running)), ...(await Promise.all(waiting))].map(
    ({ result }) => result.kind === "exited" && `${result.stopped} ${result.signalName}`,
  );
  assert.equal(
    [
      kinds.filter((kind) => kind === "aborted SIGTERM").length,
      kinds.filter((kind) => kind === "aborted undefined").length,
    ],
    [16, 1_000],
  );
});
const running: Promise<{ readonly result: SpawnResult }>[] = [];

test("run starts what waits when another has ended, in order", async () => {
  const bench = processFixture();
  const order: string[] = [];
  const runs = Array.from({ length: 40 }, (_item, index) =>
    bench.run(["echo", String(index)], {
      onOutput: (_stream, bytes) => void order.push(Buffer.from(bytes).toString().trim()),
    }),
  );
  const results = await Promise.all(runs);
  assert.equal(
    [
      results.every(({ result }) => result.kind === "exited" && result.exitCode === 0),
      [...order].sort((a, b) => Number(a) - Number(b)),
    ],
    [true, Array.from({ length: 40 }, (_item, index) => String(index))],
  );
});

test("a NUL in a word is told as what it is", async () => {
  const { result } = await processFixture().run(["printf", "a\0b"]);
  assert.match(result.kind === "not-started" ? result.detail : result.kind, /without null bytes/);
});

test("no handle is left of many processes, whether they start or not", async () => {
  const { run } = processFixture();
  const countOf = (wanted: string): number => process.getActiveResourcesInfo().filter((name) => name === wanted).length;
  const kinds = ["PipeWrap", "ProcessWrap"];
  const before = kinds.map(countOf);
  await Promise.all(
    Array.from({ length: 40 }, (_item, index) =>
      run([index % 4 === 0 ? "/dev/null" : "true"], index % 5 === 0 ? { cwd: "/nowhere" } : {}),
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(
    kinds.filter((kind, index) => countOf(kind) > (before[index] ?? 0)),
    [],
  );
});

test.run();
