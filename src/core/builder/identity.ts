// The identity of a tool, from it and all its dependencies: two tools with one identity do the same with the same
// values.
import type { Host } from "../tool/host.ts";
import { commandsOf, type ToolDefinition } from "../tool/definition.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Returns the definitions with their origin, without places in their texts; and the environment, if a process gets it.
 */
export function identityOf(tool: Tool, host: Host): string {
  const seen = new Map<Tool, string>();
  const identity = (one: Tool): string => {
    const known = seen.get(one);
    if (known !== undefined) return known;
    const { definition, underlying = [] } = one;
    const surroundings =
      "surroundings" in definition
        ? (definition.surroundings.inheritsEnvironment
            ? host.environmentNames()
            : [...(definition.surroundings.passed ?? []), ...neededVariables(definition)]
          )
            .toSorted()
            .map((name) => [name, host.environment(name) ?? null])
        : [];
    const made = host.sha256(JSON.stringify([definition, surroundings, ...underlying.map(identity)], withoutPlaces));
    seen.set(one, made);
    return made;
  };
  return host.sha256(JSON.stringify([identity(tool), host.environment("PATH")]));
}

function neededVariables(definition: ToolDefinition): readonly string[] {
  return commandsOf(definition).flatMap(({ needs }) => [...(needs?.programs ?? []), ...(needs?.reads ?? [])]);
}

/** Replaces an origin by its path. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === "span") return undefined;
  return key === "source" && typeof value === "object" && value !== null && "path" in value ? value.path : value;
}
