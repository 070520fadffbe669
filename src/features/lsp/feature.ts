import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    lsp: async () => (await import("./commands/lsp.ts")).lspCommand,
  },
  parts: {
    authorHelp: async () => ({
      suggestions: (await import("./suggestions.ts")).suggestions,
      explained: (await import("./explained.ts")).explained,
    }),
  },
};
