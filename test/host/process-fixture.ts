// Real processes for tests: a `HostProcesses` of this machine, requests in one line, and the living processes of a run.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { randomId } from "../../src/core/host/random-id.ts";
import { createProcesses } from "../../src/core/host/processes/processes.ts";
import type { HostProcesses, SpawnRequest, SpawnResult } from "../../src/core/tool/host.ts";

export interface Fixture {
  readonly processes: HostProcesses;
  /** A mark in the environment of everything that this bench starts. */
  readonly mark: string;
  run(argv: readonly string[], changes?: Partial<SpawnRequest>): Promise<Ran>;
  shell(script: string, changes?: Partial<SpawnRequest>): Promise<Ran>;
  /** Aborts as soon as `script` has printed `ready`. */
  abortWhenReady(script: string): Promise<Ran>;
  /** Process ids. */
  living(): readonly number[];
}

export interface Ran {
  readonly result: SpawnResult;
  readonly stdout: string;
  readonly stderr: string;
}

export function processFixture(): Fixture {
  const processes = createProcesses({ platform: "linux", randomId, outerRunIds: undefined });
  const mark = randomId();
  const environment = { PATH: process.env["PATH"] ?? "", MARK: mark };
  const run = async (argv: readonly string[], changes: Partial<SpawnRequest> = {}): Promise<Ran> => {
    const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
    const result = await processes.run({
      argv,
      cwd: tmpdir(),
      environment,
      signal: new AbortController().signal,
      outputBytesMax: 1024 * 1024,
      confinement: { unconfined: "trusted" },
      ...changes,
      onOutput: (stream, bytes) => {
        chunks[stream].push(bytes);
        return changes.onOutput?.(stream, bytes);
      },
    });
    return {
      result,
      stdout: Buffer.concat(chunks.stdout).toString("utf8"),
      stderr: Buffer.concat(chunks.stderr).toString("utf8"),
    };
  };
  const shell: Fixture["shell"] = (script, changes) => run(["sh", "-c", script], changes);
  return {
    processes,
    mark,
    run,
    shell,
    abortWhenReady: (script) => {
      const controller = new AbortController();
      return shell(script, {
        signal: controller.signal,
        onOutput: (_stream, bytes) => (Buffer.from(bytes).includes("ready") ? controller.abort() : undefined),
      });
    },
    living: () => livingWith(mark),
  };
}

export function livingWith(mark: string): readonly number[] {
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}
