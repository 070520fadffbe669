import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    import: async () => (await import("./commands/import.ts")).importCommand,
  },
};
