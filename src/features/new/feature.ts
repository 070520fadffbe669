import { type Feature, loadPart } from "../../core/tool/feature.ts";
import type {} from "../../core/language/kinds/windows-scripts.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    init: async () => (await import("./commands/init.ts")).initCommand,
    new: async () => {
      await loadPart("windowsScripts");
      return (await import("./commands/new.ts")).newCommand;
    },
  },
};
