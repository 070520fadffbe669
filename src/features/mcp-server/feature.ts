import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  },
};
