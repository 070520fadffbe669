import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  parts: {
    library: async () => ({ ...(await import("./api.ts")) }),
  },
};
