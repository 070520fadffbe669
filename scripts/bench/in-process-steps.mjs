// One process of steps.mjs: medians in ms, and MB, as JSON on standard output.
const { spawn } = await import("node:child_process");
const { mkdirSync, writeFileSync } = await import("node:fs");
const { join } = await import("node:path");
const { withFolder } = await import("./programs.mjs");
const { median } = await import("./table.mjs");

const IN_A_ROW = 50;
const BESIDE = 100;
const AT_ONCE = 16;
const LONG = 1_000;
const ROUNDS = 9;

const tool = (name, steps) => `Bench.\n\n@title Bench\n@name ${name}\n${steps}@output done\n`;
const steps = (count, options) => Array.from({ length: count }, (_, index) => `@step s${index} runs${options}\n    true\n`).join("");

const { openTools } = await import("../../src/dottool.ts");
const measured = await withFolder(async ({ project, home }) => {
  process.env.HOME = home;
  mkdirSync(join(project, ".tools"), { recursive: true });
  for (const [name, text] of [["row", steps(IN_A_ROW, "")], ["beside", steps(BESIDE, " [parallel]")], ["long", steps(LONG, "")]]) writeFileSync(join(project, `.tools/${name}.tool`), tool(name, text));
  const tools = await openTools({ cwd: project });
  const call = async (name) => {
    const result = await tools.call(name, {});
    if (result.status !== "ok") throw new Error(tools.explain(result));
  };
  const bare = () => new Promise((resolve) => spawn("true", { cwd: project, detached: true, stdio: ["ignore", "pipe", "pipe"] }).on("close", resolve));
  const timesMs = { row: [], rowBare: [], beside: [], xargs: [] };
  const timed = async (name, work) => {
    const startMs = performance.now();
    await work();
    timesMs[name].push(performance.now() - startMs);
  };
  await call("row");
  for (let round = 0; round < ROUNDS; round++) {
    await timed("row", () => call("row"));
    await timed("rowBare", async () => {
      for (let index = 0; index < IN_A_ROW; index++) await bare();
    });
    await timed("beside", () => call("beside"));
    await timed("xargs", () => new Promise((resolve) => spawn("sh", ["-c", `seq ${BESIDE} | xargs -n 1 -P ${AT_ONCE} true`], { stdio: "ignore" }).on("close", resolve)));
  }
  const ms = Object.fromEntries(Object.entries(timesMs).map(([name, times]) => [name, median(times)]));
  globalThis.gc();
  const heapBefore = process.memoryUsage().heapUsed;
  const startMs = performance.now();
  await call("long");
  const longMs = performance.now() - startMs;
  globalThis.gc();
  return { step: ms.row / IN_A_ROW, stepBare: ms.rowBare / IN_A_ROW, beside: ms.beside, xargs: ms.xargs, longStep: longMs / LONG, heapBefore: heapBefore / 1e6, heapAfter: process.memoryUsage().heapUsed / 1e6 };
});
console.log(JSON.stringify(measured));
