import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    completions: async () => (await import("./commands/completions.ts")).completionsCommand,
    __complete: async () => (await import("./commands/complete.ts")).completeCommand,
  },
};
