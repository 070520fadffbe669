import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";
import type {} from "../../cli/parts.ts";

export const feature: Feature = {
  parts: {
    newestBundle: async () => (await import("./tell-newer.ts")).newestBundle,
    tellNewer: async () => (await import("./tell-newer.ts")).tellNewer,
    writeBundleInfo: async () => (await import("./bundle-info.ts")).writeBundleInfo,
  },
  commands: {
    bundle: async () => (await import("./commands/bundle.ts")).bundleCommand,
    "self-update": async () => (await import("./commands/self-update.ts")).selfUpdateCommand,
  },
};
