// The identity of a tool, from it and all its dependencies: two tools with one identity do the same with the same
// values.
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Returns the definitions with their origin, without places in their texts; and the variables of the environment that
 * they name anywhere, as `${MODE:-dev}` and `os.environ["MODE"]` do, or all of them if a process gets them by
 * definition. What a program reads unnamed is not known.
 */
export function identityOf(tool: Tool, host: Host): string {
  const seen = new Map<Tool, string>();
  const identity = (one: Tool): string => {
    const known = seen.get(one);
    if (known !== undefined) return known;
    const { definition, underlying = [] } = one;
    const words = new Set<string>();
    const text = JSON.stringify(definition, (key, value: unknown) => {
      const kept = withoutPlaces(key, value);
      if (typeof kept === "string") for (const [word] of kept.matchAll(/\w+/g)) words.add(word);
      return kept;
    });
    const inherits = "surroundings" in definition && definition.surroundings.inheritsEnvironment;
    const variables = ("surroundings" in definition ? host.environmentNames() : [])
      .filter((name) => inherits || words.has(name))
      .toSorted()
      .map((name) => [name, host.environment(name) ?? null]);
    const made = host.sha256(JSON.stringify([text, variables, ...underlying.map(identity)]));
    seen.set(one, made);
    return made;
  };
  return host.sha256(JSON.stringify([identity(tool), host.environment("PATH")]));
}

/** Replaces an origin by its path. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === "span") return undefined;
  return key === "source" && typeof value === "object" && value !== null && "path" in value ? value.path : value;
}
