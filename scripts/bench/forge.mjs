// Tools that models make, over MCP with the executable and without a model: a request until its tool is registered, a
// call beside one of a tool in the same process, ten thousand calls, and eight callers at once. Of what has a target in
// milliseconds, the processor time of the server is shown too, which other work on the machine hardly changes.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { callTool, openStdio } from "./mcp-client.mjs";
import { processorMs } from "./programs.mjs";
import { takeTurns } from "./take-turns.mjs";

const FORGE_ROUNDS = 100;
const CALL_ROUNDS = 300;
const WARM_CALLS = 2_000;
const MANY_CALLS = 10_000;
const CALLERS = 8;
const CALLS_EACH = 100;
const SHORT_CALLS = 20;
const FORGE_MS_MAX = 50;
const CALL_MS_MAX = 5;
const MEBIBYTE = 1024 * 1024;

export async function benchForge(dottool) {
  const folder = mkdtempSync(join(tmpdir(), "dottool-bench-forge-"));
  const server = await openStdio({
    argv: [dottool, "mcp", "--allow-forge"],
    cwd: folder,
    environment: { PATH: process.env.PATH, HOME: folder },
  });
  try {
    return await measured(server);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(server) {
  const forge = (name, code) =>
    callTool(server, "forge_tool", {
      name,
      description: "Adds numbers.",
      implementation: { mode: "sandbox", code },
      testCases: [0, 1, 2].map((a) => ({ input: { a, b: 2 }, expectedOutput: { sum: a + 3 } })),
    });
  const run = (name = "kept") => callTool(server, "run_forged", { name, arguments: { a: 1, b: 2 } });
  const plain = () => callTool(server, "todo_write", { todos: [] });
  await forge("kept", "return { sum: input.a + input.b + 1 };");
  await forge("long", `for (let n = 0; n < 200_000; n++);\nreturn { sum: input.a + input.b + 1 };`);
  let number = 0;
  const request = () => forge("made", `return { sum: input.a + input.b + 1 + 0 * ${++number} };`);
  // The request before makes the code ready.
  for (let round = 0; round < FORGE_ROUNDS / 10; round++) await request();
  const forgedMs = await processorMsOf(server, FORGE_ROUNDS, request);
  const forged = await takeTurns(FORGE_ROUNDS, { request });
  const calls = await takeTurns(CALL_ROUNDS, { run, plain });
  const callMs = await processorMsOf(server, CALL_ROUNDS, () => run());
  const plainMs = await processorMsOf(server, CALL_ROUNDS, plain);
  // The heap grows to its usual size first.
  for (let index = 0; index < WARM_CALLS; index++) await run();
  const before = memoryOf(server);
  for (let index = 0; index < MANY_CALLS; index++) await run();
  const grownMiB = (memoryOf(server) - before) / MEBIBYTE;
  const alike = await ends(CALLERS, CALLS_EACH, () => run());
  const alone = (await takeTurns(SHORT_CALLS, { run })).run;
  let isOver = false;
  const longs = Array.from({ length: CALLERS - 1 }, async () => {
    while (!isOver) await run("long");
  });
  const beside = (await takeTurns(SHORT_CALLS, { run })).run;
  isOver = true;
  await Promise.all(longs);
  return [
    { name: "forge request with three tests, warm", value: forged.request, unit: "ms", target: FORGE_MS_MAX },
    { name: "  of processors", value: forgedMs, unit: "ms", target: FORGE_MS_MAX },
    {
      name: "forged call more than a tool in this process",
      value: calls.run - calls.plain,
      unit: "ms",
      reference: calls.plain,
      of: "that one",
      target: CALL_MS_MAX,
    },
    {
      name: "  of processors",
      value: callMs - plainMs,
      unit: "ms",
      reference: plainMs,
      of: "that one",
      target: CALL_MS_MAX,
    },
    {
      name: "memory that ten thousand forged calls leave",
      value: grownMiB,
      unit: "MiB",
      reference: before / MEBIBYTE,
      of: "before",
    },
    {
      name: "eight callers at once: the last to end",
      value: Math.max(...alike),
      unit: "ms",
      reference: Math.min(...alike),
      of: "the first",
    },
    { name: "a short call beside seven long ones", value: beside, unit: "ms", reference: alone, of: "alone" },
  ];
}

/** Returns when each of the callers ended. */
function ends(callers, callsEach, work) {
  const startMs = performance.now();
  return Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = 0; index < callsEach; index++) await work();
      return performance.now() - startMs;
    }),
  );
}

/** Returns the processor time of the server for one of them. */
async function processorMsOf(server, rounds, work) {
  const before = processorMs(server.pid).own;
  for (let round = 0; round < rounds; round++) await work();
  return (processorMs(server.pid).own - before) / rounds;
}

function memoryOf({ pid }) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
