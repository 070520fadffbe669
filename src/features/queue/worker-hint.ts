// Says that nobody works on the queue, where nothing is answered for a while.
import type { Host } from "../../core/tool/host.ts";
import type { WorkQueue } from "../../core/tool/host-queues.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

/** How long nothing is answered before the workers are counted. */
const HINT_MS = 5_000;

export interface WorkerHint {
  answered(): void;
  look(open: number): Promise<void>;
}

export function workerHint(queue: WorkQueue, host: Host, { errors, signal }: Terminal): WorkerHint {
  let answeredMs = host.nowMs();
  let hasHinted = false;
  return {
    answered: () => void (answeredMs = host.nowMs()),
    look: async (open) => {
      if (hasHinted || open === 0 || host.nowMs() - answeredMs <= HINT_MS) return;
      hasHinted = true;
      const workers = await queue.counts().then(
        (found) => found.workers,
        () => undefined,
      );
      if (workers !== 0 || signal.aborted) return;
      errors.write(
        `batch: no worker listens to this queue\n  = start one: \`dottool worker --queue ${queue.shownAddress}\`\n`,
      );
    },
  };
}
