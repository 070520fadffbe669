// All definitions that a working directory can see, each with its standing: what `list`, `show`, `check` and the registry read.
// Opening it finds the tool folders, reads each from its cache or parses it, and gives each name to one definition; whole definitions are read when they are asked for.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { BundledTool } from "./bundled.ts";
import { diagnoseStanding } from "./diagnose-standing.ts";
import type { CatalogueEntry, Place } from "./entry.ts";
import { type LoadFrontEnd, loadFrontEnd } from "./front-end.ts";
import { bundledHolding, claimOf, definitionOf, diagnoseHolding, entryOf, type Holding, holdingsOf } from "./holding.ts";
import { type LoadedFolder, loadFolder } from "./load-folder.ts";
import { resolveClaims, type TakenNames } from "./resolve.ts";
import { findToolFolders, type ToolFolder } from "./tool-folders.ts";

export interface CatalogueOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`, then from DOTTOOL_PATH: folders, or single definitions. */
  readonly givenFolders: readonly string[];
  /** Names of the tools made in TypeScript. */
  readonly taken: TakenNames;
  /** Those of src/generated/bundled-tools.ts. */
  readonly bundled: readonly BundledTool[];
  /** Changes with everything that a parsed definition depends on: src/generated/front-end-key.ts. */
  readonly cacheKey: string;
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  readonly loadFrontEnd?: LoadFrontEnd;
}

export interface PluginFile {
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

export interface Catalogue {
  /** By name; those of one name nearest first. */
  readonly entries: readonly CatalogueEntry[];
  readonly folders: readonly ToolFolder[];
  /** `plugins/*.ts`, nearest folder first. */
  readonly plugins: readonly PluginFile[];
  /** What is wrong with folders, and files that cannot be read. */
  readonly folderDiagnostics: readonly Diagnostic[];
  /** Names that reach a definition, sorted. */
  names(): readonly string[];
  /** What has the name, even when it is broken. */
  entry(name: string): CatalogueEntry | undefined;
  /** What a call of the name reaches; none where it is broken. */
  definition(name: string): ToolDefinition | undefined;
  /** Of any entry, whatever its standing; none where it has errors. */
  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined;
  /** Absolute; absent inside the executable. */
  absolutePathOf(entry: CatalogueEntry): string | undefined;
  /** Errors and warnings of its text and of its name. Parses again where there are any. */
  diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]>;
  /** All there is to say: of folders, then of entries by path. */
  diagnostics(): Promise<readonly Diagnostic[]>;
}

export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { folders, diagnostics } = findToolFolders(options);
  const load = { ...options, loadFrontEnd: options.loadFrontEnd ?? loadFrontEnd };
  const loaded: LoadedFolder[] = [];
  for (const folder of folders) loaded.push(await loadFolder(folder, load));
  const holdings = [...loaded.flatMap((one, index) => holdingsOf(one, index, options.host)), ...options.bundled.map((tool) => bundledHolding(tool, loaded.length))];
  const standings = resolveClaims(holdings.map(claimOf), options.taken);
  const holdingOf = new Map(holdings.map((holding, index) => [entryOf(holding, standings[index] ?? { kind: "used" }), holding]));
  // Sorting keeps the order of equals, so those of one name stay nearest first.
  const entries = [...holdingOf.keys()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const held = new Map<string, CatalogueEntry>();
  for (const entry of entries) if (entry.standing.kind === "used" || entry.standing.kind === "broken") held.set(entry.name, entry);
  const folderDiagnostics = [...diagnostics, ...loaded.flatMap((one) => one.diagnostics)];
  const definitions = new Map<CatalogueEntry, ToolDefinition | undefined>();
  let placed: ReadonlyMap<string, Holding> | undefined;

  const wholeOf = (entry: CatalogueEntry): ToolDefinition | undefined => {
    const holding = holdingOf.get(entry);
    if (!definitions.has(entry)) definitions.set(entry, holding && definitionOf(holding));
    return definitions.get(entry);
  };
  const diagnosticsOf = async (entry: CatalogueEntry): Promise<readonly Diagnostic[]> => {
    const holding = holdingOf.get(entry);
    if (!holding) return [];
    const inside = await diagnoseHolding(holding, options.host, load.loadFrontEnd);
    // The front end knows the names that no definition can take as well, and can point closer.
    if (inside.some((one) => one.code === "reserved-name")) return inside;
    const rival = rivalPlace(entry);
    placed ??= new Map(holdings.map((one) => [placeKey(one.scope, one.source.path), one]));
    return [...inside, ...diagnoseStanding(entry, holding, rival && placed.get(placeKey(rival.scope, rival.path)))];
  };
  return {
    entries,
    folders,
    plugins: loaded.flatMap(({ plugins, folder }) => plugins.map((path) => ({ path, folder }))),
    folderDiagnostics,
    names: () => [...held.values()].filter((entry) => entry.standing.kind === "used").map((entry) => entry.name),
    entry: (name) => held.get(name),
    definition: (name) => {
      const entry = held.get(name);
      return entry && wholeOf(entry);
    },
    definitionOf: wholeOf,
    absolutePathOf: (entry) => holdingOf.get(entry)?.loaded?.file.path,
    diagnosticsOf,
    diagnostics: async () => {
      const all = [...folderDiagnostics];
      for (const entry of holdingOf.keys()) {
        const { errorCount, warningCount, standing } = entry;
        if (errorCount + warningCount > 0 || standing.kind !== "used") all.push(...(await diagnosticsOf(entry)));
      }
      return all;
    },
  };
}

function placeKey(scope: Place["scope"], path: string): string {
  return `${scope} ${path}`;
}

function rivalPlace({ standing }: CatalogueEntry): Place | undefined {
  switch (standing.kind) {
    case "duplicate":
      return standing.of;
    case "shadowed":
    case "refused":
      return standing.by;
    case "used":
    case "broken":
    case "reserved":
      return undefined;
  }
}
