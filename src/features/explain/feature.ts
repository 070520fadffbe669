import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    explain: async () => (await import("./commands/explain.ts")).explainCommand,
    policy: async () => (await import("./commands/policy.ts")).policyCommand,
  },
  parts: {
    explainFound: async () => (await import("./commands/explain.ts")).explainFound,
  },
};
