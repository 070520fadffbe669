// Forging where it is disturbed: no room on the disk, and a server that is killed at any moment.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { amount } from "../amount.ts";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { hello, request, startLines } from "../mcp/line-client.ts";
import { testProject } from "../test-project.ts";

const test = suite("forge faults");

const adder = (number: number): JsonObject => ({
  name: `plus_${number % 7}`,
  description: "Adds.",
  implementation: { mode: "sandbox", code: `return input.a + ${number};` },
  testCases: [{ input: { a: 1 }, expectedOutput: number + 1 }],
});

if (!("Deno" in globalThis))
  test("on a full disk a tool is refused with the reason, and nothing half-written stays", () => {
    using bench = testProject();
    const run = runOnFullDisk(bench, ["--allow-forge", "call", "forge_tool", "--json", JSON.stringify(adder(1))]);
    assert.match(run.stdout, /"class": "storage"/);
    assert.match(run.stdout, "the tool cannot be stored: EFBIG");
    assert.equal(namesIn(bench.folder), []);
  });

test("whenever a server is killed, what it stored is whole, and the next one forges", async () => {
  using bench = testProject();
  let number = 0;
  for (let kills = 1; kills <= amount(2, 40); kills++) {
    const lines = startLines(bench, ["--allow-forge"]);
    lines.send(hello);
    await lines.count(1);
    for (let id = 1; id <= 6; id++)
      lines.send(request(id, "tools/call", { name: "forge_tool", arguments: adder(++number) }));
    await lines.count(1 + (kills % 5));
    process.kill(lines.pid, "SIGKILL");
    await lines.end();
    const listed = await bench.run(["forge", "list"]);
    assert.is(listed.stderr, "");
    const own = await bench.run(["--allow-forge", "call", "forge_tool", "--json", JSON.stringify(adder(++number))]);
    assert.is(own.exitCode, 0, own.stdout + own.stderr);
  }
  const odd = namesIn(bench.folder).filter(
    (name) => !/^plus_\d@[0-9a-f]{16}\.json$|^audit\.jsonl$|^\.dottool-[0-9a-f-]+\.tmp$/.test(name),
  );
  assert.equal(odd, []);
});

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(join(folder, "home/.local/state/dottool/forge"));
  } catch {
    return [];
  }
}

test.run();
