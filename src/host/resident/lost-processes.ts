// Ends the processes of a call whose resident process is gone.
import type { ProcessTree } from "../processes/process-members.ts";
import { returnMark } from "../processes/process-mark.ts";
import { endTree } from "../processes/processes.ts";
import { takeOverMark } from "../processes/taken-over-mark.ts";

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
            // The marks of a killed process are anybody's.
            mark: mark !== "" && takeOverMark(Number(mark)) ? Number(mark) : undefined,
          },
        ];
  });
  await Promise.all(trees.map((tree) => endTree(tree, GRACE_MS)));
  for (const { mark } of trees) returnMark(mark);
}
