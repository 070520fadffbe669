// The tools that a command names.
import type { Tool } from "../../tool/tool.ts";
import { type MissingToolContext, reportMissingTool } from "./no-such-tool.ts";
import { ownedTool } from "./owned-tool.ts";
import type { OpenedSession } from "../../api/assemble.ts";

export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
}

/** Returns all tools if none is named; an exit code if one cannot be found, which has been named. */
export async function findTools(
  names: readonly string[],
  opened: OpenedSession,
  context: MissingToolContext,
): Promise<readonly NamedTool[] | number> {
  const { registry } = opened.session;
  if (names.length === 0) {
    await registry.complete();
    return registry.names().flatMap((name) => {
      const tool = registry.find(name);
      return tool ? [{ name, tool }] : [];
    });
  }
  const found: NamedTool[] = [];
  for (const name of new Set(names)) {
    const known = await registry.resolve(name);
    const owned = known ? undefined : await ownedTool(name, opened);
    const tool = owned === undefined ? known : await registry.resolve(owned);
    if (!tool) return reportMissingTool(name, opened, context);
    found.push({ name: owned ?? name, tool });
  }
  return found;
}
