import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: { "__plugin-tests": async () => (await import("./commands/plugin-tests.ts")).pluginTestsCommand },
  parts: {
    sessionPlugins: async () => (await import("./session-plugins.ts")).sessionPlugins,
    runPluginTests: async () => (await import("./run-plugin-tests.ts")).runPluginTests,
    createModules: async () => (await import("./host/plugin-modules.ts")).createModules,
  },
};
