import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    runs: async () => (await import("./commands/runs.ts")).runsCommand,
    __detached: async () => (await import("./commands/detached.ts")).detachedCommand,
  },
  parts: {
    keptIfResumable: async () => (await import("./keep-call.ts")).keptIfResumable,
    detach: async () => (await import("./detach.ts")).detach,
  },
};
