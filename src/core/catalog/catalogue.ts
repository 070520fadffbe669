// All definitions that a working folder can see, each with its resolution, for `list`, `show`, `check` and the
// registry. Opening it finds the tool folders, reads each from its cache or parses it, and gives each name to one
// definition. Whole definitions are read when they are asked for.
import type { SoundPart } from "../language/fields/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import { raisedEffects } from "../builder/effects.ts";
import { type Effect, reachedFrom, type ToolDefinition } from "../tool/definition.ts";
import { loadPart } from "../tool/feature.ts";
import type { Host } from "../tool/host.ts";
import type { BundledTool } from "./bundled.ts";
import { resolutionsOf, type ResolveOptions, SoleOwners, type TakenNames, withToolNames } from "./resolve.ts";
import type { CatalogueEntry, Resolution } from "./entry.ts";
import { type LoadDefinitionReader, loadDefinitionReader } from "./definition-reader.ts";
import { definitionContentOf, definitionOf, entryOf, type LoadedDefinition, sourceOf } from "./loaded-definition.ts";
import { type EarlierFolders, type LoadedFolder, loadFolder } from "./load-folder.ts";
import type { UnreadableFile } from "./discover.ts";
import { Recent } from "../tool/recent.ts";
import { type DefinitionContent, distrustOf, trustStateOf } from "./trust.ts";
import { type ContributedFolder, findToolFolders, type LookedAtFolder, type ToolFolder } from "./tool-folders.ts";
import type { TrustState } from "./trust-state.ts";

export interface PackageFolders {
  readonly folders: readonly ToolFolder[];
  /** Records that cannot be used. */
  readonly diagnostics: readonly Diagnostic[];
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Returns the packages of the nearest folder that has any, then the user's own. */
    packageFolders: (cwd: string, host: Host) => PackageFolders;
  }
}

interface CatalogueOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`, then from DOTTOOL_PATH: folders, or single definitions. */
  readonly givenFolders: readonly string[];
  readonly lookedAtFolders?: readonly LookedAtFolder[] | undefined;
  readonly contributedFolders?: readonly ContributedFolder[];
  /** Names of the tools made in TypeScript. */
  readonly taken: TakenNames;
  /** The definitions of src/generated/bundled-tools.ts. */
  readonly bundled: readonly BundledTool[];
  /**
   * A key that changes with everything on which a parsed definition depends: src/generated/definition-reader-key.ts.
   */
  readonly cacheKey: string;
  /** An earlier catalogue, whose unchanged parts are reused. */
  readonly earlier?: EarlierFolders | undefined;
  /** A folder to use instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  /** The folders of packages, instead of those that are installed. */
  readonly packageFolders?: readonly ToolFolder[];
  /** Set if the names of tools of plugins are not known yet: then a name that nothing has may be one of them. */
  readonly lacksPlugins?: boolean | undefined;
  readonly loadDefinitionReader?: LoadDefinitionReader;
  readonly isForAuthor?: true | undefined;
}

interface PluginFile {
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

export interface Catalogue {
  /** The entries by name, the nearest first within a name. */
  readonly entries: readonly CatalogueEntry[];
  readonly folders: readonly ToolFolder[];
  /** `plugins/*.ts`, nearest folder first. */
  readonly plugins: readonly PluginFile[];
  /** Problems of folders, and of files that cannot be read. */
  readonly folderDiagnostics: readonly Diagnostic[];
  /** The files that cannot be read. */
  readonly unreadable: readonly UnreadableFile[];
  /** Names that reach a definition, sorted. */
  names(): readonly string[];
  /** Returns the definition that has the name, even when it is broken. */
  entry(name: string): CatalogueEntry | undefined;
  /** Returns the definition that a call of the name reaches. Undefined if it is broken. */
  definition(name: string): ToolDefinition | undefined;
  /**
   * Returns the file and the content that a call of the name reaches. Undefined for definitions inside the executable.
   */
  contentOf(name: string): DefinitionContent | undefined;
  /**
   * Returns a key that is the same as long as the content of everything that the name reaches and depends on is.
   * Undefined if a part of it is not a definition.
   */
  contentKeyOf(name: string): string | undefined;
  /** Returns the definition of any entry, whatever its resolution; undefined if it has errors. */
  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined;
  /**
   * Returns the effects of a call, as the builder would, without reading the definition. `ofBase` gives those of the
   * tools made in TypeScript.
   */
  effectsOf(entry: CatalogueEntry, ofBase: (name: string) => readonly Effect[] | undefined): readonly Effect[];
  /** Returns the absolute path, or undefined inside the executable. */
  absolutePathOf(entry: CatalogueEntry): string | undefined;
  /** Returns its file as text, empty if that is gone. */
  sourceOf(entry: CatalogueEntry): SourceFile | undefined;
  /** Returns errors and warnings of its text and of its name. It is parsed again if there are any. */
  diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]>;
  /** Returns what can be built of a definition with errors; undefined if that is nothing. */
  soundPartOf(entry: CatalogueEntry): Promise<SoundPart | undefined>;
  /** Returns the trust of a folder. */
  trustOf(folder: ToolFolder): TrustState;
  /** Returns all diagnostics: of folders, then of entries by path. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** The loaded folders, which is all that the next catalogue needs of this one. */
  readonly loaded: readonly LoadedFolder[];
}

export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const found = findToolFolders(options);
  const installed = options.packageFolders ? { folders: options.packageFolders } : await installedFolders(options);
  const folders = [...found.folders, ...(installed?.folders ?? [])];
  const diagnostics = [...found.diagnostics, ...(installed?.diagnostics ?? [])];
  const { earlier, ...lasting } = options;
  const load = { ...lasting, loadDefinitionReader: options.loadDefinitionReader ?? loadDefinitionReader };
  const loaded: LoadedFolder[] = [];
  for (const folder of folders) loaded.push(await loadFolder(folder, { ...load, earlier }));
  return new LoadedCatalogue(loaded, [...diagnostics, ...loaded.flatMap((one) => one.diagnostics)], load);
}

/** Most users have no packages, and do not load what finds them. */
async function installedFolders({ host, cwd }: CatalogueOptions): Promise<Partial<PackageFolders> | undefined> {
  return host.instant.stat(`${host.folders.state}/packages`)
    ? (await loadPart("packageFolders"))?.(cwd, host)
    : undefined;
}

/** The limit of definitions in memory as data. All are there as text. */
const DEFINITIONS_MAX = 1_000;

/** Resolves names one by one as they are asked for: a call needs one of them, and `list` all. */
class LoadedCatalogue implements Catalogue {
  readonly folders: readonly ToolFolder[];
  readonly plugins: readonly PluginFile[];
  readonly folderDiagnostics: readonly Diagnostic[];
  readonly unreadable: readonly UnreadableFile[];
  readonly loaded: readonly LoadedFolder[];
  private readonly options: CatalogueOptions & { readonly loadDefinitionReader: LoadDefinitionReader };
  private readonly nearest = new Map<string, LoadedDefinition>();
  /** The other definitions of each name, in order. Few names have any. */
  private readonly farther = new Map<string, LoadedDefinition[]>();
  private readonly entriesByName = new Map<string, readonly CatalogueEntry[]>();
  private readonly definitions = new Recent<LoadedDefinition, ToolDefinition | undefined>(DEFINITIONS_MAX);
  private readonly resolving: ResolveOptions;
  private readonly trusted = new Map<ToolFolder, TrustState>();
  private readonly owners: SoleOwners;
  private sorted: readonly CatalogueEntry[] | undefined;

  constructor(
    loaded: readonly LoadedFolder[],
    diagnostics: readonly Diagnostic[],
    options: LoadedCatalogue["options"],
  ) {
    this.loaded = loaded;
    this.folders = loaded.map((one) => one.folder);
    this.plugins = loaded.flatMap(({ plugins, folder }) => plugins.map((path) => ({ path, folder })));
    this.folderDiagnostics = diagnostics;
    this.unreadable = loaded.flatMap((one) => one.unreadable);
    this.options = options;
    this.resolving = {
      taken: options.taken,
      platform: options.host.platform,
      isTrusted: (rival) => this.isTrusted(rival),
    };
    this.owners = new SoleOwners({
      wanted: () => this.nearest.keys(),
      isTaken: (name) =>
        options.taken.base.has(name) ||
        this.nearest.has(name) ||
        (options.lacksPlugins === true && this.plugins.length > 0),
      isUsed: (name) => this.resolutionsOf(name).some(({ kind }) => kind === "used"),
      isTrusted: (name) => this.rivalsOf(name).some((loaded) => this.isTrusted(loaded)),
    });
    for (const { files } of loaded) {
      this.add(files.filter(({ file }) => !file.isSorted));
      this.add(files.filter(({ file }) => file.isSorted));
    }
    this.add(options.bundled);
  }

  get entries(): readonly CatalogueEntry[] {
    this.sorted ??= [...this.nearest.keys()].sort().flatMap((name) => this.entriesOf(name));
    return this.sorted;
  }

  names(): readonly string[] {
    return this.entries.filter((entry) => entry.resolution.kind === "used").map((entry) => entry.name);
  }

  entry(name: string): CatalogueEntry | undefined {
    return this.entriesOf(name).find(({ resolution }) => hasName(resolution));
  }

  /** Makes no entries: they need the summaries, which a call does not use. */
  definition(name: string): ToolDefinition | undefined {
    const loaded = this.reachedBy(name);
    return loaded && this.wholeOf(loaded);
  }

  contentOf(name: string): DefinitionContent | undefined {
    const loaded = this.reachedBy(name);
    return loaded && definitionContentOf(loaded);
  }

  contentKeyOf(name: string): string | undefined {
    const parts: string[] = [];
    for (const next of reachedFrom([name], (one) => this.entry(one)?.standsOn ?? [])) {
      const entry = this.entry(next);
      if (!entry && !this.options.taken.base.has(next)) return undefined;
      if (!entry) continue;
      const { sha256, trustedSha256 = sha256 } = this.contentOf(next) ?? {};
      parts.push(`${next} ${trustedSha256 ?? entry.path} ${entry.resolution.kind}`);
    }
    return parts.join("\n");
  }

  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined {
    const loaded = this.loadedOf(entry);
    return loaded && this.wholeOf(loaded);
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
    // Tools that depend on each other in a cycle cannot run.
    known.set(own, effects);
    const parts = inheritsFrom.map((name) => {
      // A definition may take over a base tool's name and still wrap it.
      const at = name === own ? undefined : this.entry(name);
      return at ? this.effectsOf(at, ofBase, known) : (ofBase(name) ?? []);
    });
    const isUnknown = mayDoAnything || parts.some((part) => part.length === 0);
    const joined = isUnknown ? [] : raisedEffects(parts.flat(), effects);
    known.set(own, joined);
    return joined;
  }

  absolutePathOf(entry: CatalogueEntry): string | undefined {
    const loaded = this.loadedOf(entry);
    return loaded && "cached" in loaded ? loaded.file.path : undefined;
  }

  sourceOf(entry: CatalogueEntry): SourceFile | undefined {
    const loaded = this.loadedOf(entry);
    return loaded && sourceOf(loaded, this.options.host);
  }

  async diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]> {
    const loaded = this.loadedOf(entry);
    if (!loaded) return [];
    const { name } = entry;
    const { diagnose } = await import("./diagnose.ts");
    return diagnose({ entry, loaded, entries: this.entriesOf(name), rivals: this.rivalsOf(name) }, this.options);
  }

  async soundPartOf(entry: CatalogueEntry): Promise<SoundPart | undefined> {
    const loaded = entry.resolution.kind === "broken" ? this.loadedOf(entry) : undefined;
    return loaded && (await import("./diagnose.ts")).soundPartOf(loaded, this.options);
  }

  trustOf(folder: ToolFolder): TrustState {
    return trustStateOf(folder, this.options.host);
  }

  async diagnostics(): Promise<readonly Diagnostic[]> {
    const all = [...this.folderDiagnostics];
    const odd = this.entries.filter(
      ({ errorCount, warningCount, resolution }) => errorCount + warningCount > 0 || resolution.kind !== "used",
    );
    for (const entry of odd) all.push(...(await this.diagnosticsOf(entry)));
    return all;
  }

  private add(loaded: readonly LoadedDefinition[]): void {
    for (const one of loaded) {
      const others = this.farther.get(one.name);
      if (others) others.push(one);
      else if (this.nearest.has(one.name)) this.farther.set(one.name, [one]);
      else this.nearest.set(one.name, one);
    }
  }

  private rivalsOf(name: string): readonly LoadedDefinition[] {
    const first = this.nearest.get(name);
    const others = this.farther.get(name);
    return first ? (others ? [first, ...others] : [first]) : [];
  }

  private entriesOf(name: string): readonly CatalogueEntry[] {
    const known = this.entriesByName.get(name);
    if (known) return known;
    const rivals = this.rivalsOf(name);
    const resolutions = resolutionsOf(name, rivals, this.resolving);
    const entries = rivals.map((loaded, index) => this.entryOf(loaded, resolutions[index] ?? { kind: "used" }));
    this.entriesByName.set(name, entries);
    return entries;
  }

  private entryOf(loaded: LoadedDefinition, resolution: Resolution): CatalogueEntry {
    const entry = entryOf(loaded, resolution);
    const { name: user, standsOn = [], inheritsFrom, dependsOn = [] } = entry;
    const meant = (name: string): string => this.owners.nameFor(name, user);
    if ([...standsOn, ...dependsOn].every((name) => meant(name) === name)) return entry;
    return {
      ...entry,
      standsOn: standsOn.map(meant),
      dependsOn: dependsOn.map(meant),
      ...(inheritsFrom === undefined ? {} : { inheritsFrom: inheritsFrom.map(meant) }),
    };
  }

  private reachedBy(name: string): LoadedDefinition | undefined {
    return this.rivalsOf(name)[this.resolutionsOf(name).findIndex(hasName)];
  }

  private resolutionsOf(name: string): readonly Resolution[] {
    return resolutionsOf(name, this.rivalsOf(name), this.resolving);
  }

  private loadedOf(entry: CatalogueEntry): LoadedDefinition | undefined {
    return this.rivalsOf(entry.name)[this.entriesOf(entry.name).indexOf(entry)];
  }

  private wholeOf(loaded: LoadedDefinition): ToolDefinition | undefined {
    if (this.definitions.has(loaded)) return this.definitions.get(loaded);
    const read = definitionOf(loaded, this.options.host);
    const whole = read && withToolNames(read, (name) => this.owners.nameFor(name, read.name.value));
    this.definitions.set(loaded, whole);
    return whole;
  }

  /** Each folder is looked at once, since names mean the same for as long as the catalogue exists. */
  private isTrusted(loaded: LoadedDefinition): boolean {
    const { folder } = loaded;
    if (!folder) return false;
    const state = this.trusted.get(folder) ?? trustStateOf(folder, this.options.host);
    this.trusted.set(folder, state);
    if (state.isTrusted || !state.part) return state.isTrusted;
    const content = definitionContentOf(loaded);
    return content !== undefined && distrustOf(content, this.options.host, state) === undefined;
  }
}

function hasName(resolution: Resolution): boolean {
  return resolution.kind === "used" || resolution.kind === "broken";
}
