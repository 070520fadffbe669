// The tools that an unknown name may mean.
import { nearestNames, sureName } from "../text/suggest.ts";
import { underlyingTools } from "../tool/definition.ts";
import type { BuilderOptions } from "./tool-builder.ts";

const OWNED_SHOWN_MAX = 3;

/**
 * Returns the tool that is surely meant: it differs by two letters at most or only lacks its owner, and has every
 * parameter that the definition passes to it, or one that is nearly called so.
 */
export function sureTool(
  name: string,
  { near, used }: { readonly near: readonly string[]; readonly used: readonly string[] },
  options: Pick<BuilderOptions, "definition" | "baseTool">,
): string | undefined {
  const [first, ...others] = near;
  const isOnlyOwned = others.length === 0 && first?.endsWith(`/${name}`) === true;
  const sure = isOnlyOwned ? first : sureName(name, near);
  const definition = sure === undefined ? undefined : options.definition(sure);
  const base = sure === undefined ? undefined : options.baseTool(sure);
  const known = definition && definition.kind !== "base" ? definition : base?.definition;
  const names = known?.parameters.map((parameter) => parameter.name) ?? [];
  const isKnown = (one: string): boolean => names.includes(one) || nearestNames(one, names).length > 0;
  // A tool that runs commands takes what its command has placeholders for.
  return known && (used.every(isKnown) || (known === base?.definition && base.wrap !== undefined)) ? sure : undefined;
}

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
