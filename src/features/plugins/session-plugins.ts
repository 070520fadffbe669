// The plugins of a session: those that are trusted, loaded, with the tools that are used under their names.
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import { loadPart } from "../../core/tool/feature.ts";
import type { Host } from "../../core/tool/host.ts";
import type { SessionPlugins, PluginDiagnostic, UnusedPluginTool } from "../../core/tool/loaded-plugins.ts";
import { loadPlugins } from "./load.ts";
import { trustedPlugins } from "./trusted-plugins.ts";
import { shownPathOf } from "../../core/catalog/load.ts";
import type { BaseTool } from "../../core/tool/tool.ts";

export async function sessionPlugins(
  catalogue: Catalogue,
  { host, cwd, isTaken }: { readonly host: Host; readonly cwd: string; isTaken(name: string): boolean },
): Promise<SessionPlugins> {
  const { trusted, diagnostics } = trustedPlugins(catalogue.plugins, host);
  if (trusted.length === 0) return { diagnostics, split: { used: [], unused: [] } };
  const loaded = await loadPlugins(trusted, { host, cwd, more: { ...(await loadPart("library")) } });
  const split = splitByName(loaded.tools, (name) => isTaken(name) || catalogue.entry(name) !== undefined, cwd);
  return { loaded, diagnostics: [...diagnostics, ...loaded.diagnostics, ...split.unused.map(takenName)], split };
}

// The tools of plugins that are used under their names, and diagnostics of the others.

/** Plugins come nearest folder first, so the first that has a name keeps it. */
export function splitByName(
  tools: readonly BaseTool[],
  isTaken: (name: string) => boolean,
  cwd: string,
): { readonly used: readonly BaseTool[]; readonly unused: readonly UnusedPluginTool[] } {
  const used: BaseTool[] = [];
  const unused: UnusedPluginTool[] = [];
  for (const tool of tools) {
    const name = tool.definition.name.value;
    const keeper = used.find((other) => other.definition.name.value === name);
    if (keeper === undefined && !isTaken(name)) used.push(tool);
    else unused.push(unusedTool(tool, keeper, cwd));
  }
  return { used, unused };
}

/** `keeper` is the plugin's tool that has the name; without one, a definition or a base tool has it. */
function unusedTool({ definition }: BaseTool, keeper: BaseTool | undefined, cwd: string): UnusedPluginTool {
  const reason =
    keeper === undefined
      ? "a tool with that name already exists"
      : `\`${pluginPathOf(keeper, cwd)}\` has a tool with that name and is loaded first`;
  return {
    name: definition.name.value,
    plugin: definition.origin.kind === "plugin" ? definition.origin.path : "",
    place: pluginPathOf({ definition }, cwd),
    reason,
  };
}

export function takenName({ name, plugin, place, reason }: UnusedPluginTool): PluginDiagnostic {
  return {
    code: "duplicate-tool",
    severity: "warning",
    message: `the tool \`${name}\` of \`${place}\` is not used: ${reason}`,
    related: [],
    help: ["give it another name"],
    plugin,
  };
}

function pluginPathOf({ definition: { origin } }: Pick<BaseTool, "definition">, cwd: string): string {
  return origin.kind === "plugin" ? shownPathOf(origin.path, cwd) : "a plugin";
}
