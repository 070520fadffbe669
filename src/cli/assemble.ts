// Wires everything into a session: the real host, the catalogue of definitions, the base tools, plugins when they are needed, settings.
import { delimiter } from "node:path";
import { baseTools } from "../base/all.ts";
import { createToolBuilder } from "../builder/tool-builder.ts";
import { type Catalogue, openCatalogue } from "../catalog/catalogue.ts";
import { bundledTools } from "../generated/bundled-tools.ts";
import { frontEndKey } from "../generated/front-end-key.ts";
import { createNodeHost } from "../host/node-host.ts";
import type { LoadedPlugins } from "../plugins/load.ts";
import { consentOfPerson } from "../run/judge.ts";
import type { Session } from "../run/session.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Host } from "../tool/host.ts";
import type { Approver } from "../tool/policy.ts";
import { createRegistry } from "../tool/registry.ts";
import type { BaseTool } from "../tool/tool.ts";
import { createSettings } from "./settings.ts";

export interface AssembleOptions {
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`. */
  readonly toolFolders?: readonly string[];
  /** Default: person. */
  readonly audience?: Session["audience"];
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
  buildDiagnostics(name: string): readonly Diagnostic[];
}

const baseByName = new Map(baseTools.map((tool) => [tool.definition.name.value, tool]));
const reservedNames = new Set(baseTools.filter((tool) => tool.definition.kind === "base" && tool.definition.isLoopBreaking).map((tool) => tool.definition.name.value));

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const host = createNodeHost();
  const given = [...(options.toolFolders ?? []), ...(host.environment("DOTTOOL_PATH") ?? "").split(delimiter).filter((folder) => folder !== "")];
  const open = (folders: readonly string[], bases: ReadonlySet<string>): Promise<Catalogue> =>
    openCatalogue({ host, cwd: options.cwd, givenFolders: folders, taken: { base: bases, reserved: reservedNames }, bundled: bundledTools, cacheKey: frontEndKey });
  let catalogue = await open(given, new Set(baseByName.keys()));
  let plugins: LoadedPlugins = { tools: [], toolFolders: [], policyRules: [], diagnostics: [] };
  let known: ReadonlyMap<string, BaseTool> = baseByName;
  const policy = [consentOfPerson];

  const loadPlugins = async (): Promise<void> => {
    if (catalogue.plugins.length === 0) return;
    const { loadPlugins: load } = await import("../plugins/load.ts");
    plugins = await load(catalogue.plugins.map((plugin) => plugin.path), host);
    const fresh = plugins.tools.filter((tool) => !known.has(tool.definition.name.value));
    known = new Map([...known, ...fresh.map((tool) => [tool.definition.name.value, tool] as const)]);
    policy.push(...plugins.policyRules);
    catalogue = await open([...given, ...plugins.toolFolders], new Set(known.keys()));
  };

  const builder = createToolBuilder({
    platform: host.platform,
    definition: (name) => catalogue.definition(name),
    baseTool: (name) => known.get(name),
    names: () => [...known.keys(), ...catalogue.names()],
  });
  const registry = createRegistry({
    names: () => [...new Set([...known.keys(), ...catalogue.names()])],
    build: (name) => {
      const definition = catalogue.definition(name);
      return definition ? builder.build(definition).value : known.get(name);
    },
    complete: loadPlugins,
  });
  const buildDiagnostics = (name: string): readonly Diagnostic[] => {
    const definition = catalogue.definition(name);
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
  return {
    session,
    host,
    catalogue: () => catalogue,
    buildDiagnostics,
    diagnostics: async () => {
      await registry.complete();
      const ofDefinitions = await catalogue.diagnostics();
      return [...ofDefinitions, ...catalogue.names().flatMap(buildDiagnostics), ...plugins.diagnostics];
    },
  };
}
