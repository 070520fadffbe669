import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  parts: {
    sessionPlugins: async () => (await import("./session-plugins.ts")).sessionPlugins,
    createModules: async () => (await import("./host/plugin-modules.ts")).createModules,
  },
};
