// Run within a sandbox by confined-process.test.ts: tries to make another one, and prints the result.
import process from "node:process";
import { randomId } from "../../src/host/random-id.ts";
import { createProcesses } from "../../src/host/processes.ts";

const processes = createProcesses({ platform: "linux", randomId, outerRunIds: undefined });
const folder = process.cwd();
const result = await processes.run({
  argv: ["true"],
  cwd: folder,
  environment: { PATH: "/usr/bin:/bin" },
  signal: new AbortController().signal,
  outputBytesMax: 1_000,
  onOutput: () => undefined,
  confinement: {
    level: "strict",
    folder,
    writes: [],
    reads: [],
    hosts: [],
    ...(process.argv[2] === "best-effort" ? { isBestEffort: true as const } : {}),
  },
});
process.stdout.write(JSON.stringify(result));
