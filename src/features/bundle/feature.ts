import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    bundle: async () => (await import("./commands/bundle.ts")).bundleCommand,
  },
};
