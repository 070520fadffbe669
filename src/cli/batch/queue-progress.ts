// Tells the caller of a batch on a queue how it goes: a line on a terminal, and a hint where no worker takes anything.
import type { Host } from "../../tool/host.ts";
import type { WorkQueue } from "../../tool/host-queues.ts";
import type { Terminal } from "../../tool/terminal.ts";
import type { QueuedCalls } from "./call-on-queue.ts";
import type { BatchCounts } from "./run-batch.ts";

const LOOK_MS = 1_000;
/** How long nothing is answered before the workers are counted. */
const HINT_MS = 5_000;

export interface QueueProgress {
  count(counts: BatchCounts): void;
  end(): void;
}

interface Watching {
  readonly caller: QueuedCalls;
  readonly host: Host;
  readonly terminal: Terminal;
}

export function watchQueue(queue: WorkQueue, { caller, host, terminal }: Watching): QueueProgress {
  const { errors } = terminal;
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, terminal.signal]);
  let counts: BatchCounts | undefined;
  let answeredMs = host.nowMs();
  let hasHinted = false;
  let columns = 0;
  const clear = (): void => {
    if (columns > 0) errors.write(`\r${" ".repeat(columns)}\r`);
    columns = 0;
  };
  const hint = async (): Promise<void> => {
    hasHinted = true;
    const workers = await queue.counts().then(
      (found) => found.workers,
      () => undefined,
    );
    if (workers !== 0 || signal.aborted) return;
    clear();
    errors.write(
      `batch: no worker listens to this queue\n  = start one: \`dottool worker --queue ${queue.shownAddress}\`\n`,
    );
  };
  const show = (): void => {
    clear();
    const { ok = 0, failed = 0 } = counts ?? {};
    const text = [`${ok.toLocaleString("en")} ok`, ...(failed > 0 ? [`${failed.toLocaleString("en")} failed`] : [])];
    const line = `batch: ${[...text, `${caller.open().toLocaleString("en")} in the queue`].join(", ")}`;
    const shown = line.slice(0, errors.columns - 1);
    errors.write(shown);
    columns = shown.length;
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await host.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      if (!hasHinted && caller.open() > 0 && host.nowMs() - answeredMs > HINT_MS) await hint();
      if (errors.isTerminal && errors.movesCursor) show();
    }
  };
  watch().catch(() => undefined);
  return {
    count: (now) => {
      counts = { ...now };
      answeredMs = host.nowMs();
    },
    end: () => {
      ended.abort();
      clear();
    },
  };
}
