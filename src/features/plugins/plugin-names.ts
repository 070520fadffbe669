// The tools of plugins that are used under their names, and diagnostics of the others.
import { shownPathOf } from "../../core/catalog/load.ts";
import type { PluginDiagnostic, UnusedPluginTool } from "../../core/tool/loaded-plugins.ts";
import type { BaseTool } from "../../core/tool/tool.ts";

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
