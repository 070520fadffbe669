import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    fmt: async () => (await import("./commands/fmt.ts")).fmtCommand,
    convert: async () => (await import("./commands/convert.ts")).convertCommand,
  },
};
