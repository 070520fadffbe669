// What a tool is made of, down to the tools that stand on nothing: two tools with one identity do the same with the
// same values.
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Definitions with where they come from, without the places in their texts; what a process finds around it where that
 * reaches it.
 */
export function identityOf(tool: Tool, host: Host): string {
  const seen = new Map<Tool, string>();
  const identity = (one: Tool): string => {
    const known = seen.get(one);
    if (known !== undefined) return known;
    const { definition, standsOn = [] } = one;
    const surroundings =
      "surroundings" in definition && definition.surroundings.inheritsEnvironment
        ? host
            .environmentNames()
            .toSorted()
            .map((name) => [name, host.environment(name)])
        : [];
    const made = host.sha256(JSON.stringify([definition, surroundings, ...standsOn.map(identity)], withoutPlaces));
    seen.set(one, made);
    return made;
  };
  return host.sha256(JSON.stringify([identity(tool), host.environment("PATH")]));
}

/** Of an origin, the path. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === "span") return undefined;
  return key === "source" && typeof value === "object" && value !== null && "path" in value ? value.path : value;
}
