import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";
import type {} from "../../cli/parts.ts";

export const feature: Feature = {
  parts: {
    writeBundleInfo: async () => (await import("./bundle-info.ts")).writeBundleInfo,
  },
  commands: {
    bundle: async () => (await import("./commands/bundle.ts")).bundleCommand,
  },
};
