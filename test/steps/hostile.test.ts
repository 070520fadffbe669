// Steps in a hostile world: floods, binary, kills, two runs at once, what survives a cancel.
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { withSteps } from "./steps-bench.ts";

const test = suite("hostile steps");

/** Processes with this word in their command line. */
function running(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && commandLine(pid).includes(word));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test("a step that prints a gibibyte is stopped at its limit", async () => {
  await withSteps({ flood: "@step a runs\n    head -c 1073741824 /dev/zero", streamed: "@limit output=20MiB\n@step a runs [output=stream]\n    head -c 1073741824 /dev/zero" }, async (bench) => {
    const flood = await bench.call("flood");
    assert.equal(flood.status === "failed" && flood.failure.kind === "step-failed" && flood.failure.cause.kind === "limit" && [flood.failure.cause.limit, flood.failure.cause.unit], [10 * 1024 * 1024, "bytes of output"]);
    const streamed = await bench.call("streamed");
    assert.equal(streamed.status === "failed" && streamed.failure.kind === "step-failed" && streamed.failure.cause.kind === "limit" && streamed.failure.cause.limit, 20 * 1024 * 1024);
  });
});

test("an output that is no text is told as such, and is no part of a text", async () => {
  await withSteps({ last: "@step a sh\n    printf '\\377\\000\\001'", used: "@step a sh\n    printf 'x\\000y'\n@step b runs\n    echo {a}" }, async (bench) => {
    const last = await bench.call("last");
    assert.equal(last.content.map((item) => item.type), ["file"]);
    const used = await bench.call("used");
    assert.ok(used.status === "failed" && used.failure.kind === "step-failed" && used.failure.step === "b" && used.failure.cause.kind === "rejected" && used.failure.cause.reason.includes("NUL"));
  });
});

test("a step that is killed from outside has failed by that signal", async () => {
  await withSteps({ one: "@step a sh\n    kill -KILL $$" }, async (bench) => {
    const result = await bench.call("one");
    assert.equal(result.status === "failed" && result.failure, { kind: "step-failed", step: "a", tool: "sh", cause: { kind: "exit", program: "sh", signalName: "SIGKILL" } });
  });
});

test("a cancel leaves no process of any step", async () => {
  const mark = `987${process.pid}`;
  await withSteps({ one: `@step a sh [output=stream]\n    setsid sleep ${mark} & sleep ${mark} & echo up; sleep ${mark}\n@step b sh [parallel]\n    trap '' TERM; sleep ${mark}; sleep ${mark}` }, async (bench) => {
    const stop = new AbortController();
    const call = bench.call("one", {}, stop.signal);
    while (running(mark).length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    const result = await call;
    assert.equal([result.status === "failed" && result.failure.kind, running(mark)], ["cancelled", []]);
  });
});

test("two runs at once in one folder have a folder for themselves", async () => {
  await withSteps({ one: "@param x {string} [required] X\n@step a sh\n    echo {x} > {TEMP_DIR}/own; sleep 0.1; cat {TEMP_DIR}/own\n@step b sh [cache=1h]\n    echo {a}" }, async (bench) => {
    const said = await Promise.all(["1", "2", "3", "4"].map((x) => bench.said("one", { x: `${bench.folder}${x}` })));
    assert.equal(said, ["1", "2", "3", "4"].map((x) => `${bench.folder}${x}\n`));
  });
});

test("a kept output that was damaged is made anew", async () => {
  await withSteps({ one: "@step a sh [cache=1h]\n    echo x >> count; wc -l < count" }, async (bench) => {
    const first = await bench.said("one");
    const { host } = bench.opened;
    const folder = `${host.folders.cache}/steps`;
    const file = readdirSync(folder).map((name) => `${folder}/${name}`).filter((path) => readFileSync(path, "utf8").includes(first.trim()));
    for (const path of file) host.instant.replace(path, "{\"keptMs\":");
    assert.is((await bench.said("one")).trim(), "2");
  });
});

test("a list with too many items is refused before anything runs", async () => {
  await withSteps({ one: "@step list sh\n    seq 10001\n@step each sh [for-each={list}]\n    touch ran" }, async (bench) => {
    assert.equal([await bench.said("one"), bench.read("ran")], ["failed[step-failed]: step `each` (`sh`): stopped at the limit of 10000 items in a step\n  = give it a shorter list", undefined]);
  });
});

test.run();
