import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  findings: async ({ host }) => [(await import("./sandbox-support.ts")).wallFinding(host)],
  commands: {
    try: async () => (await import("./commands/try.ts")).tryCommand,
    sandbox: async () => (await import("./commands/sandbox.ts")).sandboxCommand,
    __relay: async () => (await import("./commands/relay.ts")).relayCommand,
  },
  parts: {
    runConfined: async () => (await import("./host/confined-run.ts")).runConfined,
    confine: async () => (await import("./confine.ts")).confine,
  },
};
