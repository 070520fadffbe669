import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    hook: async () => (await import("./commands/hook.ts")).hookCommand,
  },
  parts: {
    writtenPaths: async () => (await import("./written-paths.ts")).writtenPaths,
  },
};
