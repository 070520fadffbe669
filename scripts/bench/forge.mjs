// Tools that models make: a request until it is registered, a call beside one of a tool in this process, ten thousand
// calls, and eight callers at once. In one process, without a model.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assemble } from "../../src/api/assemble.ts";
import { namedTools, revoke } from "../../src/forge/registry.ts";
import { callTool } from "../../src/run/call-tool.ts";
import { takeTurns } from "./take-turns.mjs";

const FORGE_ROUNDS = 30;
const CALL_ROUNDS = 300;
const WARM_CALLS = 5_000;
const MANY_CALLS = 10_000;
const CALLERS = 8;
const CALLS_EACH = 100;
const FORGE_MS_MAX = 50;
const CALL_MS_MAX = 5;
const MEBIBYTE = 1024 * 1024;

export async function benchForge() {
  const folder = mkdtempSync(join(tmpdir(), "dottool-bench-forge-"));
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = join(folder, "state");
  try {
    const { session, host } = await assemble({ cwd: folder, frontEnd: "mcp", audience: "model", forging: "allowed" });
    const { signal } = new AbortController();
    const call = async (tool, args) => {
      const result = await callTool({ id: "bench", tool, arguments: args }, session, signal);
      if (result.status !== "ok") throw new Error(JSON.stringify(result.failure));
    };
    const forge = (name, plus) =>
      call("forge_tool", {
        name,
        description: "Adds numbers.",
        implementation: { mode: "sandbox", code: `return { sum: input.a + input.b + ${plus} };` },
        testCases: [0, 1, 2].map((a) => ({ input: { a, b: 2 }, expectedOutput: { sum: a + 2 + plus } })),
      });
    let number = 0;
    await forge("kept", ++number);
    const forged = await takeTurns(FORGE_ROUNDS, {
      request: async () => forge("made", ++number),
    });
    for (const record of namedTools("made", host)) await revoke(record, "bench", host);
    const run = () => call("run_forged", { name: "kept", arguments: { a: 1, b: 2 } });
    const calls = await takeTurns(CALL_ROUNDS, { run, plain: () => call("todo_write", { todos: [] }) });
    // The heap grows to its usual size first.
    for (let index = 0; index < WARM_CALLS; index++) await run();
    const rssBefore = process.memoryUsage().rss;
    for (let index = 0; index < MANY_CALLS; index++) await run();
    const grownMiB = (process.memoryUsage().rss - rssBefore) / MEBIBYTE;
    const endsMs = [];
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        for (let index = 0; index < CALLS_EACH; index++) await run();
        endsMs.push(performance.now() - startMs);
      }),
    );
    return [
      { name: "forge request with three tests, warm", value: forged.request, unit: "ms", target: FORGE_MS_MAX },
      {
        name: "forged call beside a tool in this process",
        value: calls.run - calls.plain,
        unit: "ms",
        target: CALL_MS_MAX,
      },
      { name: "memory that ten thousand forged calls leave", value: grownMiB, unit: "MiB" },
      {
        name: "eight callers at once: the last to end",
        value: Math.max(...endsMs),
        unit: "ms",
        reference: Math.min(...endsMs),
        of: "the first",
      },
    ];
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
    rmSync(folder, { recursive: true, force: true });
  }
}
