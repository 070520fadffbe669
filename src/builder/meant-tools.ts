// Which tools may be meant by a name that none has.
import { nearestNames } from "../text/suggest.ts";
import { standsOn } from "../tool/definition.ts";
import type { BuilderOptions } from "./tool-builder.ts";

const OWNED_SHOWN_MAX = 3;

/**
 * The likeliest first. Without `owns`, which would stand on it, and what stands on one of them: nobody means a circle.
 */
export function meantTools(
  name: string,
  owns: ReadonlySet<string>,
  options: Pick<BuilderOptions, "definition" | "names">,
): readonly string[] {
  const names = options.names().filter((one) => !owns.has(one));
  const owned = names.filter((one) => one.endsWith(`/${name}`)).slice(0, OWNED_SHOWN_MAX);
  return (owned.length > 0 ? owned : nearestNames(name, names)).filter((one) => !standsOnAny(one, owns, options));
}

function standsOnAny(
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
    if (below) waiting.push(...standsOn(below));
  }
  return false;
}
