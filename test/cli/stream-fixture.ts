// Helpers for tests of the program with pipes and signals.
import { HANG_MS_MAX } from "../amount.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import type { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { assert } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

export async function withFixture(body: (bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject();
  await body(bench);
}

/** Not `child.kill`, after which Deno reports the signal instead of the exit code. */
export function send({ pid }: ReturnType<typeof spawn>, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch (error) {
    // It has ended in the meantime.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** Returns processes whose environment has the bench's folder as HOME. */
export function processesOf({ folder }: TestProject): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${folder}/home`);
      } catch {
        return false;
      }
    });
}

export const signalled = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;

export async function until(holds: () => boolean): Promise<void> {
  for (const deadlineMs = performance.now() + HANG_MS_MAX; !holds() && performance.now() < deadlineMs; )
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** It may have ended in the meantime. */
export function killLeft(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
}

/** Waits, because the system may take a moment to remove killed processes. */
export async function assertNothingLeft(bench: TestProject): Promise<void> {
  if (!existsSync("/proc")) return;
  const deadlineMs = performance.now() + HANG_MS_MAX / 10;
  let left = processesOf(bench);
  while (left.length > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = processesOf(bench);
  }
  assert.equal(left, []);
}
