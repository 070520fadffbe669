// One process of calls.mjs: `calls` gives medians in ms, `memory` gives MB, as JSON on standard output.
const bareRss = process.memoryUsage.rss();
const { spawn } = await import("node:child_process");
const { writeFileSync } = await import("node:fs");
const { join } = await import("node:path");
const { withFolder } = await import("./programs.mjs");
const { takeTurns } = await import("./take-turns.mjs");

const ROUNDS = 400;
const SPAWN_ROUNDS = 60;
const CALLS = 10_000;
const EARLY_CALLS = 100;

const { openTools } = await import("../../src/dottool.ts");
const measured = await withFolder(async ({ project, home }) => {
  process.env.HOME = home;
  for (let index = 0; index < 50; index++) writeFileSync(join(project, `file_${index}.txt`), `${index}\n`.repeat(20));
  const tools = await openTools({ cwd: project });
  const call = async (name, args) => {
    const result = await tools.call(name, args);
    if (result.status !== "ok") throw new Error(tools.explain(result));
  };
  return process.argv[2] === "memory" ? measureMemory(call) : measureCalls(call, project);
});
console.log(JSON.stringify(measured));

async function measureCalls(call, project) {
  const context = await makeContext(project);
  const { readFile } = await import("../../src/features/files/read-file.ts");
  const { findFiles } = await import("../../src/features/files/find-files.ts");
  const readArguments = { file_path: "file_1.txt", show_lines: false };
  const findArguments = {
    patterns: ["*.txt"],
    path: ".",
    type: "file",
    hidden: false,
    ignored: false,
    max_paths: 1_000,
  };
  return {
    ...(await takeTurns(ROUNDS, {
      readFile: () => call("read_file", readArguments),
      readFileBare: () => readFile.execute(readArguments, context),
      findFiles: () => call("find_files", findArguments),
      findFilesBare: () => findFiles.execute(findArguments, context),
    })),
    ...(await takeTurns(SPAWN_ROUNDS, {
      spawn: () => call("run_command", { command: "true" }),
      spawnBare: () =>
        new Promise((resolve) =>
          spawn("true", { cwd: project, detached: true, stdio: ["ignore", "pipe", "pipe"] }).on("close", resolve),
        ),
    })),
  };
}

async function makeContext(cwd) {
  const { createNodeHost } = await import("../../src/core/host/node-host.ts");
  const { signal } = new AbortController();
  const limits = { timeoutMs: 60_000, outputBytesMax: 100 * 1024 * 1024 };
  const refuse = () => Promise.reject(new Error("the bare function calls no tools"));
  return {
    cwd,
    signal,
    host: createNodeHost(),
    path: [],
    limits,
    setting: () => undefined,
    memory: new Map(),
    invoke: refuse,
    emit: () => {},
  };
}

async function measureMemory(call) {
  const openRss = process.memoryUsage.rss();
  let earlyHeap = 0;
  for (let index = 1; index <= CALLS; index++) {
    await call("read_file", { file_path: `file_${index % 50}.txt` });
    if (index === EARLY_CALLS) earlyHeap = liveHeap();
  }
  const mb = (bytes) => bytes / 1e6;
  return {
    bareRss: mb(bareRss),
    openRss: mb(openRss),
    earlyHeap: mb(earlyHeap),
    laterHeap: mb(liveHeap()),
    laterRss: mb(process.memoryUsage.rss()),
  };
}

function liveHeap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
