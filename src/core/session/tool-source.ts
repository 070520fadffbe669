// Where the tools of a session come from: definitions; base tools, of which most calls need one; plugins and MCP
// servers once something needs them.
import { delimiter } from "node:path";
import { baseToolNames, loopBreakingNames } from "../tool/base-tool-names.ts";
import { runCommand } from "../base/run-command.ts";
import type { Composer } from "../builder/composer.ts";
import { bundledOn } from "../catalog/bundled-on.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { reachableTools } from "../catalog/reachable-tools.ts";
import type { EarlierFolders } from "../catalog/load-folder.ts";
import type { ContributedFolder, LookedAtFolder } from "../catalog/tool-folders.ts";
import { definitionReaderKey } from "../../generated/definition-reader-key.ts";
import type { OpenLoginPrompt } from "../../features/mcp-client/login.ts";
import type { RemoteTools } from "../../features/mcp-client/remote-tools.ts";
import type { ForgeJudgeSpec } from "../tool/forge-judge.ts";
import type { PluginDiagnostic } from "../../features/plugins/load.ts";
import type { PluginOffers } from "../tool/plugin-offers.ts";
import { defaultPolicy } from "../run/judge.ts";
import type { Session } from "../run/session.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { Caller } from "../tool/policy.ts";
import { isRemoteName, type RemoteName } from "../tool/remote-name.ts";
import type { BaseTool } from "../tool/tool.ts";
import type { UnusedPluginTool } from "../../features/plugins/plugin-names.ts";
import { createSettings } from "./settings.ts";

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
  /** Set if nothing will be built or called, so that definitions are not read. */
  readonly isForLists?: boolean | undefined;
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
  const taken = new Set([...baseToolNames, ...own.map(({ definition }) => definition.name.value)]);
  const policy = [...defaultPolicy];
  let bases = byName([runCommand, ...own]);
  let composer: Composer | undefined;
  let remote: RemoteTools | undefined;
  let catalogue = await catalogueOf(options, host, { taken, contributed: [], lacksPlugins: true });
  let ofPlugins: LoadedPlugins = { diagnostics: [], split: { used: [], unused: [] } };
  let plugins: Promise<void> | undefined;

  const loadBaseTools = async (): Promise<void> => {
    if (baseToolNames.every((name) => bases.has(name))) return;
    bases = byName([...bases.values(), ...(await import("../base/all.ts")).baseTools]);
  };
  const loadComposer = async (): Promise<void> => {
    composer ??= (await import("../../features/queue/queueing-composer.ts")).queueingComposer;
  };
  const remoteTools = async (): Promise<RemoteTools> => {
    const { openRemoteTools } = await import("../../features/mcp-client/remote-tools.ts");
    return (remote ??= openRemoteTools(host, surroundingsOf(options, host)));
  };
  const addPlugins = async (): Promise<void> => {
    if (catalogue.plugins.length === 0 || options.withoutPlugins) return;
    ofPlugins = await loadTrusted(catalogue, { host, cwd: options.cwd, isTaken: (name) => taken.has(name) });
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
      if ([...below.names].some(isRemoteName)) await remoteTools();
      if ([...below.names].some((one) => taken.has(one) && !bases.has(one))) await loadBaseTools();
    },
    loadAll: async () => {
      await loadComposer();
      await loadBaseTools();
      await loadPlugins();
      const used = catalogue.entries.filter(({ resolution }) => resolution.kind === "used");
      if (used.some(({ standsOn = [] }) => standsOn.some(isRemoteName))) await remoteTools();
    },
    loadPlugins,
    pluginTools: () => ofPlugins.split.used,
    pluginOffers: () => ofPlugins.loaded ?? { prompts: [], resources: [] },
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
  { cwd, toolFolders = [], lookedAtFolders, globalFolder, isForLists, earlier }: SourceOptions,
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
    isForLists,
    earlier,
    ...(globalFolder === undefined ? {} : { globalFolder }),
  });
}

function surroundingsOf(
  { person, frontEnd, openLoginPrompt }: SourceOptions,
  host: Host,
): Parameters<typeof import("../../features/mcp-client/remote-tools.ts").openRemoteTools>[1] {
  return {
    canAsk: person !== undefined || frontEnd === "mcp",
    openLoginPrompt,
    allowedHosts: async () =>
      ((await createSettings(host)("web.allow_hosts")) ?? "").split(/[\s,]+/).filter((entry) => entry !== ""),
  };
}

interface LoadedPlugins {
  /** Absent: there are none to load. */
  readonly loaded?: Awaited<ReturnType<typeof import("../../features/plugins/load.ts").loadPlugins>>;
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly split: ReturnType<typeof import("../../features/plugins/plugin-names.ts").splitByName>;
}

async function loadTrusted(
  catalogue: Catalogue,
  { host, cwd, isTaken }: { readonly host: Host; readonly cwd: string; isTaken(name: string): boolean },
): Promise<LoadedPlugins> {
  const { trusted, diagnostics } = (await import("../../features/plugins/trusted-plugins.ts")).trustedPlugins(
    catalogue.plugins,
    host,
  );
  if (trusted.length === 0) return { diagnostics, split: { used: [], unused: [] } };
  const { loadPlugins } = await import("../../features/plugins/load.ts");
  const library = await import("../../features/embedding/api.ts");
  const { splitByName, takenName } = await import("../../features/plugins/plugin-names.ts");
  const loaded = await loadPlugins(trusted, { host, cwd, more: { ...library } });
  const split = splitByName(loaded.tools, (name) => isTaken(name) || catalogue.entry(name) !== undefined, cwd);
  return { loaded, diagnostics: [...diagnostics, ...loaded.diagnostics, ...split.unused.map(takenName)], split };
}

function byName(tools: readonly BaseTool[]): ReadonlyMap<string, BaseTool> {
  return new Map(tools.map((tool) => [tool.definition.name.value, tool]));
}
