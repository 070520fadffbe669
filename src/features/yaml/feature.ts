import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  parts: {
    yamlReader: async () => (await import("./reader.ts")).yamlReader,
  },
};
