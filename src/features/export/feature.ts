import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    export: async () => (await import("./commands/export.ts")).exportCommand,
  },
};
