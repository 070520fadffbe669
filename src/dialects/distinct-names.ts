// Picks one of several tools whose names differ only in style: `WebFetch` of a definition over the `web_fetch` that it
// wraps. Clients that make methods of names cannot distinguish them, and a model would have to guess.
import { baseToolNames } from "../base/base-tool-names.ts";

const baseNames = new Set(baseToolNames);

/** Returns the picked names; the other tools can still be called. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const chosen = new Map<string, string>();
  for (const name of names) {
    const key = name.replaceAll(/[_-]/g, "").toLowerCase();
    const other = chosen.get(key);
    if (other === undefined || (baseNames.has(other) && !baseNames.has(name))) chosen.set(key, name);
  }
  return [...chosen.values()];
}
