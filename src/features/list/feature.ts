import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    list: async () => (await import("./commands/list.ts")).listCommand,
    __start: async () => (await import("./commands/start.ts")).startCommand,
    show: async () => (await import("./commands/show.ts")).showCommand,
  },
};
