// Ends the processes of a call whose resident process is gone.
import type { ProcessTree } from "../processes/process-members.ts";
import { endTree } from "../processes/processes.ts";

const GRACE_MS = 2_000;

/** `words`: for each process its id, and what launched-process.ts has told the launcher of it. */
export async function endLostProcesses(words: readonly string[]): Promise<void> {
  const trees = words.flatMap((word, index): readonly ProcessTree[] => {
    const [, runId = "", mark = ""] = /^([0-9a-f]{32}) (\d*)$/.exec(words[index + 1] ?? "") ?? [];
    return index % 2 === 1 || runId === ""
      ? []
      : [
          {
            platform: "linux",
            pid: Number(word),
            runId,
            // Not young, because it is not known how old it is.
            startedAtMs: Number.NEGATIVE_INFINITY,
            mark: mark === "" ? undefined : Number(mark),
          },
        ];
  });
  await Promise.all(trees.map((tree) => endTree(tree, GRACE_MS)));
}
