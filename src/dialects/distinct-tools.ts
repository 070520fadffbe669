// Of tools whose names say the same, the one that a definition makes: `WebFetch` stands for the `web_fetch` that it wraps. Clients that turn
// names into methods of theirs cannot tell them apart, and a model would have to guess.
import type { Tool } from "../tool/tool.ts";

/** In the same order. The others can be called all the same. */
export function distinctTools(tools: readonly Tool[]): readonly Tool[] {
  const chosen = new Map<string, Tool>();
  for (const tool of tools) {
    const key = tool.definition.name.value.replaceAll(/[_-]/g, "").toLowerCase();
    const other = chosen.get(key);
    if (!other || (other.definition.kind === "base" && tool.definition.kind !== "base")) chosen.set(key, tool);
  }
  const kept = new Set(chosen.values());
  return tools.filter((tool) => kept.has(tool));
}
