import { loadWindowsScripts } from "../../core/language/kinds/windows-scripts.ts";
import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    forge: async () => {
      await loadWindowsScripts();
      return (await import("./commands/forge.ts")).forgeCommand;
    },
  },
  parts: {
    forgingTools: async () => {
      await loadWindowsScripts();
      return (await import("./forging.ts")).forgingTools;
    },
  },
};
