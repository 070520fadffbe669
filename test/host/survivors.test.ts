// Every other shape of survivors.ts, which is the harder one of two that are alike, and every other ending, once.
// `npm run test:long` tries all pairs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isLong, someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { hello, request, startLines } from "../mcp/line-client.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";
import { allPairs, endings, shapes, survivorsTable } from "./survivors.ts";

const test = suite("survivors");
const LOOK_MS = 10;

test("nothing of a run survives it, whatever its processes do and however it ends", async () => {
  // In Deno, a write to a full pipe blocks the program whatever signal comes.
  if (!existsSync("/proc/self/environ") || "Deno" in globalThis) return;
  needPrograms("perl", "setsid", "nohup", "mkfifo");
  const pairs = isLong
    ? allPairs
    : someOf(shapes, 2, 1).map((shape, index) => [shape, endings[(2 * index) % endings.length]] as const);
  const cells = await survivorsTable(pairs as typeof allPairs);
  assert.equal(
    [...cells].filter(([, left]) => left !== "0"),
    [],
  );
});

test("a program that has run something before has its runs watched from their start", async () => {
  if (!existsSync("/proc/self/environ") || "Deno" in globalThis) return;
  using bench = testProject({
    "home/.config/dottool/tools/now.tool":
      "Now.\n\n@title Now\n@name now\n@wrapped run_command\n@command true\n@tags read\n",
    "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: now, front_end: mcp}\n",
  });
  const lines = startLines(bench);
  try {
    lines.send(hello);
    for (const id of [2, 3]) {
      lines.send(request(id, "tools/call", { name: "now", arguments: {} }));
      const answer = (await lines.count(id)).find((message) => message.id === id);
      assert.is(answer?.result?.isError ?? false, false, JSON.stringify(answer));
    }
    const watchers = (): number => childrenOf(lines.pid).filter((words) => words.includes("dottool-watcher")).length;
    // Until it is loaded, it has its parent's command line.
    while (watchers() === 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    assert.is(watchers(), 1);
  } finally {
    await lines.end();
  }
});

function childrenOf(pid: number): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const status = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/status`, "latin1") : "";
      return status.includes(`\nPPid:\t${pid}\n`) ? [readFileSync(`/proc/${name}/cmdline`, "latin1")] : [];
    } catch {
      return [];
    }
  });
}

test.run();
