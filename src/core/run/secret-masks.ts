// The masks of a call, for the few tools that take secrets; all others load nothing more than this.
import { hasSecrets } from "../schema/secrets.ts";
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";
import type { Masks } from "./mask.ts";

/** `used` are the arguments as sent, and as the gate prepared them. Returns undefined if there is nothing to hide. */
export async function secretMasks(tool: Tool, used: readonly unknown[], host: Host): Promise<Masks | undefined> {
  if (!hasSecrets(tool.parameters)) return undefined;
  const { createMasks } = await import("./mask.ts");
  return createMasks(tool.parameters, { used, environment: (name) => host.environment(name) });
}

interface HidingOptions {
  readonly used: readonly unknown[];
  readonly host: Host;
}

/** Returns masks that also hide `values` which are not arguments, such as a key that the tool itself read. */
export async function masksHiding(
  values: readonly string[],
  tool: Tool,
  { used, host }: HidingOptions,
): Promise<Masks> {
  const { createMasks } = await import("./mask.ts");
  return createMasks(tool.parameters, { used, hidden: values, environment: (name) => host.environment(name) });
}
