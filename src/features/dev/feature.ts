import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    dev: async () => (await import("./commands/dev.ts")).devCommand,
  },
};
