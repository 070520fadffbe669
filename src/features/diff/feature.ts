import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    diff: async () => (await import("./commands/diff.ts")).diffCommand,
  },
};
