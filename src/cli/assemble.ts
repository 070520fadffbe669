// Wires everything into a session: the real host, the catalogue of definitions, the base tools, plugins when they are needed, settings.
import { delimiter } from "node:path";
import { baseToolNames, loopBreakingNames } from "../base/base-tool-names.ts";
import { runCommand } from "../base/run-command.ts";
import { createToolBuilder } from "../builder/tool-builder.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { shownPathOf } from "../catalog/load.ts";
import { bundledTools } from "../generated/bundled-tools.ts";
import { frontEndKey } from "../generated/front-end-key.ts";
import { createNodeHost } from "../host/node-host.ts";
import { consentOfPerson } from "../run/judge.ts";
import type { PluginDiagnostic } from "../plugins/load.ts";
import type { Session } from "../run/session.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Host } from "../tool/host.ts";
import type { Approver, PolicyRule } from "../tool/policy.ts";
import { createRegistry } from "../tool/registry.ts";
import type { BaseTool } from "../tool/tool.ts";
import { createSettings } from "./settings.ts";

export interface AssembleOptions {
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`. */
  readonly toolFolders?: readonly string[];
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  /** Default: person. */
  readonly audience?: Session["audience"];
  /** Plugins are programs: where nobody has asked for anything yet, as on TAB, none is loaded. */
  readonly withoutPlugins?: true;
  /** Default: agrees to nothing. */
  readonly approver?: Approver;
  readonly person?: Session["person"];
  readonly onEvent?: Session["onEvent"];
}

export interface Assembled {
  readonly session: Session;
  readonly host: Host;
  /** As it is now: plugins may add folders to it. */
  catalogue(): Catalogue;
  /** Everything there is to say about every definition and plugin. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** What the builder says of one definition that has no errors of its own. */
  buildDiagnostics(name: string): Promise<readonly Diagnostic[]>;
  pluginDiagnostics(): Promise<readonly PluginDiagnostic[]>;
}

const RUN_COMMAND = "run_command";
const reservedNames = new Set(loopBreakingNames);

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const host = createNodeHost();
  const policy = [consentOfPerson];
  const shelf = await openShelf(options, host, policy);
  const builder = createToolBuilder({
    platform: host.platform,
    definition: (name) => shelf.catalogue().definition(name),
    baseTool: (name) => shelf.baseTool(name),
    names: () => shelf.names(),
  });
  const registry = createRegistry({
    names: () => shelf.names(),
    build: (name) => {
      const definition = shelf.catalogue().definition(name);
      return definition ? builder.build(definition).value : shelf.baseTool(name);
    },
    prepare: (name) => shelf.loadBaseOf(name),
    complete: () => shelf.loadAll(),
  });
  const ofBuilder = (name: string): readonly Diagnostic[] => {
    const definition = shelf.catalogue().definition(name);
    return definition ? builder.build(definition).diagnostics : [];
  };
  const session: Session = {
    registry,
    policy,
    approver: options.approver ?? { ask: () => Promise.resolve(false) },
    host,
    cwd: options.cwd,
    audience: options.audience ?? "person",
    setting: createSettings(host),
    memory: new Map(),
    ...(options.person ? { person: options.person } : {}),
    ...(options.onEvent ? { onEvent: options.onEvent } : {}),
  };
  const diagnostics = async (): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    const ofDefinitions = await shelf.catalogue().diagnostics();
    return [...ofDefinitions, ...onceForEachPlace(shelf.catalogue().names().flatMap(ofBuilder)), ...shelf.pluginDiagnostics()];
  };
  const buildDiagnostics = async (name: string): Promise<readonly Diagnostic[]> => {
    await registry.complete();
    return ofBuilder(name);
  };
  const pluginDiagnostics = async (): Promise<readonly PluginDiagnostic[]> => {
    await registry.complete();
    return shelf.pluginDiagnostics();
  };
  return { session, host, catalogue: () => shelf.catalogue(), buildDiagnostics, pluginDiagnostics, diagnostics };
}

/** Each tool of a circle finds the same circle. */
function onceForEachPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const spans = [diagnostic.at, ...diagnostic.related].flatMap((label) => (label ? [`${label.span.source.path}:${label.span.start}`] : []));
    const key = `${diagnostic.code} ${spans.sort().join(" ")} ${diagnostic.code === "wrap-cycle" ? "" : diagnostic.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Where tools come from: definitions; base tools, of which most calls need one; and plugins once something needs them. */
interface Shelf {
  catalogue(): Catalogue;
  baseTool(name: string): BaseTool | undefined;
  names(): readonly string[];
  /** The base tool that the tool of this name comes down to. */
  loadBaseOf(name: string): Promise<void>;
  loadAll(): Promise<void>;
  pluginDiagnostics(): readonly PluginDiagnostic[];
}

async function openShelf(options: AssembleOptions, host: Host, policy: PolicyRule[]): Promise<Shelf> {
  const given = [...(options.toolFolders ?? []), ...(host.environment("DOTTOOL_PATH") ?? "").split(delimiter).filter((folder) => folder !== "")];
  let bases: ReadonlyMap<string, BaseTool> = new Map([[RUN_COMMAND, runCommand]]);
  const taken = new Set(baseToolNames);
  const open = (folders: readonly string[]): Promise<Catalogue> =>
    openCatalogue({ host, cwd: options.cwd, givenFolders: folders, taken: { base: taken, reserved: reservedNames }, bundled: bundledTools, cacheKey: frontEndKey, ...(options.globalFolder === undefined ? {} : { globalFolder: options.globalFolder }) });
  let catalogue = await open(given);
  let pluginDiagnostics: readonly PluginDiagnostic[] = [];
  const loadBaseTools = async (): Promise<void> => {
    if (baseToolNames.every((name) => bases.has(name))) return;
    const { baseTools } = await import("../base/all.ts");
    bases = byName([...bases.values(), ...baseTools]);
  };
  return {
    catalogue: () => catalogue,
    baseTool: (name) => bases.get(name),
    names: () => [...new Set([...taken, ...catalogue.names()])],
    pluginDiagnostics: () => pluginDiagnostics,
    loadBaseOf: async (name) => {
      const base = baseNameOf(name, catalogue);
      if (taken.has(base) && !bases.has(base)) await loadBaseTools();
    },
    loadAll: async () => {
      await loadBaseTools();
      if (catalogue.plugins.length === 0 || options.withoutPlugins) return;
      const { loadPlugins } = await import("../plugins/load.ts");
      const { openTools } = await import("./open-tools.ts");
      const loaded = await loadPlugins(catalogue.plugins.map((plugin) => plugin.path), { host, cwd: options.cwd, more: { openTools } });
      // Plugins come nearest folder first, so the first that has a name keeps it.
      const fresh: BaseTool[] = [];
      const unused: PluginDiagnostic[] = [];
      for (const tool of loaded.tools) {
        const name = tool.definition.name.value;
        const keeper = fresh.find((other) => other.definition.name.value === name);
        if (keeper === undefined && !taken.has(name) && catalogue.entry(name) === undefined) fresh.push(tool);
        else unused.push(takenName(tool, keeper, options.cwd));
      }
      pluginDiagnostics = [...loaded.diagnostics, ...unused];
      bases = byName([...bases.values(), ...fresh]);
      for (const name of bases.keys()) taken.add(name);
      policy.push(...loaded.policyRules);
      catalogue = await open([...given, ...loaded.toolFolders]);
    },
  };
}

/** `keeper`: the plugin's tool that has the name; without one, a definition or a base tool has it. */
function takenName({ definition }: BaseTool, keeper: BaseTool | undefined, cwd: string): PluginDiagnostic {
  const other = keeper === undefined ? "there is a tool of that name already" : `\`${pluginPathOf(keeper, cwd)}\` has one of that name, and comes first`;
  return {
    code: "duplicate-tool",
    severity: "warning",
    message: `the tool \`${definition.name.value}\` of \`${pluginPathOf({ definition }, cwd)}\` is not used: ${other}`,
    related: [],
    help: ["give it another name"],
    plugin: definition.origin.kind === "plugin" ? definition.origin.path : "",
  };
}

function pluginPathOf({ definition: { origin } }: Pick<BaseTool, "definition">, cwd: string): string {
  return origin.kind === "plugin" ? shownPathOf(origin.path, cwd) : "a plugin";
}

function byName(tools: readonly BaseTool[]): ReadonlyMap<string, BaseTool> {
  return new Map(tools.map((tool) => [tool.definition.name.value, tool]));
}

/** Follows what wraps what; where that goes in a circle, any name of it will do. */
function baseNameOf(name: string, catalogue: Catalogue): string {
  const seen = new Set<string>();
  let base = name;
  while (!seen.has(base)) {
    seen.add(base);
    const definition = catalogue.definition(base);
    if (definition && definition.kind !== "base") base = definition.base.value;
  }
  return base;
}
