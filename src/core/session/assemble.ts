// Makes a session of its parts, in steps: where tools come from, what builds them, the registry that finds them, what
// is wrong with them, and what calls share.
import { createToolBuilder, type ToolBuilder } from "../builder/tool-builder.ts";
import { distrustBelow, distrustedAmong } from "../catalog/distrust-below.ts";
import type { CatalogueEntry } from "../catalog/entry.ts";
import { projectConfigs } from "../catalog/project-rules.ts";
import { createNodeHost } from "../host/node-host.ts";
import type { PluginDiagnostic } from "../tool/loaded-plugins.ts";
import { Guard } from "../policy/guard.ts";
import type { Session } from "../run/session.ts";
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { Approver } from "../tool/policy-rule.ts";
import { createRegistry, type ToolRegistry } from "../tool/registry.ts";
import { isRemoteName } from "../tool/remote-name.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { needPart } from "../tool/feature.ts";
import { createSettings, sandboxSettings } from "./settings.ts";
import { openToolSource, type SourceOptions, type ToolSource } from "./tool-source.ts";

/** Whether models may make tools. `if-set`: if the user's settings say so. */
export type Forging = "allowed" | "if-set";

/** What the tools that make tools need of the session. */
export interface ForgingSession {
  readonly host: Host;
  session(): Session;
  build(definition: ToolDefinition): Checked<Tool>;
  source(): ToolSource;
}

declare module "../tool/feature.ts" {
  interface Parts {
    forgingTools: (forging: Forging, options: ForgingSession) => Promise<readonly BaseTool[]>;
  }
}

export interface AssembleOptions extends SourceOptions {
  /** Default: the real one. */
  readonly host?: Host;
  readonly readerFolder?: string;
  /** Default: person. */
  readonly audience?: Session["audience"];
  /** Default: denies every question. */
  readonly approver?: Approver;
  /** Warns a person of what the gate could not do, such as write its log. `text` includes its line end. */
  readonly warn?: (text: string) => void;
  readonly onEvent?: Session["onEvent"];
  /** Whether models may make tools. Absent: no. */
  readonly forging?: Forging | undefined;
}

/** A session with what it is made of. */
export interface Assembled
  extends Diagnosis,
    Pick<
      ToolSource,
      | "catalogue"
      | "unaskedBelow"
      | "remoteTools"
      | "loadPlugins"
      | "pluginTools"
      | "pluginOffers"
      | "unusedPluginTools"
    > {
  readonly session: Session;
  readonly host: Host;
  /** Builds a definition that is in no folder. */
  build(definition: ToolDefinition): Checked<Tool>;
}

/** A session in a folder. */
export interface OpenedSession extends Assembled {
  /** Absolute. */
  readonly cwd: string;
}

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const given = options.host ?? createNodeHost();
  const host = given.bundle ? await (await import("./ready-bundle.ts")).withReadyBundle(given) : given;
  const own = options.forging
    ? await (await needPart("forgingTools"))(options.forging, {
        host,
        session: () => session,
        build: (definition) => builder.build(definition),
        source: () => source,
      })
    : [];
  const source = await openToolSource(options, host, own);
  const builder = builderOf(source, host);
  const registry = registryOf(source, builder);
  const diagnosis = diagnosisOf(source, builder, registry);
  const session: Session = {
    ...sharedBy(options, host),
    registry,
    ...judgedBy(source, diagnosis, { ...options, host }),
  };
  return { ...source, ...diagnosis, session, host, build: (definition) => builder.build(definition) };
}

function builderOf(source: ToolSource, { platform }: Host): ToolBuilder {
  return createToolBuilder({
    platform,
    definition: (name) => source.catalogue().definition(name),
    baseTool: source.baseTool,
    composer: source.composer,
    remoteTool: source.remoteTool,
    names: source.names,
  });
}

function registryOf(source: ToolSource, builder: ToolBuilder): ToolRegistry {
  return createRegistry({
    names: source.names,
    build: (name) => {
      const definition = source.catalogue().definition(name);
      if (definition) return builder.build(definition).value;
      return isRemoteName(name) ? source.remoteTool(calledName(name))?.value : source.baseTool(name);
    },
    prepare: source.loadBaseOf,
    complete: source.loadAll,
  });
}

/** Returns the name with a span of its own, because it is not in any file. */
function calledName(value: string): Spanned<string> {
  return { value, span: { source: { path: "(call)", text: value }, start: 0, end: value.length } };
}

/** What is wrong with the tools: each function loads everything before it looks. */
export interface Diagnosis {
  /** Returns all diagnostics of all definitions and plugins. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /**
   * Returns the builder's diagnostics of the definition that has the name, as far as its own errors allow, or of `entry`
   * if that is for another platform.
   */
  buildDiagnostics(name: string, entry?: CatalogueEntry): Promise<readonly Diagnostic[]>;
  pluginDiagnostics(): Promise<readonly PluginDiagnostic[]>;
}

function diagnosisOf(source: ToolSource, builder: ToolBuilder, { complete }: ToolRegistry): Diagnosis {
  const parts = { source, builder };
  return {
    diagnostics: async () => {
      await complete();
      return (await import("./build-diagnostics.ts")).allDiagnostics(parts);
    },
    buildDiagnostics: async (name, entry) => {
      await complete();
      return (await import("./build-diagnostics.ts")).buildDiagnosticsOf(name, { ...parts, entry });
    },
    pluginDiagnostics: async () => {
      await complete();
      return source.pluginDiagnostics();
    },
  };
}

/** Returns what decides about calls: trust, rules and approvals. */
function judgedBy(
  source: ToolSource,
  { buildDiagnostics }: Diagnosis,
  { host, cwd, warn, approver }: AssembleOptions & { readonly host: Host },
): Pick<Session, "distrust" | "distrusted" | "broken" | "policy" | "guard" | "approver"> {
  const { catalogue, policy } = source;
  return {
    distrust: (name) => distrustBelow(name, catalogue(), host),
    distrusted: async (names) => distrustedAmong(names, catalogue(), host),
    broken: async (name) =>
      (await import("./broken-tool.ts")).brokenFailure(name, { catalogue, buildDiagnostics, host }),
    policy,
    guard: new Guard({
      host,
      projectConfigs: () =>
        projectConfigs(
          catalogue().folders.find(({ scope, isLookedAt }) => scope === "project" && isLookedAt),
          { host, cwd },
        ),
      toolFolders: () => catalogue().folders.map(({ path }) => path),
      ...(warn ? { warn } : {}),
    }),
    approver: approver ?? { ask: () => Promise.resolve("denied") },
  };
}

/** Returns the parts of a session that the caller of `assemble` decides. */
function sharedBy(
  { cwd, readerFolder, audience, frontEnd, person, isConfirmed, onEvent }: AssembleOptions,
  host: Host,
): Pick<Session, "host" | "cwd" | "audience" | "setting" | "sandboxSettings" | "memory"> & Partial<Session> {
  return {
    host,
    cwd,
    audience: audience ?? "person",
    setting: createSettings(host),
    sandboxSettings: sandboxSettings(host),
    memory: new Map(),
    ...(readerFolder === undefined ? {} : { readerFolder }),
    ...(frontEnd ? { frontEnd } : {}),
    ...(person ? { person } : {}),
    ...(isConfirmed ? { isConfirmed } : {}),
    ...(onEvent ? { onEvent } : {}),
  };
}
