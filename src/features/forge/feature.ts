import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    forge: async () => (await import("./commands/forge.ts")).forgeCommand,
  },
  parts: {
    forgingTools: async () => (await import("./forging.ts")).forgingTools,
  },
};
