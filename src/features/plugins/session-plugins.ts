// The plugins of a session: those that are trusted, loaded, with the tools that are used under their names.
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import { loadPart } from "../../core/tool/feature.ts";
import type { Host } from "../../core/tool/host.ts";
import type { SessionPlugins } from "../../core/tool/loaded-plugins.ts";
import { loadPlugins } from "./load.ts";
import { splitByName, takenName } from "./plugin-names.ts";
import { trustedPlugins } from "./trusted-plugins.ts";

export async function sessionPlugins(
  catalogue: Catalogue,
  { host, cwd, isTaken }: { readonly host: Host; readonly cwd: string; isTaken(name: string): boolean },
): Promise<SessionPlugins> {
  const { trusted, diagnostics } = trustedPlugins(catalogue.plugins, host);
  if (trusted.length === 0) return { diagnostics, split: { used: [], unused: [] } };
  const loaded = await loadPlugins(trusted, { host, cwd, more: { ...(await loadPart("library")) } });
  const split = splitByName(loaded.tools, (name) => isTaken(name) || catalogue.entry(name) !== undefined, cwd);
  return { loaded, diagnostics: [...diagnostics, ...loaded.diagnostics, ...split.unused.map(takenName)], split };
}
