// What the gate adds to a call inside one process, and the memory after ten thousand calls. Measured in a process of
// its own: see in-process.mjs.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const IN_PROCESS_ADDED_MS_MAX = 0.3;
const SPAWN_ADDED_MS_MAX = 1;
/** The limit of the memory after 10,000 calls, relative to that after the first hundred. More is a leak. */
const MEMORY_GROWTH_MAX = 1.25;

export function benchCalls() {
  const ms = measure("calls");
  return [
    {
      name: "call of read_file",
      value: ms.readFile,
      unit: "ms",
      reference: ms.readFileBare,
      of: "bare function",
      target: ms.readFileBare + IN_PROCESS_ADDED_MS_MAX,
    },
    {
      name: "call of find_files",
      value: ms.findFiles,
      unit: "ms",
      reference: ms.findFilesBare,
      of: "bare function",
      target: ms.findFilesBare + IN_PROCESS_ADDED_MS_MAX,
    },
    {
      name: "call of run_command true",
      value: ms.spawn,
      unit: "ms",
      reference: ms.spawnBare,
      of: "bare spawn",
      target: ms.spawnBare + SPAWN_ADDED_MS_MAX,
    },
  ];
}

export function benchMemory() {
  const mb = measure("memory");
  return [
    { name: "memory when tools are open", value: mb.openRss, unit: "MB", reference: mb.bareRss, of: "bare Node" },
    { name: "memory after 10,000 calls", value: mb.laterRss, unit: "MB", reference: mb.openRss, of: "at start" },
    {
      name: "live heap after 10,000 calls",
      value: mb.laterHeap,
      unit: "MB",
      reference: mb.earlyHeap,
      of: "after 100",
      target: mb.earlyHeap * MEMORY_GROWTH_MAX,
    },
  ];
}

function measure(part) {
  const script = fileURLToPath(new URL("./in-process.mjs", import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, part], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
}
