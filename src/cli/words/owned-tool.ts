// A name without its owner, where only one owner has such a tool: `sum` for `official/sum`.
import { isRemoteName } from "../../tool/remote-name.ts";
import type { OpenedSession } from "../../api/assemble.ts";

/**
 * Returns the whole name of the only tool that the name can mean. Undefined if it has a definition of its own, even a
 * broken one, or if several owners have it. What is not trusted does not make a trusted tool's name ambiguous.
 */
export async function ownedTool(name: string, { session, catalogue }: OpenedSession): Promise<string | undefined> {
  if (name === "" || name.includes("/") || isRemoteName(name)) return undefined;
  const owned = session.registry.names().filter((one) => one.endsWith(`/${name}`) && !isRemoteName(one));
  if (owned.length === 0 || catalogue().entry(name) || (await session.broken?.(name))) return undefined;
  const distrusted = (await session.distrusted?.(owned)) ?? new Set();
  const trusted = owned.filter((one) => !distrusted.has(one));
  const [only, ...others] = trusted.length > 0 ? trusted : owned;
  return others.length > 0 ? undefined : only;
}
