import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  parts: {
    createSandbox: async () => (await import("./host/sandbox.ts")).createSandbox,
    code: async () => await import("./code.ts"),
    transformedArguments: async () => (await import("./transform-arguments.ts")).transformedArguments,
  },
};
