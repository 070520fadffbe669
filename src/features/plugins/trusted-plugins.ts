// The plugins that may load: those in trusted folders. Others are not read at all.
import { basename, sep } from "node:path";
import { quoteWord } from "../../core/base/quote.ts";
import { changedPaths, changedPrograms, contentsOf, fileDistrust } from "../../core/catalog/partly-trusted.ts";
import { distrustOf, projectRootOf, trustStateOf } from "../../core/catalog/trust.ts";
import { PROJECT_FOLDER_NAME, shownPathIn, type ToolFolder } from "../../core/catalog/tool-folders.ts";
import type { Distrust, PartTrust } from "../../core/catalog/trust-state.ts";
import { trustLine, unsafeFact, unsafeHelp } from "../../core/catalog/untrusted.ts";
import type { Host, TrustedModules } from "../../core/tool/host.ts";
import type { PluginDiagnostic, TrustedPlugin } from "../../core/tool/loaded-plugins.ts";

interface FoundPlugin {
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

export function trustedPlugins(
  plugins: readonly FoundPlugin[],
  host: Host,
): { readonly trusted: readonly TrustedPlugin[]; readonly diagnostics: readonly PluginDiagnostic[] } {
  const trusted: TrustedPlugin[] = [];
  const diagnostics: PluginDiagnostic[] = [];
  const states = new Map<ToolFolder, FolderState>();
  for (const { path, folder } of plugins) {
    const state = states.get(folder) ?? stateOf(folder, host);
    states.set(folder, state);
    const distrust =
      state.distrust ??
      (state.part ? pluginDistrust(path.slice(projectRootOf(folder.path).length + 1), state.part) : undefined) ??
      (folder.scope === "user" || folder.scope === "global"
        ? distrustOf({ folder, path, sha256: undefined }, host)
        : undefined);
    if (distrust) diagnostics.push({ ...untrustedPlugin(shownPathIn(folder, path), folder, distrust), plugin: path });
    else trusted.push({ path, ...(state.modules ? { modules: state.modules } : {}) });
  }
  return { trusted, diagnostics };
}

interface FolderState {
  readonly distrust?: Distrust;
  readonly modules?: TrustedModules;
  readonly part?: PartTrust;
}

function stateOf(folder: ToolFolder, host: Host): FolderState {
  const state = trustStateOf(folder, host);
  if (!state.isTrusted && !state.part) return { distrust: state.distrust };
  const part = state.isTrusted ? undefined : state.part;
  const sums = state.isTrusted ? state.tree && contentsOf(state.tree) : state.part?.accepted;
  return {
    ...(sums ? { modules: { folder: projectRootOf(folder.path), sums: new Map(Object.entries(sums)) } } : {}),
    ...(part ? { part } : {}),
  };
}

/** Returns why a plugin of a changed folder does not load. `path` is its place within the folder. */
function pluginDistrust(path: string, part: PartTrust): Distrust | undefined {
  const own = path.replaceAll(sep, "/");
  const files = changedPaths(part).filter((one) => one === own);
  const changed = files.length > 0 ? files : changedPrograms(part);
  return changed.length > 0 ? fileDistrust(changed, part) : undefined;
}

/** A project is trusted with a question; any other folder has to be named as one whose tools are used. */
function waysToLoad({ path, shownPath }: ToolFolder): string {
  const root = projectRootOf(path);
  if (basename(root) === PROJECT_FOLDER_NAME) return `\`${trustLine(root)}\` shows what it could run, and asks you`;
  return `once you have read it: \`dottool --tools ${quoteWord(shownPath)} check ${quoteWord(shownPath)}\` loads it`;
}

function untrustedPlugin(shownPath: string, folder: ToolFolder, distrust: Distrust): Omit<PluginDiagnostic, "plugin"> {
  const why =
    distrust.reason === "new"
      ? "is not trusted yet"
      : distrust.reason === "changed"
        ? "has changed since it was trusted"
        : undefined;
  return {
    code: "untrusted-plugin",
    severity: "warning",
    message:
      why === undefined
        ? `the plugin \`${shownPath}\` is not loaded: \`${folder.shownPath}\` ${unsafeFact(distrust as Distrust & { reason: "unsafe" })}`
        : `the plugin \`${shownPath}\` is not loaded: \`${folder.shownPath}\` ${why}`,
    related: [],
    help: [distrust.reason === "unsafe" ? unsafeHelp(distrust) : waysToLoad(folder)],
  };
}
