// The hidden `__detached`: the process that makes a detached call.
import type { RawCommand } from "../../../cli/command.ts";

export const detachedCommand: RawCommand = {
  kind: "raw",
  usage: ["__detached NAME ID"],
  about: "Makes the call that standard input describes.",
  options: [],
  examples: [],
  run: async (_words, context) => (await import("../detached-run.ts")).runDetached(context),
};
