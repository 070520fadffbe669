import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    "mcp-proxy": async () => (await import("./commands/mcp-proxy.ts")).mcpProxyCommand,
  },
};
