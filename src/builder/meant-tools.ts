// The tools that an unknown name may mean.
import { nearestNames } from "../text/suggest.ts";
import { underlyingTools } from "../tool/definition.ts";
import type { BuilderOptions } from "./tool-builder.ts";

const OWNED_SHOWN_MAX = 3;

/** Returns the likeliest first, without `owns` and tools that depend on them: a suggestion must not make a cycle. */
export function meantTools(
  name: string,
  owns: ReadonlySet<string>,
  options: Pick<BuilderOptions, "definition" | "names">,
): readonly string[] {
  const names = options.names().filter((one) => !owns.has(one));
  const owned = names.filter((one) => one.endsWith(`/${name}`)).slice(0, OWNED_SHOWN_MAX);
  return (owned.length > 0 ? owned : nearestNames(name, names)).filter((one) => !reachesAny(one, owns, options));
}

function reachesAny(
  name: string,
  owns: ReadonlySet<string>,
  { definition }: Pick<BuilderOptions, "definition">,
): boolean {
  const seen = new Set<string>();
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (owns.has(next)) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    const below = definition(next);
    if (below) waiting.push(...underlyingTools(below));
  }
  return false;
}
