// What the tools are made of that a call reaches.
import { standsOn } from "../tool/definition.ts";
import type { Catalogue } from "./catalogue.ts";

/**
 * Follows what stands on what, down to the tools that stand on nothing, which are base tools or nothing that is known
 * yet.
 */
export function standingBelow(
  name: string,
  catalogue: Catalogue,
): { readonly names: ReadonlySet<string>; readonly isComposed: boolean } {
  const seen = new Set<string>();
  const waiting = [name];
  let isComposed = false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const definition = catalogue.definition(next);
    if (!definition) continue;
    isComposed ||= definition.kind === "steps" || definition.kind === "code";
    waiting.push(...standsOn(definition));
  }
  return { names: seen, isComposed };
}
