import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  baseTools: async () => {
    const loaded = await Promise.all([
      import("./ask-model.ts").then(({ askModel }) => askModel),
      import("./converse.ts").then(({ converse }) => converse),
    ]);
    return loaded;
  },
  parts: {
    providerFailure: async () => (await import("./model-call.ts")).providerFailure,
  },
};
