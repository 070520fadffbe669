import { loadWindowsScripts } from "../../core/language/kinds/windows-scripts.ts";
import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    init: async () => (await import("./commands/init.ts")).initCommand,
    new: async () => {
      await loadWindowsScripts();
      return (await import("./commands/new.ts")).newCommand;
    },
  },
};
