import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    schema: async () => (await import("./commands/schema.ts")).schemaCommand,
    exec: async () => (await import("./commands/exec.ts")).execCommand,
  },
};
