// Help where a name is missing that a plugin may have which is not loaded.
import type { PluginDiagnostic } from "./loaded-plugins.ts";

/** Returns why an unknown name may still be that of a tool; empty if every plugin is loaded. */
export function unloadedPluginHelp(diagnostics: readonly PluginDiagnostic[]): readonly string[] {
  const unloaded = diagnostics.filter(({ code }) => code === "untrusted-plugin");
  const [first] = unloaded;
  if (!first) return [];
  const count = unloaded.length - 1;
  const others = count === 0 ? "" : count === 1 ? "; 1 more is not loaded" : `; ${count} more are not loaded`;
  return [`${first.message.replace(" is not loaded", " may have it, and is not loaded")}${others}`, ...first.help];
}
