// Of tools whose names say the same, the one that a definition makes: `WebFetch` stands for the `web_fetch` that it
// wraps. Clients that turn names into methods of theirs cannot tell them apart, and a model would have to guess.
import { baseToolNames } from "../base/base-tool-names.ts";

const baseNames = new Set(baseToolNames);

/** The others can be called all the same. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const chosen = new Map<string, string>();
  for (const name of names) {
    const key = name.replaceAll(/[_-]/g, "").toLowerCase();
    const other = chosen.get(key);
    if (other === undefined || (baseNames.has(other) && !baseNames.has(name))) chosen.set(key, name);
  }
  return [...chosen.values()];
}
