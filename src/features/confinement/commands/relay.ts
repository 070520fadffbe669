// The hidden `__relay`: what the executable is within a sandbox that may reach named hosts.
import { relay } from "../host/relay.ts";
import type { RawCommand } from "../../../cli/command.ts";

export const relayCommand: RawCommand = {
  kind: "raw",
  usage: ["__relay run DESCRIPTOR PROGRAM [WORD…]", "__relay connect HOST PORT"],
  about: "Hands connections from within the sandbox to the proxy outside.",
  options: [],
  examples: [],
  run: relay,
};
