// A bench with tools that take long, for tests of runs.
import { existsSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { HANG_MS_MAX } from "../amount.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

export const STATE = "home/.local/state/dottool";

/** Says a word, waits until the file `go` is there, and ends with 3. Its child would stay. */
const SLOW = `Slow.

@name slow
@title Slow
@wrapped run_command
@shell sh
@param word {string} [required] A word
@param token {string} [secret] A token
@command echo begin {word}; sleep 1000 & echo $! > child; while ! test -e go; do sleep 0.02; done; echo end {word} {token} >&2; exit 3
`;

export async function withRuns(
  body: (bench: TestProject) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  using bench = testProject({ ".tools/slow.tool": SLOW, ...files });
  try {
    await body(bench);
  } finally {
    const running = JSON.parse((await bench.run(["runs", "--json"])).stdout || '{"runs":[]}') as {
      readonly runs: readonly { readonly state: string; readonly id: string }[];
    };
    for (const { id, state } of running.runs) if (state === "running") await bench.run(["runs", "cancel", id]);
  }
}

/** Starts the tool, waits until its child runs, and returns the id of the run. */
export async function startSlow(bench: TestProject, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await bench.run(["--detach", "slow", ...words]);
  if (!/^\d{8}-\d{6}-[0-9a-f]{6}\n$/.test(stdout)) throw new Error(stdout + stderr);
  await whenThere(join(bench.folder, "child"), (text) => text.endsWith("\n"));
  return stdout.trim();
}

/** Waits until a file is there with such a content. */
export async function whenThere(path: string, isWanted: (text: string) => boolean = () => true): Promise<string> {
  const read = (): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  return new Promise((resolve, reject) => {
    const watcher = watch(join(path, ".."), () => look());
    const limit = setTimeout(() => end(() => reject(new Error(`${path} did not come`))), HANG_MS_MAX);
    const end = (settle: () => void): void => {
      watcher.close();
      clearTimeout(limit);
      settle();
    };
    const look = (): void => {
      const text = read();
      if (text !== undefined && isWanted(text)) end(() => resolve(text));
    };
    look();
  });
}

export function childOf(bench: TestProject): number {
  return Number(readFileSync(join(bench.folder, "child"), "utf8"));
}

export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until the process has ended; fails after some seconds. */
export async function whenGone(processId: number): Promise<void> {
  for (let looks = 0; isAlive(processId); looks++) {
    if (looks > 500) throw new Error(`the process ${processId} is still there`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

export function storedRuns(bench: TestProject): readonly string[] {
  const folder = join(bench.folder, STATE, "runs");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Returns the output without what differs between two runs. */
export function withoutIds({ stdout, stderr, exitCode }: ToolRun): ToolRun {
  const plain = (text: string): string =>
    text
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, "<id>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/\b\d+ (?:s|min) ago/g, "<n> s ago")
      // As wide as the longest of these.
      .replaceAll(/STARTED +/g, "STARTED  ")
      .replaceAll(/after \d+\.\d s/g, "after <n> s")
      .replaceAll(/process \d+/g, "process <n>")
      .replaceAll(/"(processId|durationMs)": \d+/g, '"$1": <n>');
  return { stdout: plain(stdout), stderr: plain(stderr), exitCode };
}
