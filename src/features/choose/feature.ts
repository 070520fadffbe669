import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    choose: async () => (await import("./commands/choose.ts")).chooseCommand,
  },
  parts: {
    chooseSome: async () => (await import("./choose-some.ts")).chooseSome,
    askSecrets: async () => (await import("./ask-arguments.ts")).askSecrets,
  },
};
