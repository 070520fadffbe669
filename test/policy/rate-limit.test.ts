import { waitForRate } from "../../src/policy/rate-limit.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { toolBench } from "../tool-bench.ts";
import { statePath, withPolicy } from "./policy-bench.ts";

const test = suite("rate-limit");
const rate = { calls: 2, perMs: 60_000 };

test("so many calls are let through in any stretch of time, and then it is told how long to wait", async () => {
  const host = memoryHost();
  const options = { host, memory: new Map(), warn: () => undefined };
  const call = (key = "a"): Promise<number | undefined> => waitForRate({ key, rate }, options);
  const waits = [await call()];
  host.advance(10_000);
  waits.push(await call(), await call(), await call("b"));
  host.advance(50_000);
  waits.push(await call(), await call());
  assert.equal(waits, [undefined, undefined, 50_000, undefined, undefined, 10_000]);
});

test("a clock that is set back holds nothing up for longer than once", async () => {
  const host = memoryHost();
  const options = { host, memory: new Map(), warn: () => undefined };
  host.advance(86_400_000);
  const call = (): Promise<number | undefined> => waitForRate({ key: "a", rate }, options);
  await call();
  await call();
  host.advance(-86_400_000);
  const waits = [await call()];
  host.advance(60_000);
  waits.push(await call());
  assert.equal(waits, [60_000, undefined]);
});

test("a lock of a killed process is broken, a broken list begins anew, and without a state folder this process counts", async () => {
  const host = memoryHost();
  const told: string[] = [];
  const options = { host, memory: new Map(), warn: (text: string) => void told.push(text) };
  const name = `${host.folders.state}/rates/${host.sha256("a").slice(0, 32)}.json`;
  host.instant.replace(`${name}.lock`, JSON.stringify({ processId: 99, since: "", id: "" }));
  host.instant.replace(name, "{{{");
  assert.equal([await waitForRate({ key: "a", rate }, options), told, Object.keys(host.texts())], [undefined, [], [name]]);
  const full = { ...host, shared: { ...host.shared, create: () => { throw Object.assign(new Error("full"), { code: "ENOSPC" }); } } };
  const waits = [];
  for (let count = 0; count < 3; count++) waits.push(await waitForRate({ key: "b", rate }, { ...options, host: full }));
  assert.equal([waits, told.map((text) => text.replace(/`.*`/, "FILE"))], [[undefined, undefined, 60_000], ["warning[rate]: how often tools are called is counted for this process alone: FILE cannot be written to (ENOSPC)\n"]]);
});

test("another name for a tool, and another process, are no way round how often it may be called", async () => {
  await withPolicy({ rare: "@wrapped run_command\n@limit rate=2/day\n@tags read\n@command true", again: "@wrapped rare" }, async (bench) => {
    const said = async (tool: string, args: JsonObject = {}): Promise<string> => (await bench.open("person")).said(tool, args);
    assert.equal([await said("rare"), await said("again"), (await said("again")).replace(/\d+ s$/, "N s"), bench.list(statePath("rates")).length], ["ok", "ok", "failed[too-often]: `again` may be called 2 times a day, and has been\n  = call again in N s", 1]);
    bench.rules("policy:\n  - {tool: run_command, rate: 2/day}\n");
    bench.write("tools/one.tool", "One.\n\n@title One\n@name one\n@tags run\n@step first runs\n    true\n@step second runs\n    true\n");
    const kinds = await Promise.all(["one", "one", "run_command"].map(async (tool) => (await said(tool, tool === "one" ? {} : { command: "true" })).split("]")[0]));
    assert.equal(kinds.sort(), ["failed[too-often", "ok", "ok"]);
    bench.rules("policy:\n  - {tool: \"find_*\", rate: 1/h}\n");
    const find = { patterns: ["*"] };
    const opened = await bench.open("person");
    assert.equal([await opened.headline("find_files", find), (await opened.headline("find_files", find)).replace(/`.*/, ""), await opened.headline("list_dir", {})], ["ok", "failed[too-often]: ", "ok"]);
  });
});

test("processes that call at once are counted one by one", async () => {
  const bench = toolBench({ ".tools/rare.tool": "Rare.\n\n@title Rare\n@name rare\n@wrapped run_command\n@limit rate=3/day\n@command true\n" });
  try {
    const codes = await Promise.all(Array.from({ length: 6 }, async () => (await bench.run(["rare"])).exitCode));
    assert.equal(codes.sort(), [0, 0, 0, 1, 1, 1]);
  } finally {
    bench.remove();
  }
});

test.run();
