// Run by the tests of confined processes as another user or within a sandbox: runs a command in one, and prints the
// result. The words are `strict`, `best-effort` or `unasked`, a number of processes, the state folder or nothing, and
// the command.
import process from "node:process";
import { useFeatures } from "../../src/core/tool/feature.ts";
import { features } from "../../src/features/index.ts";
import { randomId } from "../../src/core/host/random-id.ts";
import { createProcesses } from "../../src/core/host/processes/processes.ts";

useFeatures(features);
const [mode, processesMax = "", stateFolder = "", ...argv] = process.argv.slice(2);
const processes = createProcesses({
  platform: "linux",
  randomId,
  outerRunIds: undefined,
  ...(stateFolder === "" ? {} : { stateFolder }),
});
const folder = process.cwd();
let output = "";
const result = await processes.run({
  argv,
  cwd: folder,
  environment: { PATH: "/usr/bin:/bin" },
  signal: new AbortController().signal,
  outputBytesMax: 1_000,
  onOutput: (_stream, bytes) => {
    output += Buffer.from(bytes).toString("utf8");
  },
  ...(processesMax === "" ? {} : { processesMax: Number(processesMax) }),
  confinement: {
    level: "strict",
    folder,
    writes: [],
    reads: [],
    hosts: [],
    ...(mode === "best-effort" ? { isBestEffort: true as const } : {}),
    ...(mode === "unasked" ? { isUnasked: true as const } : {}),
  },
});
process.stdout.write(JSON.stringify({ result, output }));
