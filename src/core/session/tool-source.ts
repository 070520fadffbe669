// Where the tools of a session come from: definitions; base tools, of which most calls need one; plugins and MCP
// servers once something needs them.
import { delimiter } from "node:path";
import { baseToolNames, loopBreakingNames } from "../tool/base-tool-names.ts";
import { runCommand } from "../base/run-command.ts";
import type { Composer } from "../builder/composer.ts";
import { loadPart, needPart } from "../tool/feature.ts";
import { bundledOn } from "../catalog/bundled-on.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { reachableTools } from "../catalog/reachable-tools.ts";
import type { EarlierFolders } from "../catalog/load-folder.ts";
import type { ContributedFolder, LookedAtFolder } from "../catalog/tool-folders.ts";
import { definitionReaderKey } from "../../generated/definition-reader-key.ts";
import type { OpenLoginPrompt } from "../tool/login-prompt.ts";
import type { ForgeJudgeSpec } from "../tool/forge-judge.ts";
import type { PluginDiagnostic, SessionPlugins, UnusedPluginTool } from "../tool/loaded-plugins.ts";
import type { PluginOffers } from "../tool/plugin-offers.ts";
import { defaultPolicy } from "../run/judge.ts";
import type { Session } from "../run/session.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { Caller } from "../tool/policy.ts";
import type { Checked } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import { isRemoteName, type RemoteName } from "../tool/remote-name.ts";
import type { BaseTool } from "../tool/tool.ts";
import { createSettings } from "./settings.ts";

/** What is around the calls of tools of MCP servers. */
export interface RemoteSurroundings {
  /** Whether a person may be there to answer their questions. */
  readonly canAsk: boolean;
  readonly openLoginPrompt?: OpenLoginPrompt | undefined;
  allowedHosts(): Promise<readonly string[]>;
}

/** The tools of the user's MCP servers. */
export interface RemoteTools {
  tool(named: Spanned<string>): Checked<BaseTool> & { readonly value: BaseTool };
  /** Returns those of the names that are not pinned yet. */
  unasked(names: Iterable<string>): readonly RemoteName[];
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** What `import … from "dottool"` gives beside the plugin API. */
    library: Readonly<Record<string, unknown>>;
    openRemoteTools: (host: Host, surroundings: RemoteSurroundings) => RemoteTools;
    /** Loads the plugins of the catalogue that are trusted. `isTaken` says which names a base tool has. */
    sessionPlugins: (
      catalogue: Catalogue,
      options: { readonly host: Host; readonly cwd: string; isTaken(name: string): boolean },
    ) => Promise<SessionPlugins>;
  }
}

/** Where to look for tools, and how. */
export interface SourceOptions {
  /** Absolute. */
  readonly cwd: string;
  /** The values of `--tools`. */
  readonly toolFolders?: readonly string[];
  readonly lookedAtFolders?: readonly LookedAtFolder[];
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  /** The caller. Default: person. */
  readonly frontEnd?: Caller;
  /** Loads no plugins: they are programs, and must not run before a person asks for anything, such as on TAB. */
  readonly withoutPlugins?: true;
  /** The folders of the server's last session: what has not changed is taken from there. */
  readonly earlier?: EarlierFolders | undefined;
  /** Definitions are read as they are in their files, also where only their texts have changed since they were trusted. */
  readonly isForAuthor?: true;
  readonly person?: Session["person"];
  readonly isConfirmed?: true;
  /** A person who can log in to MCP servers. */
  readonly openLoginPrompt?: OpenLoginPrompt;
}

export interface ToolSource {
  /** Returns the present catalogue: plugins may add folders to it. */
  catalogue(): Catalogue;
  readonly baseTool: (name: string) => BaseTool | undefined;
  readonly names: () => readonly string[];
  readonly composer: () => Composer | undefined;
  /** The rules of dottool, and those of plugins once they are loaded. */
  readonly policy: readonly PolicyRule[];
  /** Loads the base tool that the tool of this name ends in. */
  readonly loadBaseOf: (name: string) => Promise<void>;
  readonly loadAll: () => Promise<void>;
  /** Loads plugins: a part of `loadAll`. */
  loadPlugins(): Promise<void>;
  /** Returns the tools of plugins that a call reaches. None before plugins are loaded. */
  pluginTools(): readonly BaseTool[];
  /** Returns what plugins offer; nothing before they are loaded. */
  pluginOffers(): PluginOffers;
  pluginJudges(): readonly ForgeJudgeSpec[];
  pluginDiagnostics(): readonly PluginDiagnostic[];
  /** Returns the tools of plugins whose names are taken. None before plugins are loaded. */
  unusedPluginTools(): readonly UnusedPluginTool[];
  remoteTools(): Promise<RemoteTools>;
  /** Undefined before `remoteTools`. */
  readonly remoteTool: (named: Parameters<RemoteTools["tool"]>[0]) => ReturnType<RemoteTools["tool"]> | undefined;
  /** Returns the tools of MCP servers that a tool depends on and that are not pinned yet. */
  unaskedBelow(name: string): Promise<readonly RemoteName[]>;
}

const reservedNames = new Set(loopBreakingNames);

/** `own` are base tools of this session alone. */
export async function openToolSource(
  options: SourceOptions,
  host: Host,
  own: readonly BaseTool[],
): Promise<ToolSource> {
  const taken = new Set([...baseToolNames(), ...own.map(({ definition }) => definition.name.value)]);
  const policy = [...defaultPolicy];
  let bases = byName([runCommand, ...own]);
  let composer: Composer | undefined;
  let remote: RemoteTools | undefined;
  let catalogue = await catalogueOf(options, host, { taken, contributed: [], lacksPlugins: true });
  let ofPlugins: SessionPlugins = { diagnostics: [], split: { used: [], unused: [] } };
  let plugins: Promise<void> | undefined;

  const loadBaseTools = async (): Promise<void> => {
    if (baseToolNames().every((name) => bases.has(name))) return;
    bases = byName([...bases.values(), ...(await (await import("../base/all.ts")).loadBaseTools())]);
  };
  const loadComposer = async (): Promise<void> => {
    composer ??= await (await import("../builder/composer.ts")).openComposer();
  };
  const remoteTools = async (): Promise<RemoteTools> => {
    const openRemoteTools = await needPart("openRemoteTools");
    return (remote ??= openRemoteTools(host, surroundingsOf(options, host)));
  };
  const addPlugins = async (): Promise<void> => {
    if (catalogue.plugins.length === 0 || options.withoutPlugins) return;
    ofPlugins = await (await needPart("sessionPlugins"))(catalogue, {
      host,
      cwd: options.cwd,
      isTaken: (name) => taken.has(name),
    });
    const { loaded, split } = ofPlugins;
    if (!loaded) return;
    bases = byName([...bases.values(), ...split.used]);
    for (const name of bases.keys()) taken.add(name);
    // A plugin may only be stricter.
    policy.push(...loaded.policyRules.filter(({ decision }) => decision !== "allow"));
    const scopes = new Map(
      catalogue.plugins.map(({ path, folder }) => [path, folder.isLookedAt ? "project" : folder.scope]),
    );
    const contributed = loaded.toolFolders.map(({ path, plugin }) => ({
      path,
      scope: scopes.get(plugin) ?? "project",
    }));
    catalogue = await catalogueOf(options, host, { taken, contributed, lacksPlugins: false });
  };
  const loadPlugins = (): Promise<void> => (plugins ??= addPlugins());

  return {
    catalogue: () => catalogue,
    baseTool: (name) => bases.get(name),
    names: () => [...new Set([...taken, ...catalogue.names()])],
    composer: () => composer,
    policy,
    loadBaseOf: async (name) => {
      const below = reachableTools(name, catalogue);
      if (below.isComposed) await loadComposer();
      if (below.hasWindowsShell) await loadPart("bindWindows");
      if ([...below.names].some(isRemoteName)) await remoteTools();
      if ([...below.names].some((one) => taken.has(one) && !bases.has(one))) await loadBaseTools();
    },
    loadAll: async () => {
      await loadComposer();
      await loadPart("bindWindows");
      await loadBaseTools();
      await loadPlugins();
      const used = catalogue.entries.filter(({ resolution }) => resolution.kind === "used");
      if (used.some(({ standsOn = [] }) => standsOn.some(isRemoteName))) await remoteTools();
    },
    loadPlugins,
    pluginTools: () => ofPlugins.split.used,
    pluginOffers: () => ofPlugins.loaded ?? { prompts: [], resources: [], exporters: [], importers: [] },
    pluginJudges: () => ofPlugins.loaded?.forgeJudges ?? [],
    pluginDiagnostics: () => ofPlugins.diagnostics,
    unusedPluginTools: () => ofPlugins.split.unused,
    remoteTools,
    remoteTool: (named) => remote?.tool(named),
    unaskedBelow: async (name) => {
      const names = [...reachableTools(name, catalogue).names].filter(isRemoteName);
      return names.length === 0 ? [] : (await remoteTools()).unasked(names);
    },
  };
}

interface CatalogueParts {
  readonly taken: ReadonlySet<string>;
  readonly contributed: readonly ContributedFolder[];
  readonly lacksPlugins: boolean;
}

async function catalogueOf(
  { cwd, toolFolders = [], lookedAtFolders, globalFolder, earlier, isForAuthor }: SourceOptions,
  host: Host,
  { taken, contributed, lacksPlugins }: CatalogueParts,
): Promise<Catalogue> {
  const named = (host.environment("DOTTOOL_PATH") ?? "").split(delimiter).filter((folder) => folder !== "");
  return openCatalogue({
    host,
    cwd,
    givenFolders: [...toolFolders, ...named],
    lookedAtFolders,
    contributedFolders: contributed,
    taken: { base: taken, reserved: reservedNames },
    bundled: await bundledOn(host.platform),
    cacheKey: definitionReaderKey,
    lacksPlugins,
    earlier,
    isForAuthor,
    ...(globalFolder === undefined ? {} : { globalFolder }),
  });
}

function surroundingsOf({ person, frontEnd, openLoginPrompt }: SourceOptions, host: Host): RemoteSurroundings {
  return {
    canAsk: person !== undefined || frontEnd === "mcp",
    openLoginPrompt,
    allowedHosts: async () =>
      ((await createSettings(host)("web.allow_hosts")) ?? "").split(/[\s,]+/).filter((entry) => entry !== ""),
  };
}

function byName(tools: readonly BaseTool[]): ReadonlyMap<string, BaseTool> {
  return new Map(tools.map((tool) => [tool.definition.name.value, tool]));
}
