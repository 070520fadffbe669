import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    check: async () => (await import("./commands/check.ts")).checkCommand,
    test: async () => (await import("./commands/test.ts")).testCommand,
    doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
    "explain-code": async () => (await import("./commands/explain-code.ts")).explainCodeCommand,
  },
};
