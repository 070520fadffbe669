import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: { eval: async () => (await import("./commands/eval.ts")).evalCommand },
};
