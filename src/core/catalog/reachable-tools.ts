// The tools that a call of one may reach.
import { isForWindowsShell } from "../base/bind-shell.ts";
import { commandsOf, underlyingTools } from "../tool/definition.ts";
import type { Catalogue } from "./catalogue.ts";

/**
 * Returns the tool itself and all its underlying tools, at any depth, down to base tools and to names that nothing is
 * known of yet.
 */
export function reachableTools(
  name: string,
  catalogue: Catalogue,
): { readonly names: ReadonlySet<string>; readonly isComposed: boolean; readonly hasWindowsShell: boolean } {
  const seen = new Set<string>();
  const waiting = [name];
  let isComposed = false;
  let hasWindowsShell = false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const definition = catalogue.definition(next);
    if (!definition) continue;
    isComposed ||= definition.kind === "steps" || definition.kind === "code";
    hasWindowsShell ||= commandsOf(definition).some(isForWindowsShell);
    waiting.push(...underlyingTools(definition));
  }
  return { names: seen, isComposed, hasWindowsShell };
}
