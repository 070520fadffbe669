// All definitions that a working directory can see, each with its standing: what `list`, `show`, `check` and the
// registry read. Opening it finds the tool folders, reads each from its cache or parses it, and gives each name to one
// definition; whole definitions are read when they are asked for.
import type { SoundPart } from "../language/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { raisedEffects } from "../builder/effects.ts";
import type { Effect, ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { BundledTool } from "./bundled.ts";
import { diagnoseStanding } from "./diagnose-standing.ts";
import type { CatalogueEntry, Standing } from "./entry.ts";
import { type LoadFrontEnd, loadFrontEnd } from "./front-end.ts";
import {
  bundledHolding,
  contentOf,
  definitionOf,
  diagnoseHolding,
  entryOf,
  type Holding,
  holdingsOf,
  placeOf,
  soundPartOf,
  sourceOf,
  summaryOf,
} from "./holding.ts";
import { type LoadedFolder, loadFolder } from "./load-folder.ts";
import type { UnreadableFile } from "./discover.ts";
import { type ClaimsOptions, standingsOf, type TakenNames } from "./resolve.ts";
import { Recent } from "../tool/recent.ts";
import { lookingOnce } from "./look-once.ts";
import { type DefinitionContent, type TrustState, trustStateOf } from "./trust.ts";
import { type ContributedFolder, findToolFolders, type LookedAtFolder, type ToolFolder } from "./tool-folders.ts";

export interface CatalogueOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`, then from DOTTOOL_PATH: folders, or single definitions. */
  readonly givenFolders: readonly string[];
  readonly lookedAtFolders?: readonly LookedAtFolder[] | undefined;
  readonly contributedFolders?: readonly ContributedFolder[];
  /** Names of the tools made in TypeScript. */
  readonly taken: TakenNames;
  /** Those of src/generated/bundled-tools.ts. */
  readonly bundled: readonly BundledTool[];
  /** Changes with everything that a parsed definition depends on: src/generated/front-end-key.ts. */
  readonly cacheKey: string;
  /** Definitions are not asked for, only what is known without reading them. */
  readonly isForLists?: boolean | undefined;
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
  /** Those files. */
  readonly unreadable: readonly UnreadableFile[];
  /** Names that reach a definition, sorted. */
  names(): readonly string[];
  /** What has the name, even when it is broken. */
  entry(name: string): CatalogueEntry | undefined;
  /** What a call of the name reaches; none where it is broken. */
  definition(name: string): ToolDefinition | undefined;
  /** Which content of which file a call of the name reaches; none inside the executable. */
  contentOf(name: string): DefinitionContent | undefined;
  /**
   * The same for as long as the content of all that the name reaches and stands on is the same. Undefined: a part of it
   * is no definition, so nobody knows.
   */
  contentKeyOf(name: string): string | undefined;
  /** Of any entry, whatever its standing; none where it has errors. */
  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined;
  /**
   * What a call of it may do, as the builder would say, without reading the definition. `ofBase`: of the tools made in
   * TypeScript.
   */
  effectsOf(entry: CatalogueEntry, ofBase: (name: string) => readonly Effect[] | undefined): readonly Effect[];
  /** Absolute; absent inside the executable. */
  absolutePathOf(entry: CatalogueEntry): string | undefined;
  /** Errors and warnings of its text and of its name. Parses again where there are any. */
  diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]>;
  /** Of one with errors, what can be built without them; none where that is nothing. */
  soundPartOf(entry: CatalogueEntry): Promise<SoundPart | undefined>;
  /** As it is now, or for lists as it was when this was opened. */
  trustOf(folder: ToolFolder): TrustState;
  /** All there is to say: of folders, then of entries by path. */
  diagnostics(): Promise<readonly Diagnostic[]>;
}

export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { folders, diagnostics } = findToolFolders(options);
  const host = options.isForLists ? { ...options.host, instant: lookingOnce(options.host.instant) } : options.host;
  const load = { ...options, host, loadFrontEnd: options.loadFrontEnd ?? loadFrontEnd };
  const loaded: LoadedFolder[] = [];
  for (const folder of folders) loaded.push(await loadFolder(folder, load));
  return new LoadedCatalogue(loaded, [...diagnostics, ...loaded.flatMap((one) => one.diagnostics)], load);
}

/** In memory as data; all are there as text. */
const DEFINITIONS_MAX = 1_000;

/** Names are given out one by one as they are asked for: a call wants one of them, and `list` all. */
class LoadedCatalogue implements Catalogue {
  readonly folders: readonly ToolFolder[];
  readonly plugins: readonly PluginFile[];
  readonly folderDiagnostics: readonly Diagnostic[];
  readonly unreadable: readonly UnreadableFile[];
  private readonly options: CatalogueOptions & { readonly loadFrontEnd: LoadFrontEnd };
  /** By name, the nearest. */
  private readonly nearest = new Map<string, Holding>();
  /** By name, in order: few names are wanted twice. */
  private readonly farther = new Map<string, Holding[]>();
  private readonly entriesByName = new Map<string, readonly CatalogueEntry[]>();
  private readonly definitions = new Recent<Holding, ToolDefinition | undefined>(DEFINITIONS_MAX);
  private readonly claims: ClaimsOptions<Holding>;
  private readonly trusted = new Map<number, boolean>();
  private sorted: readonly CatalogueEntry[] | undefined;

  constructor(
    loaded: readonly LoadedFolder[],
    diagnostics: readonly Diagnostic[],
    options: LoadedCatalogue["options"],
  ) {
    this.folders = loaded.map((one) => one.folder);
    this.plugins = loaded.flatMap(({ plugins, folder }) => plugins.map((path) => ({ path, folder })));
    this.folderDiagnostics = diagnostics;
    this.unreadable = loaded.flatMap((one) => one.unreadable);
    this.options = options;
    this.claims = { taken: options.taken, placeOf, isTrusted: (holding) => this.isTrusted(holding.folderIndex) };
    loaded.forEach((folder, index) => this.add(holdingsOf(folder, index)));
    this.add(options.bundled.map((tool) => bundledHolding(tool, loaded.length)));
  }

  get entries(): readonly CatalogueEntry[] {
    this.sorted ??= [...this.nearest.keys()].sort().flatMap((name) => this.entriesOf(name));
    return this.sorted;
  }

  names(): readonly string[] {
    return this.entries.filter((entry) => entry.standing.kind === "used").map((entry) => entry.name);
  }

  entry(name: string): CatalogueEntry | undefined {
    return this.entriesOf(name).find(({ standing }) => hasName(standing));
  }

  /** Makes no entries: they take the summaries, which a call has no use for. */
  definition(name: string): ToolDefinition | undefined {
    const holding = this.reachedBy(name);
    return holding && this.wholeOf(holding);
  }

  contentOf(name: string): DefinitionContent | undefined {
    const holding = this.reachedBy(name);
    return holding && contentOf(holding);
  }

  contentKeyOf(name: string): string | undefined {
    const parts: string[] = [];
    const seen = new Set<string>();
    const waiting = [name];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const entry = this.entry(next);
      if (!entry && !this.options.taken.base.has(next)) return undefined;
      if (!entry) continue;
      parts.push(`${next} ${this.contentOf(next)?.sha256 ?? entry.path} ${entry.standing.kind}`);
      waiting.push(...(entry.standsOn ?? []));
    }
    return parts.join("\n");
  }

  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined {
    const holding = this.holdingOf(entry);
    return holding && this.wholeOf(holding);
  }

  effectsOf(
    entry: CatalogueEntry,
    ofBase: (name: string) => readonly Effect[] | undefined,
    known = new Map<string, readonly Effect[]>(),
  ): readonly Effect[] {
    const { name: own, effects, inheritsFrom, mayDoAnything } = entry;
    if (inheritsFrom === undefined) return effects;
    const found = known.get(own);
    if (found) return found;
    // Where they stand on each other in a circle, none of them can run.
    known.set(own, effects);
    const parts = inheritsFrom.map((name) => {
      // A definition may take over a base tool's name and still sit on it.
      const at = name === own ? undefined : this.entry(name);
      return at ? this.effectsOf(at, ofBase, known) : (ofBase(name) ?? []);
    });
    const isUnknown = mayDoAnything || parts.some((part) => part.length === 0);
    const joined = isUnknown ? [] : raisedEffects(parts.flat(), effects);
    known.set(own, joined);
    return joined;
  }

  absolutePathOf(entry: CatalogueEntry): string | undefined {
    const origin = this.holdingOf(entry)?.origin;
    return origin && "cached" in origin ? origin.file.path : undefined;
  }

  async diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]> {
    const holding = this.holdingOf(entry);
    if (!holding) return [];
    const inside = await diagnoseHolding(holding, this.options.host, this.options.loadFrontEnd);
    // The front end knows the names that no definition can take as well, and can point closer.
    if (entry.standing.kind === "used" || inside.some((one) => one.code === "reserved-name")) return inside;
    const rival = this.rivalOf(entry);
    return [
      ...inside,
      ...diagnoseStanding(entry, { own: this.nameSpan(holding), rival: rival && this.nameSpan(rival) }),
    ];
  }

  async soundPartOf(entry: CatalogueEntry): Promise<SoundPart | undefined> {
    const holding = entry.standing.kind === "broken" ? this.holdingOf(entry) : undefined;
    return holding && soundPartOf(holding, this.options.host, this.options.loadFrontEnd);
  }

  trustOf(folder: ToolFolder): TrustState {
    return trustStateOf(folder, this.options.host);
  }

  async diagnostics(): Promise<readonly Diagnostic[]> {
    const all = [...this.folderDiagnostics];
    const odd = this.entries.filter(
      ({ errorCount, warningCount, standing }) => errorCount + warningCount > 0 || standing.kind !== "used",
    );
    for (const entry of odd) all.push(...(await this.diagnosticsOf(entry)));
    return all;
  }

  private add(holdings: readonly Holding[]): void {
    for (const holding of holdings) {
      const others = this.farther.get(holding.name);
      if (others) others.push(holding);
      else if (this.nearest.has(holding.name)) this.farther.set(holding.name, [holding]);
      else this.nearest.set(holding.name, holding);
    }
  }

  private rivalsOf(name: string): readonly Holding[] {
    const first = this.nearest.get(name);
    const others = this.farther.get(name);
    return first ? (others ? [first, ...others] : [first]) : [];
  }

  private entriesOf(name: string): readonly CatalogueEntry[] {
    const known = this.entriesByName.get(name);
    if (known) return known;
    const rivals = this.rivalsOf(name);
    const standings = standingsOf(name, rivals, this.claims);
    const entries = rivals.map((holding, index) => entryOf(holding, standings[index] ?? { kind: "used" }));
    this.entriesByName.set(name, entries);
    return entries;
  }

  private reachedBy(name: string): Holding | undefined {
    return this.rivalsOf(name)[this.standingsOf(name).findIndex(hasName)];
  }

  private standingsOf(name: string): readonly Standing[] {
    return standingsOf(name, this.rivalsOf(name), this.claims);
  }

  /** Of an entry of this catalogue. */
  private holdingOf(entry: CatalogueEntry): Holding | undefined {
    return this.rivalsOf(entry.name)[this.entriesOf(entry.name).indexOf(entry)];
  }

  private wholeOf(holding: Holding): ToolDefinition | undefined {
    if (this.definitions.has(holding)) return this.definitions.get(holding);
    const whole = definitionOf(holding, this.options.host);
    this.definitions.set(holding, whole);
    return whole;
  }

  private nameSpan(holding: Holding): Span {
    const { nameStart, nameEnd } = summaryOf(holding);
    return { source: sourceOf(holding, this.options.host), start: nameStart, end: nameEnd };
  }

  /** Asked once for each folder: names mean the same for as long as the catalogue lives. */
  private isTrusted(folderIndex: number): boolean {
    const known = this.trusted.get(folderIndex);
    if (known !== undefined) return known;
    const folder = this.folders[folderIndex];
    const isTrusted = folder !== undefined && trustStateOf(folder, this.options.host).isTrusted;
    this.trusted.set(folderIndex, isTrusted);
    return isTrusted;
  }

  private rivalOf({ name, standing }: CatalogueEntry): Holding | undefined {
    const place =
      standing.kind === "duplicate"
        ? standing.of
        : standing.kind === "shadowed" || standing.kind === "refused"
          ? standing.by
          : undefined;
    const index = place
      ? this.entriesOf(name).findIndex(({ path, scope }) => path === place.path && scope === place.scope)
      : -1;
    return this.rivalsOf(name)[index];
  }
}

function hasName(standing: Standing): boolean {
  return standing.kind === "used" || standing.kind === "broken";
}
