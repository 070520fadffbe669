import { type Feature, loadPart } from "../../core/tool/feature.ts";
import type {} from "../../core/language/kinds/windows-scripts.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    forge: async () => {
      await loadPart("windowsScripts");
      return (await import("./commands/forge.ts")).forgeCommand;
    },
  },
  parts: {
    forgingTools: async () => {
      await loadPart("windowsScripts");
      return (await import("./forging.ts")).forgingTools;
    },
  },
};
