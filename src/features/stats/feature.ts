import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    log: async () => (await import("./commands/log.ts")).logCommand,
    stats: async () => (await import("./commands/stats.ts")).statsCommand,
  },
};
