// The tools inside the executable, as a platform has them. Those of Windows are loaded there alone.
import { bundledTools } from "../../generated/bundled-tools.ts";
import type { Platform } from "../tool/command.ts";
import type { BundledTool } from "./bundled.ts";

export async function bundledOn(platform: Platform): Promise<readonly BundledTool[]> {
  if (platform !== "windows") return bundledTools;
  const { bundledWindowsTools } = await import("../../generated/bundled-windows-tools.ts");
  const own = new Set(bundledWindowsTools.map(({ name }) => name));
  return [...bundledTools.filter(({ name }) => !own.has(name)), ...bundledWindowsTools];
}
