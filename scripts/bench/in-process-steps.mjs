// One process of steps.mjs: medians in ms, and MB, as JSON on standard output.
const { spawn } = await import("node:child_process");
const { mkdirSync, writeFileSync } = await import("node:fs");
const { join } = await import("node:path");
const { trustProject, withFolder } = await import("./programs.mjs");
const { median } = await import("./table.mjs");

const IN_A_ROW = 50;
const BESIDE = 100;
const AT_ONCE = 16;
const LONG = 1_000;
const ROUNDS = 9;
const LONG_ROUNDS = 3;

const tool = (name, steps) => `Bench.\n\n@title Bench\n@name ${name}\n${steps}@output done\n`;
const steps = (count, options) =>
  Array.from({ length: count }, (_, index) => `@step s${index} runs${options}\n    true\n`).join("");

const { openTools } = await import("../../src/dottool.ts");
const measured = await withFolder(async ({ project, home }) => {
  process.env.HOME = home;
  mkdirSync(join(project, ".tools"), { recursive: true });
  for (const [name, text] of [
    ["row", steps(IN_A_ROW, "")],
    ["beside", steps(BESIDE, " [parallel]")],
    ["long", steps(LONG, "")],
  ])
    writeFileSync(join(project, `.tools/${name}.tool`), tool(name, text));
  await trustProject({ project, home });
  const tools = await openTools({ cwd: project, toolFolders: [join(project, ".tools")] });
  const call = async (name) => {
    const result = await tools.call(name, {});
    if (result.status !== "ok") throw new Error(tools.explain(result));
  };
  const bare = () =>
    new Promise((resolve) =>
      spawn("true", { cwd: project, detached: true, stdio: ["ignore", "pipe", "pipe"] }).on("close", resolve),
    );
  const atOnce = async () => {
    let left = BESIDE;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await bare();
      }),
    );
  };
  const timesMs = { row: [], rowBare: [], beside: [], besideBare: [], xargs: [], long: [], rows: [] };
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
    await timed("besideBare", atOnce);
    await timed(
      "xargs",
      () =>
        new Promise((resolve) =>
          spawn("sh", ["-c", `seq ${BESIDE} | xargs -n 1 -P ${AT_ONCE} true`], { stdio: "ignore" }).on(
            "close",
            resolve,
          ),
        ),
    );
  }
  // Built once, because only the memory that runs leave behind is measured.
  await call("long");
  globalThis.gc();
  const heapBefore = process.memoryUsage().heapUsed;
  for (let round = 0; round < LONG_ROUNDS; round++) {
    await timed("long", () => call("long"));
    await timed("rows", async () => {
      for (let count = 0; count < LONG; count += IN_A_ROW) await call("row");
    });
  }
  globalThis.gc();
  const heapAfter = process.memoryUsage().heapUsed;
  const ms = Object.fromEntries(Object.entries(timesMs).map(([name, times]) => [name, median(times)]));
  return {
    step: ms.row / IN_A_ROW,
    stepBare: ms.rowBare / IN_A_ROW,
    beside: ms.beside,
    besideBare: ms.besideBare,
    xargs: ms.xargs,
    longStep: ms.long / LONG,
    shortStep: ms.rows / LONG,
    heapBefore: heapBefore / 1e6,
    heapAfter: heapAfter / 1e6,
  };
});
console.log(JSON.stringify(measured));
