// Wires everything into a session: the real host, the catalogue of definitions, the base tools, plugins when they are
// needed, settings.
import { delimiter, join } from "node:path";
import { baseToolNames, loopBreakingNames } from "../base/base-tool-names.ts";
import { runCommand } from "../base/run-command.ts";
import type { Composer } from "../builder/composer.ts";
import { createToolBuilder } from "../builder/tool-builder.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { CONFIGURATION_NAME } from "../catalog/discover.ts";
import { distrustBelow, distrustedAmong } from "../catalog/distrust-below.ts";
import { standingBelow } from "../catalog/standing-below.ts";
import { trustedConfig, type TrustState } from "../catalog/trust.ts";
import type { ContributedFolder, LookedAtFolder, ToolFolder } from "../catalog/tool-folders.ts";
import { bundledTools } from "../generated/bundled-tools.ts";
import { frontEndKey } from "../generated/front-end-key.ts";
import { createNodeHost } from "../host/node-host.ts";
import { Guard } from "../policy/guard.ts";
import type { ProjectConfig } from "../policy/policy-config.ts";
import { defaultPolicy } from "../run/judge.ts";
import type { PluginDiagnostic } from "../plugins/load.ts";
import type { PluginOffers } from "../plugins/prompt.ts";
import type { OpenVisitor } from "../mcp/client/login.ts";
import type { RemoteTools } from "../mcp/client/remote-tools.ts";
import type { Session } from "../run/session.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { Approver, FrontEnd, PolicyRule } from "../tool/policy.ts";
import { createRegistry } from "../tool/registry.ts";
import { isRemoteName, type RemoteName } from "../tool/remote-name.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import type { UnusedPluginTool } from "./plugin-names.ts";
import { type RemoteShelf, remoteShelf } from "./remote-shelf.ts";
import { createSettings } from "./settings.ts";

export interface AssembleOptions {
  /** Default: the real one. */
  readonly host?: Host;
  /** Absolute. */
  readonly cwd: string;
  readonly readerFolder?: string;
  /** From `--tools`. */
  readonly toolFolders?: readonly string[];
  readonly lookedAtFolders?: readonly LookedAtFolder[];
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  /** Default: person. */
  readonly audience?: Session["audience"];
  /** Who calls. Default: person. */
  readonly frontEnd?: FrontEnd;
  /** Plugins are programs: where nobody has asked for anything yet, as on TAB, none is loaded. */
  readonly withoutPlugins?: true;
  /** Nothing is built or called, so definitions are not read. */
  readonly isForLists?: boolean | undefined;
  /** Default: agrees to nothing. */
  readonly approver?: Approver;
  /** Tells a person what the gate could not do, such as write its log; with its line end. */
  readonly warn?: (text: string) => void;
  readonly person?: Session["person"];
  /** Somebody who can log in to MCP servers. */
  readonly openVisitor?: OpenVisitor;
  readonly onEvent?: Session["onEvent"];
}

export interface Assembled {
  readonly session: Session;
  readonly host: Host;
  /** As it is now: plugins may add folders to it. */
  catalogue(): Catalogue;
  /** Everything there is to say about every definition and plugin. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** What the builder says of one definition, as far as its own errors let it. */
  buildDiagnostics(name: string): Promise<readonly Diagnostic[]>;
  pluginDiagnostics(): Promise<readonly PluginDiagnostic[]>;
  /** Whether the definitions, plugins and settings of a tool folder may take effect, as `Catalogue.trustOf` says. */
  trustOf(folder: ToolFolder): TrustState;
  /**
   * `config.yaml` of the project's tool folder, with the content that was trusted; none where the project is not
   * trusted, or has none.
   */
  projectConfig(): ProjectConfig | undefined;
  /** Tools of MCP servers below a tool, whose servers were not asked yet what they take. */
  unaskedBelow(name: string): Promise<readonly RemoteName[]>;
  remoteTools(): Promise<RemoteTools>;
  /** A part of what the registry's `complete` does. */
  loadPlugins(): Promise<void>;
  /** Those that a call reaches. None before plugins are loaded. */
  pluginTools(): readonly Tool[];
  /** None before plugins are loaded. */
  pluginOffers(): PluginOffers;
  /** Of plugins, whose names others have. None before plugins are loaded. */
  unusedPluginTools(): readonly UnusedPluginTool[];
}

const RUN_COMMAND = "run_command";
const reservedNames = new Set(loopBreakingNames);

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const host = options.host ?? createNodeHost();
  const policy = [...defaultPolicy];
  const shelf = await openShelf(options, host, policy);
  const builder = createToolBuilder({
    platform: host.platform,
    definition: (name) => shelf.catalogue().definition(name),
    baseTool: (name) => shelf.baseTool(name),
    composer: () => shelf.composer(),
    remoteTool: (named) => shelf.remote.loaded()?.tool(named),
    names: () => shelf.names(),
  });
  const projectConfig = (): ReturnType<Assembled["projectConfig"]> => projectConfigOf(shelf.catalogue(), host);
  const registry = createRegistry({
    names: () => shelf.names(),
    build: (name) => {
      const definition = shelf.catalogue().definition(name);
      if (definition) return builder.build(definition).value;
      return isRemoteName(name) ? shelf.remote.loaded()?.tool(calledName(name)).value : shelf.baseTool(name);
    },
    prepare: (name) => shelf.loadBaseOf(name),
    complete: () => shelf.loadAll(),
  });
  const ofBuilder = async (name: string): Promise<readonly Diagnostic[]> =>
    (await import("./build-diagnostics.ts")).buildDiagnosticsOf(name, {
      catalogue: shelf.catalogue(),
      builder,
      plugins: shelf.pluginDiagnostics(),
    });
  const session: Session = {
    registry,
    distrust: (name) => distrustBelow(name, shelf.catalogue(), host),
    distrusted: async (names) => distrustedAmong(names, shelf.catalogue(), host),
    broken: async (name) =>
      (await import("./broken-tool.ts")).brokenFailure(name, {
        catalogue: () => shelf.catalogue(),
        buildDiagnostics,
        host,
      }),
    policy,
    guard: new Guard({
      host,
      projectConfig: () => projectConfig(),
      toolFolders: () => shelf.catalogue().folders.map(({ path }) => path),
      ...(options.warn ? { warn: options.warn } : {}),
    }),
    approver: options.approver ?? { ask: () => Promise.resolve("denied") },
    host,
    cwd: options.cwd,
    ...(options.readerFolder === undefined ? {} : { readerFolder: options.readerFolder }),
    audience: options.audience ?? "person",
    setting: createSettings(host),
    memory: new Map(),
    ...(options.frontEnd ? { frontEnd: options.frontEnd } : {}),
    ...(options.person ? { person: options.person } : {}),
    ...(options.onEvent ? { onEvent: options.onEvent } : {}),
  };
  const diagnostics = async (): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    const ofDefinitions = await shelf.catalogue().diagnostics();
    const reached = shelf
      .catalogue()
      .entries.filter(({ standing }) => standing.kind === "used" || standing.kind === "broken");
    const ofTools = (await Promise.all(reached.map((entry) => ofBuilder(entry.name)))).flat();
    return [...ofDefinitions, ...onceForEachPlace(ofTools), ...shelf.pluginDiagnostics()];
  };
  const buildDiagnostics = async (name: string): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    return ofBuilder(name);
  };
  const pluginDiagnostics = async (): Promise<readonly PluginDiagnostic[]> => {
    await registry.complete();
    return shelf.pluginDiagnostics();
  };
  return {
    session,
    host,
    trustOf: (folder) => shelf.catalogue().trustOf(folder),
    unaskedBelow: (name) => unaskedBelow(name, shelf),
    remoteTools: () => shelf.remote.load(),
    projectConfig,
    catalogue: () => shelf.catalogue(),
    buildDiagnostics,
    pluginDiagnostics,
    diagnostics,
    loadPlugins: () => shelf.loadPlugins(),
    pluginOffers: () => shelf.pluginOffers(),
    pluginTools: () => shelf.pluginTools(),
    unusedPluginTools: () => shelf.unusedPluginTools(),
  };
}

function projectConfigOf(catalogue: Catalogue, host: Host): ReturnType<Assembled["projectConfig"]> {
  const folder = catalogue.folders.find(({ scope }) => scope === "project");
  return folder && host.instant.stat(join(folder.path, CONFIGURATION_NAME)) ? trustedConfig(folder, host) : undefined;
}

/** Each tool of a circle finds the same circle. */
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

/**
 * Where tools come from: definitions; base tools, of which most calls need one; and plugins once something needs them.
 */
interface Shelf {
  catalogue(): Catalogue;
  baseTool(name: string): BaseTool | undefined;
  names(): readonly string[];
  composer(): Composer | undefined;
  readonly remote: RemoteShelf;
  /** What the tool of this name comes down to. */
  loadBaseOf(name: string): Promise<void>;
  loadAll(): Promise<void>;
  loadPlugins(): Promise<void>;
  pluginTools(): readonly BaseTool[];
  pluginOffers(): PluginOffers;
  pluginDiagnostics(): readonly PluginDiagnostic[];
  unusedPluginTools(): readonly UnusedPluginTool[];
}

async function openShelf(options: AssembleOptions, host: Host, policy: PolicyRule[]): Promise<Shelf> {
  const given = [
    ...(options.toolFolders ?? []),
    ...(host.environment("DOTTOOL_PATH") ?? "").split(delimiter).filter((folder) => folder !== ""),
  ];
  let bases: ReadonlyMap<string, BaseTool> = new Map([[RUN_COMMAND, runCommand]]);
  const taken = new Set(baseToolNames);
  const open = (contributedFolders: readonly ContributedFolder[]): Promise<Catalogue> =>
    openCatalogue({
      host,
      cwd: options.cwd,
      givenFolders: given,
      lookedAtFolders: options.lookedAtFolders,
      contributedFolders,
      taken: { base: taken, reserved: reservedNames },
      bundled: bundledTools,
      cacheKey: frontEndKey,
      isForLists: options.isForLists,
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
  const remote = remoteShelf(host, {
    canAsk: options.person !== undefined || options.frontEnd === "mcp",
    openVisitor: options.openVisitor,
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
      const below = standingBelow(name, catalogue);
      if (below.isComposed) await loadComposer();
      if ([...below.names].some(isRemoteName)) await remote.load();
      if ([...below.names].some((one) => taken.has(one) && !bases.has(one))) await loadBaseTools();
    },
    pluginTools: () => ofPlugins.split.used,
    pluginOffers: () => ofPlugins.loaded ?? { prompts: [], resources: [] },
    loadPlugins,
    loadAll: async () => {
      await loadComposer();
      await loadBaseTools();
      await loadPlugins();
      if (
        catalogue.entries.some(({ standing, standsOn = [] }) => standing.kind === "used" && standsOn.some(isRemoteName))
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
  const { openTools } = await import("./open-tools.ts");
  const { splitByName, takenName } = await import("./plugin-names.ts");
  const loaded = await loadPlugins(trusted, { host, cwd, more: { openTools } });
  const split = splitByName(loaded.tools, (name) => isTaken(name) || catalogue.entry(name) !== undefined, cwd);
  return { loaded, diagnostics: [...diagnostics, ...loaded.diagnostics, ...split.unused.map(takenName)], split };
}

function byName(tools: readonly BaseTool[]): ReadonlyMap<string, BaseTool> {
  return new Map(tools.map((tool) => [tool.definition.name.value, tool]));
}

async function unaskedBelow(name: string, { catalogue, remote }: Shelf): Promise<readonly RemoteName[]> {
  const names = [...standingBelow(name, catalogue()).names].filter(isRemoteName);
  return names.length === 0 ? [] : (await remote.load()).unasked(names);
}

/** Called by its own name, which stands in no file. */
function calledName(value: string): Spanned<string> {
  return { value, span: { source: { path: "(call)", text: value }, start: 0, end: value.length } };
}
