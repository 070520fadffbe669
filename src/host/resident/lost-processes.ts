// Ends the processes of a call whose resident process is gone.
import type { ProcessTree } from "../processes/process-members.ts";
import { endTree } from "../processes/processes.ts";
import { takeOverMark } from "../processes/taken-over-mark.ts";

const GRACE_MS = 2_000;

/** `words`: for each process its id, and what launched-process.ts has told the launcher of it. */
export async function endLostProcesses(words: readonly string[]): Promise<void> {
  await Promise.all(words.map((word, index) => (index % 2 === 0 ? endLost(word, words[index + 1] ?? "") : undefined)));
}

async function endLost(pid: string, run: string): Promise<void> {
  const [, runId = "", text = ""] = /^([0-9a-f]{32}) (\d*)$/.exec(run) ?? [];
  if (runId === "") return;
  // The marks of a killed process are anybody's.
  const mark = text === "" ? undefined : Number(text);
  const taken = mark === undefined ? undefined : takeOverMark(mark);
  const tree: ProcessTree = {
    platform: "linux",
    pid: Number(pid),
    runId,
    // Not young, because it is not known how old it is.
    startedAtMs: Number.NEGATIVE_INFINITY,
    mark: taken && mark,
  };
  await endTree(tree, GRACE_MS);
  taken?.release();
}
