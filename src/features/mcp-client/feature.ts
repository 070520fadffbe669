import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  findings: async ({ host }) => (await import("./server-findings.ts")).serverFindings(host),
  commands: {
    pin: async () => (await import("./commands/pin.ts")).pinCommand,
  },
  parts: {
    loginPromptAt: async () => (await import("./login-prompt.ts")).loginPromptAt,
    askServers: async () => (await import("./ask-servers.ts")).askServers,
    openRemoteTools: async () => (await import("./remote-tools.ts")).openRemoteTools,
  },
};
