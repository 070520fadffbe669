// The tools of a project, and what their definitions say that a person would ask.
import { type ListedTool, surveyTools } from "../../core/session/listed-tool.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Ask } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";

export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
}

export interface ToolAsk extends NamedTool {
  readonly ask: Ask;
}

export interface ProjectAsks {
  /** All tools that a call reaches. */
  readonly listed: readonly ListedTool[];
  /** Those of the project and of `--tools`, sorted by name. One's own elsewhere differ between machines. */
  readonly tools: readonly NamedTool[];
  /** Those of them that come with dottool, sorted by name. */
  readonly others: readonly NamedTool[];
  /** The asks of the tools that were named, or of all. */
  readonly asks: readonly ToolAsk[];
}

const ofProject: ReadonlySet<ListedTool["origin"]> = new Set(["given", "project", "package", "plugin", "bundle"]);

/** Returns the name that no tool of the project has as `unknown`. */
export async function projectAsks(
  opened: OpenedSession,
  names: readonly string[],
): Promise<ProjectAsks | { readonly unknown: string }> {
  const { listed } = await surveyTools(opened);
  const { registry } = opened.session;
  await registry.complete();
  const built = (origins: (origin: ListedTool["origin"]) => boolean): readonly NamedTool[] =>
    listed.flatMap(({ name, origin }): readonly NamedTool[] => {
      const tool = origins(origin) ? registry.find(name) : undefined;
      return tool ? [{ name, tool }] : [];
    });
  const tools = built((origin) => ofProject.has(origin));
  const unknown = names.find((name) => tools.every((tool) => tool.name !== name));
  if (unknown !== undefined) return { unknown };
  const asked = tools.filter(({ name }) => names.length === 0 || names.includes(name));
  return {
    listed,
    tools,
    others: built((origin) => origin === "builtin" || origin === "base"),
    asks: asked.flatMap(({ name, tool }) => tool.definition.asks.map((ask) => ({ name, tool, ask }))),
  };
}
