import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    explain: async () => (await import("./commands/explain.ts")).explainCommand,
  },
  parts: {
    explainFound: async () => (await import("./commands/explain.ts")).explainFound,
  },
};
