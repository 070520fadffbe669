// A limit on the number of processes and threads of a run. The kernel counts those of a user (setrlimit(2),
// RLIMIT_NPROC), so a run may have as many as there are on the machine now, and its own number more. It never counts
// those of root, whose runs get a cgroup that counts.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { Platform } from "../../tool/command.ts";
import { codeOf } from "../../tool/error-code.ts";
import type { SpawnResult } from "../../tool/host.ts";

export interface CountLimit {
  /** What the shell that starts the run does first, with `value` as `$4`. Absent if there is nothing to do. */
  readonly step?: string;
  readonly value?: string;
  /** Call it once, when the run is over. Returns what is missing of the limit. */
  release(): string | undefined;
}

const MISSING = "a limit on the number of processes";

/** Runs `start` with the limit; the report says if it did not hold. */
export async function runCounted(
  processesMax: number,
  platform: Platform,
  start: (count: CountLimit) => Promise<SpawnResult>,
): Promise<SpawnResult> {
  const count = limitCount(processesMax, platform);
  let missing: string | undefined;
  const result = await start(count).finally(() => {
    missing = count.release();
  });
  return missing === undefined || result.kind !== "exited"
    ? result
    : { ...result, report: { sandbox: "none", missing: [missing] } };
}

function limitCount(processesMax: number, platform: Platform): CountLimit {
  const without = (why: string): CountLimit => ({ release: () => `${MISSING}: ${why}` });
  if (platform !== "linux") return without("it works on Linux alone");
  try {
    if (!isRoot()) return byUser(processesMax);
    return (
      byCgroup(processesMax) ?? without("for root it needs a cgroup with the controller `pids` that root may divide")
    );
  } catch {
    return without("/proc does not say how many there are");
  }
}

/** Root of the machine: in a namespace of another user, root is that user. */
function isRoot(): boolean {
  return process.getuid?.() === 0 && /^\s*0\s+0\s/m.test(readFileSync("/proc/self/uid_map", "latin1"));
}

function byUser(processesMax: number): CountLimit {
  const running = Number(/\/(\d+)/.exec(readFileSync("/proc/loadavg", "latin1"))?.[1]);
  const hard = /^Max processes\s+\S+\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
  const value = running + processesMax;
  if (hard !== "unlimited" && Number(hard) <= value) return { release: () => undefined };
  // bash and dash have different letters for it.
  return { step: '{ ulimit -u "$4" 2>/dev/null || ulimit -p "$4"; }', value: String(value), release: () => undefined };
}

let made = 0;
const BUSY_MS = 50;
/** Folders of runs whose processes were not quite gone. */
const left = new Set<string>();

function byCgroup(processesMax: number): CountLimit | undefined {
  for (const parent of ownCgroups()) {
    const folder = `${parent}/dottool-${process.pid}-${++made}`;
    try {
      removeForsaken(parent);
      mkdirSync(folder);
      writeFileSync(`${folder}/pids.max`, String(processesMax), { flag: "r+" });
    } catch {
      remove(folder);
      continue;
    }
    return {
      // 0 is the shell itself. As a single thread it enters without waiting for the rest of the machine, which can take
      // 20 ms (`cgroup_procs_write_start` in the kernel); version 2 of cgroups has no such file here. A cgroup that
      // takes no process loses its limit, which says so afterwards.
      step: '{ echo 0 >"$4/tasks" || echo 0 >"$4/cgroup.procs" || echo max >"$4/pids.max"; } 2>/dev/null',
      value: folder,
      release: () => {
        const isLost = textOf(`${folder}/pids.max`).startsWith("max");
        remove(folder);
        return isLost ? `${MISSING}: the cgroup of the run takes no process` : undefined;
      },
    };
  }
  return undefined;
}

/** Returns the folders that may be the one of this process's cgroup, which a container shows at the top. */
function ownCgroups(): readonly string[] {
  const lines = readFileSync("/proc/self/cgroup", "latin1").split("\n");
  const old = lines.map((line) => /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(\/.*)$/.exec(line)?.[1]).find((path) => path);
  const path = old ?? lines.map((line) => /^0::(\/.*)$/.exec(line)?.[1]).find((one) => one) ?? "/";
  const top = old === undefined ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
  return path === "/" ? [top] : [top + path, top];
}

/** Removes what programs that were killed have left. */
function removeForsaken(parent: string): void {
  for (const folder of left) remove(folder);
  if (made > 1) return;
  for (const name of readdirSync(parent)) {
    const pid = /^dottool-(\d+)-\d+$/.exec(name)?.[1];
    if (pid !== undefined && !statSync(`/proc/${pid}`, { throwIfNoEntry: false })) remove(`${parent}/${name}`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function remove(folder: string): void {
  try {
    rmdirSync(folder);
    left.delete(folder);
  } catch (error) {
    if (codeOf(error) !== "EBUSY") return;
    left.add(folder);
    // Processes that were killed leave it a moment later.
    setTimeout(() => remove(folder), BUSY_MS).unref();
  }
}
