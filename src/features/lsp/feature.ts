import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    lsp: async () => (await import("./commands/lsp.ts")).lspCommand,
  },
  parts: {
    authorHelp: async () => (await import("./answers.ts")).authorHelp,
  },
};
