// Opens the catalogue: finds tool folders, reads each from its cache or parses it, and gives each name to one definition.
// That looks at every file's date; whole definitions are read when they are asked for.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Catalogue, CatalogueOptions } from "./catalogue.ts";
import { diagnoseStanding } from "./diagnose-standing.ts";
import type { CatalogueEntry, Place } from "./entry.ts";
import { loadFrontEnd } from "./front-end.ts";
import { bundledHolding, claimOf, definitionOf, diagnoseHolding, entryOf, type Holding, holdingsOf } from "./holding.ts";
import { type LoadedFolder, loadFolder } from "./load-folder.ts";
import { resolveClaims } from "./resolve.ts";
import { findToolFolders } from "./tool-folders.ts";

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
