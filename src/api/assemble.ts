// Wires a session: the real host, the catalogue of definitions, the base tools, plugins when they are needed, settings.
import { delimiter } from "node:path";
import { baseToolNames, loopBreakingNames } from "../base/base-tool-names.ts";
import { runCommand } from "../base/run-command.ts";
import type { Composer } from "../builder/composer.ts";
import { createToolBuilder } from "../builder/tool-builder.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { distrustBelow, distrustedAmong } from "../catalog/distrust-below.ts";
import type { EarlierFolders } from "../catalog/load-folder.ts";
import { reachableTools } from "../catalog/reachable-tools.ts";
import { projectConfigs } from "../catalog/project-rules.ts";
import type { TrustState } from "../catalog/trust.ts";
import type { ContributedFolder, LookedAtFolder, ToolFolder } from "../catalog/tool-folders.ts";
import { bundledTools } from "../generated/bundled-tools.ts";
import { definitionReaderKey } from "../generated/definition-reader-key.ts";
import { createNodeHost } from "../host/node-host.ts";
import { Guard } from "../policy/guard.ts";
import { defaultPolicy } from "../run/judge.ts";
import type { ForgeJudgeSpec } from "../plugins/forge-judge.ts";
import type { PluginDiagnostic } from "../plugins/load.ts";
import type { PluginOffers } from "../plugins/prompt.ts";
import type { OpenLoginPrompt } from "../mcp/client/login.ts";
import type { RemoteTools } from "../mcp/client/remote-tools.ts";
import type { Session } from "../run/session.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { Approver, Caller, PolicyRule } from "../tool/policy.ts";
import { createRegistry } from "../tool/registry.ts";
import { isRemoteName, type RemoteName } from "../tool/remote-name.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import type { UnusedPluginTool } from "./plugin-names.ts";
import { type RemoteToolSource, remoteToolSource } from "./remote-tool-source.ts";
import { createSettings, sandboxSettings } from "./settings.ts";

export interface AssembleOptions {
  /** Default: the real one. */
  readonly host?: Host;
  /** Absolute. */
  readonly cwd: string;
  readonly readerFolder?: string;
  /** The values of `--tools`. */
  readonly toolFolders?: readonly string[];
  readonly lookedAtFolders?: readonly LookedAtFolder[];
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  /** Default: person. */
  readonly audience?: Session["audience"];
  /** The caller. Default: person. */
  readonly frontEnd?: Caller;
  /** Loads no plugins: they are programs, and must not run before a person asks for anything, such as on TAB. */
  readonly withoutPlugins?: true;
  /** The folders of the server's last session: what has not changed is taken from there. */
  readonly earlier?: EarlierFolders | undefined;
  /** Set if nothing will be built or called, so that definitions are not read. */
  readonly isForLists?: boolean | undefined;
  /** Default: denies every question. */
  readonly approver?: Approver;
  /** Warns a person of what the gate could not do, such as write its log. `text` includes its line end. */
  readonly warn?: (text: string) => void;
  readonly person?: Session["person"];
  /** A person who can log in to MCP servers. */
  readonly openLoginPrompt?: OpenLoginPrompt;
  readonly onEvent?: Session["onEvent"];
  /** Whether models may make tools: see ./forging.ts. Absent: no. */
  readonly forging?: Forging | undefined;
}

/** `if-set`: if the user's settings say so. */
export type Forging = "allowed" | "if-set";

export interface Assembled {
  readonly session: Session;
  readonly host: Host;
  /** Returns the present catalogue: plugins may add folders to it. */
  catalogue(): Catalogue;
  /** Returns all diagnostics of all definitions and plugins. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** Builds a definition that is in no folder. */
  build(definition: ToolDefinition): Checked<Tool>;
  /** Returns the builder's diagnostics of one definition, as far as its own errors allow. */
  buildDiagnostics(name: string): Promise<readonly Diagnostic[]>;
  pluginDiagnostics(): Promise<readonly PluginDiagnostic[]>;
  /** Whether the definitions, plugins and settings of a tool folder may take effect, as `Catalogue.trustOf` says. */
  trustOf(folder: ToolFolder): TrustState;
  /** Returns the tools of MCP servers that a tool depends on and that are not pinned yet. */
  unaskedBelow(name: string): Promise<readonly RemoteName[]>;
  remoteTools(): Promise<RemoteTools>;
  /** Loads plugins: a part of the registry's `complete`. */
  loadPlugins(): Promise<void>;
  /** Returns the tools of plugins that a call reaches. None before plugins are loaded. */
  pluginTools(): readonly Tool[];
  /** Returns what plugins offer; nothing before they are loaded. */
  pluginOffers(): PluginOffers;
  /** Returns the tools of plugins whose names are taken. None before plugins are loaded. */
  unusedPluginTools(): readonly UnusedPluginTool[];
}

/** A session in a folder. */
export interface OpenedSession extends Assembled {
  /** Absolute. */
  readonly cwd: string;
}

const reservedNames = new Set(loopBreakingNames);

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const host = options.host ?? createNodeHost();
  const policy = [...defaultPolicy];
  const own = options.forging
    ? await (await import("./forging.ts")).forgingTools(options.forging, {
        host,
        session: () => session,
        build: (definition) => builder.build(definition),
        entries: () => source.catalogue().entries,
        pluginJudges: () => source.pluginJudges(),
        pluginDiagnostics: () => source.pluginDiagnostics(),
      })
    : [];
  const source = await openToolSource(options, { host, policy, own });
  const builder = createToolBuilder({
    platform: host.platform,
    definition: (name) => source.catalogue().definition(name),
    baseTool: (name) => source.baseTool(name),
    composer: () => source.composer(),
    remoteTool: (named) => source.remote.loaded()?.tool(named),
    names: () => source.names(),
  });
  const registry = createRegistry({
    names: () => source.names(),
    build: (name) => {
      const definition = source.catalogue().definition(name);
      if (definition) return builder.build(definition).value;
      return isRemoteName(name) ? source.remote.loaded()?.tool(calledName(name)).value : source.baseTool(name);
    },
    prepare: (name) => source.loadBaseOf(name),
    complete: () => source.loadAll(),
  });
  const ofBuilder = async (name: string): Promise<readonly Diagnostic[]> =>
    (await import("./build-diagnostics.ts")).buildDiagnosticsOf(name, {
      catalogue: source.catalogue(),
      builder,
      plugins: source.pluginDiagnostics(),
    });
  const session: Session = {
    registry,
    distrust: (name) => distrustBelow(name, source.catalogue(), host),
    distrusted: async (names) => distrustedAmong(names, source.catalogue(), host),
    broken: async (name) =>
      (await import("./broken-tool.ts")).brokenFailure(name, {
        catalogue: () => source.catalogue(),
        buildDiagnostics,
        host,
      }),
    policy,
    guard: new Guard({
      host,
      projectConfigs: () =>
        projectConfigs(
          source.catalogue().folders.find(({ scope, isLookedAt }) => scope === "project" && isLookedAt),
          { host, cwd: options.cwd },
        ),
      toolFolders: () => source.catalogue().folders.map(({ path }) => path),
      ...(options.warn ? { warn: options.warn } : {}),
    }),
    approver: options.approver ?? { ask: () => Promise.resolve("denied") },
    host,
    cwd: options.cwd,
    ...(options.readerFolder === undefined ? {} : { readerFolder: options.readerFolder }),
    audience: options.audience ?? "person",
    setting: createSettings(host),
    sandboxSettings: sandboxSettings(host),
    memory: new Map(),
    ...(options.frontEnd ? { frontEnd: options.frontEnd } : {}),
    ...(options.person ? { person: options.person } : {}),
    ...(options.onEvent ? { onEvent: options.onEvent } : {}),
  };
  const diagnostics = async (): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    const ofDefinitions = await source.catalogue().diagnostics();
    const reached = source
      .catalogue()
      .entries.filter(({ resolution }) => resolution.kind === "used" || resolution.kind === "broken");
    const ofTools = (await Promise.all(reached.map((entry) => ofBuilder(entry.name)))).flat();
    return [...ofDefinitions, ...onceForEachPlace(ofTools), ...source.pluginDiagnostics()];
  };
  const buildDiagnostics = async (name: string): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    return ofBuilder(name);
  };
  const pluginDiagnostics = async (): Promise<readonly PluginDiagnostic[]> => {
    await registry.complete();
    return source.pluginDiagnostics();
  };
  return {
    session,
    host,
    trustOf: (folder) => source.catalogue().trustOf(folder),
    unaskedBelow: (name) => unaskedBelow(name, source),
    remoteTools: () => source.remote.load(),
    catalogue: () => source.catalogue(),
    build: (definition) => builder.build(definition),
    buildDiagnostics,
    pluginDiagnostics,
    diagnostics,
    loadPlugins: () => source.loadPlugins(),
    pluginOffers: () => source.pluginOffers(),
    pluginTools: () => source.pluginTools(),
    unusedPluginTools: () => source.unusedPluginTools(),
  };
}

/** Removes duplicates: each tool of a cycle reports the same cycle. */
function onceForEachPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const spans = [diagnostic.at, ...diagnostic.related].flatMap((label) =>
      label ? [`${label.span.source.path}:${label.span.start}`] : [],
    );
    const key = `${diagnostic.code} ${spans.sort().join(" ")} ${diagnostic.code === "wrap-cycle" ? "" : diagnostic.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** A source of tools: definitions; base tools, of which most calls need one; and plugins once something needs them. */
interface ToolSource {
  catalogue(): Catalogue;
  baseTool(name: string): BaseTool | undefined;
  names(): readonly string[];
  composer(): Composer | undefined;
  readonly remote: RemoteToolSource;
  /** Loads the base tool that the tool of this name ends in. */
  loadBaseOf(name: string): Promise<void>;
  loadAll(): Promise<void>;
  loadPlugins(): Promise<void>;
  pluginTools(): readonly BaseTool[];
  pluginOffers(): PluginOffers;
  pluginJudges(): readonly ForgeJudgeSpec[];
  pluginDiagnostics(): readonly PluginDiagnostic[];
  unusedPluginTools(): readonly UnusedPluginTool[];
}

interface SourceParts {
  readonly host: Host;
  readonly policy: PolicyRule[];
  /** Base tools of this session alone. */
  readonly own: readonly BaseTool[];
}

async function openToolSource(options: AssembleOptions, { host, policy, own }: SourceParts): Promise<ToolSource> {
  const given = [
    ...(options.toolFolders ?? []),
    ...(host.environment("DOTTOOL_PATH") ?? "").split(delimiter).filter((folder) => folder !== ""),
  ];
  let bases = byName([runCommand, ...own]);
  const taken = new Set([...baseToolNames, ...own.map(({ definition }) => definition.name.value)]);
  const open = (contributedFolders: readonly ContributedFolder[]): Promise<Catalogue> =>
    openCatalogue({
      host,
      cwd: options.cwd,
      givenFolders: given,
      lookedAtFolders: options.lookedAtFolders,
      contributedFolders,
      taken: { base: taken, reserved: reservedNames },
      bundled: bundledTools,
      cacheKey: definitionReaderKey,
      isForLists: options.isForLists,
      earlier: options.earlier,
      ...(options.globalFolder === undefined ? {} : { globalFolder: options.globalFolder }),
    });
  let catalogue = await open([]);
  let ofPlugins: LoadedPlugins = { diagnostics: [], split: { used: [], unused: [] } };
  const loadBaseTools = async (): Promise<void> => {
    if (baseToolNames.every((name) => bases.has(name))) return;
    const { baseTools } = await import("../base/all.ts");
    bases = byName([...bases.values(), ...baseTools]);
  };
  let composer: Composer | undefined;
  const loadComposer = async (): Promise<void> => {
    composer ??= (await import("../builder/composer.ts")).composer;
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
    catalogue = await open(
      loaded.toolFolders.map(({ path, plugin }) => ({ path, scope: scopes.get(plugin) ?? "project" })),
    );
  };
  const remote = remoteToolSource(host, {
    canAsk: options.person !== undefined || options.frontEnd === "mcp",
    openLoginPrompt: options.openLoginPrompt,
    allowedHosts: async () =>
      ((await createSettings(host)("web.allow_hosts")) ?? "").split(/[\s,]+/).filter((entry) => entry !== ""),
  });
  let plugins: Promise<void> | undefined;
  const loadPlugins = (): Promise<void> => (plugins ??= addPlugins());
  return {
    catalogue: () => catalogue,
    composer: () => composer,
    remote,
    baseTool: (name) => bases.get(name),
    names: () => [...new Set([...taken, ...catalogue.names()])],
    pluginDiagnostics: () => ofPlugins.diagnostics,
    unusedPluginTools: () => ofPlugins.split.unused,
    loadBaseOf: async (name) => {
      const below = reachableTools(name, catalogue);
      if (below.isComposed) await loadComposer();
      if ([...below.names].some(isRemoteName)) await remote.load();
      if ([...below.names].some((one) => taken.has(one) && !bases.has(one))) await loadBaseTools();
    },
    pluginTools: () => ofPlugins.split.used,
    pluginOffers: () => ofPlugins.loaded ?? { prompts: [], resources: [] },
    pluginJudges: () => ofPlugins.loaded?.forgeJudges ?? [],
    loadPlugins,
    loadAll: async () => {
      await loadComposer();
      await loadBaseTools();
      await loadPlugins();
      if (
        catalogue.entries.some(
          ({ resolution, standsOn = [] }) => resolution.kind === "used" && standsOn.some(isRemoteName),
        )
      )
        await remote.load();
    },
  };
}

interface LoadedPlugins {
  /** Absent: there are none to load. */
  readonly loaded?: Awaited<ReturnType<typeof import("../plugins/load.ts").loadPlugins>>;
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly split: ReturnType<typeof import("./plugin-names.ts").splitByName>;
}

async function loadTrusted(
  catalogue: Catalogue,
  { host, cwd, isTaken }: { readonly host: Host; readonly cwd: string; isTaken(name: string): boolean },
): Promise<LoadedPlugins> {
  const { trusted, diagnostics } = (await import("../plugins/trusted-plugins.ts")).trustedPlugins(
    catalogue.plugins,
    host,
  );
  if (trusted.length === 0) return { diagnostics, split: { used: [], unused: [] } };
  const { loadPlugins } = await import("../plugins/load.ts");
  const library = await import("./api.ts");
  const { splitByName, takenName } = await import("./plugin-names.ts");
  const loaded = await loadPlugins(trusted, { host, cwd, more: { ...library } });
  const split = splitByName(loaded.tools, (name) => isTaken(name) || catalogue.entry(name) !== undefined, cwd);
  return { loaded, diagnostics: [...diagnostics, ...loaded.diagnostics, ...split.unused.map(takenName)], split };
}

function byName(tools: readonly BaseTool[]): ReadonlyMap<string, BaseTool> {
  return new Map(tools.map((tool) => [tool.definition.name.value, tool]));
}

async function unaskedBelow(name: string, { catalogue, remote }: ToolSource): Promise<readonly RemoteName[]> {
  const names = [...reachableTools(name, catalogue()).names].filter(isRemoteName);
  return names.length === 0 ? [] : (await remote.load()).unasked(names);
}

/** Returns the name with a span of its own, because it is not in any file. */
function calledName(value: string): Spanned<string> {
  return { value, span: { source: { path: "(call)", text: value }, start: 0, end: value.length } };
}
