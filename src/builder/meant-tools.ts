// The tools that an unknown name may mean.
import { nearestNames, sureName } from "../text/suggest.ts";
import { type ToolDefinition, underlyingTools } from "../tool/definition.ts";
import type { BuilderOptions } from "./tool-builder.ts";

const OWNED_SHOWN_MAX = 3;

/**
 * Returns the tool that is surely meant: it differs by two letters at most, and has every parameter that the definition
 * passes to it.
 */
export function sureTool(
  name: string,
  { near, used }: { readonly near: readonly string[]; readonly used: readonly string[] },
  options: Pick<BuilderOptions, "definition" | "baseTool">,
): string | undefined {
  const sure = sureName(name, near);
  const known = sure === undefined ? undefined : parametersOf(sure, options);
  return known && used.every((one) => known.includes(one)) ? sure : undefined;
}

/** The limit of tools that stand on each other. */
const CHAIN_MAX = 16;

function parametersOf(
  name: string,
  options: Pick<BuilderOptions, "definition" | "baseTool">,
  depth = 0,
): readonly string[] | undefined {
  const definition = options.definition(name);
  if (depth > CHAIN_MAX) return undefined;
  if (!definition || definition.kind === "base" || definition.name.value === definitionBase(definition))
    return options.baseTool(name)?.definition.parameters.map((parameter) => parameter.name);
  const own = definition.parameters.map((parameter) => parameter.name);
  const base = definitionBase(definition);
  if (base === undefined || (definition.kind === "wrapped" && definition.commands.length > 0)) return own;
  return [...own, ...(parametersOf(base, options, depth + 1) ?? [])];
}

function definitionBase(definition: ToolDefinition): string | undefined {
  return definition.kind === "alias" || definition.kind === "wrapped" ? definition.base.value : undefined;
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
