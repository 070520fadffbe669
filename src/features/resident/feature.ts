import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";
import type {} from "../../cli/parts.ts";

export const feature: Feature = {
  commands: {
    resident: async () => (await import("./commands/resident.ts")).residentCommand,
    __resident: async () => (await import("./serve.ts")).serveCommand,
  },
  parts: {
    readHandedOver: async () => (await import("./host/handed-over.ts")).readHandedOver,
    openStarter: async () => (await import("./host/starter.ts")).openStarter,
  },
};
