import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    batch: async () => (await import("./commands/batch.ts")).batchCommand,
    worker: async () => (await import("./commands/worker.ts")).workerCommand,
  },
  parts: {
    hostQueues: async () => (await import("./host/host-queues.ts")).hostQueues,
    openStepQueue: async () => (await import("./step-queue.ts")).openStepQueue,
  },
};
