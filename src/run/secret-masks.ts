// The masks of a call, for the few tools that take secrets; all others load nothing more than this.
import { hasSecrets } from "../schema/secrets.ts";
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";
import type { Masks } from "./mask.ts";

/** `used`: what was sent, and what the gate made of it. Undefined: there is nothing to hide. */
export async function secretMasks(tool: Tool, used: readonly unknown[], host: Host): Promise<Masks | undefined> {
  if (!hasSecrets(tool.parameters)) return undefined;
  const { createMasks } = await import("./mask.ts");
  return createMasks(tool.parameters, { used, environment: (name) => host.environment(name) });
}
