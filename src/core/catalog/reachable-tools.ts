// The tools that a call of one may reach.
import { isForWindowsShell } from "../base/bind-shell.ts";
import { commandsOf, reachedFrom, underlyingTools } from "../tool/definition.ts";
import type { Catalogue } from "./catalogue.ts";

/**
 * Returns the tool itself and all its underlying tools, at any depth, down to base tools and to names that nothing is
 * known of yet.
 */
export function reachableTools(
  name: string,
  catalogue: Catalogue,
): { readonly names: ReadonlySet<string>; readonly isComposed: boolean; readonly hasWindowsShell: boolean } {
  let isComposed = false;
  let hasWindowsShell = false;
  const names = reachedFrom([name], (next) => {
    const definition = catalogue.definition(next);
    if (!definition) return [];
    isComposed ||= definition.kind === "steps" || definition.kind === "code";
    hasWindowsShell ||= commandsOf(definition).some(isForWindowsShell);
    return underlyingTools(definition);
  });
  return { names: new Set(names), isComposed, hasWindowsShell };
}
