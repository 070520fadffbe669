// A definition that is loaded: what is known of it without reading all of it, and how to get the rest.
import { dirname, basename } from "node:path";
import type { SoundPart } from "../language/fields/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { BUNDLED_PREFIX, type BundledTool } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, Place, Resolution } from "./entry.ts";
import type { LoadDefinitionReader, ReadPlace } from "./definition-reader.ts";
import { DEFINITION_ENDING, type FoundFile } from "./discover.ts";
import type { LoadedFile } from "./load-folder.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";
import type { DefinitionContent } from "./trust.ts";
import { shownPathIn } from "./tool-folders.ts";

/**
 * The second stage of a definition, which its name may resolve to. The first is a `FoundFile`, the third a
 * `CatalogueEntry`.
 */
export type LoadedDefinition = LoadedFile | BundledTool;

/** Returns the path as shown to people. */
function pathOf(loaded: LoadedDefinition): string {
  return "cached" in loaded ? shownPathIn(loaded.folder, loaded.file.path) : BUNDLED_PREFIX + loaded.fileName;
}

export function sourceOf(loaded: LoadedDefinition, host: Host): SourceFile {
  const path = pathOf(loaded);
  return lazySource(path, () => ("cached" in loaded ? textOf(loaded, path, host) : loaded.text));
}

/** Returns an empty text if the file is gone, and its places cannot be shown. */
function textOf({ file }: LoadedFile, shownPath: string, host: Host): string {
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function summaryOf(loaded: LoadedDefinition): DefinitionSummary {
  return "cached" in loaded ? (loaded.parts.summaryOf(loaded.cached) ?? nameless(loaded.file)) : loaded.summary;
}

export function placeOf(loaded: LoadedDefinition): Place {
  return { scope: loaded.scope, path: pathOf(loaded), line: summaryOf(loaded).line };
}

export function entryOf(loaded: LoadedDefinition, resolution: Resolution): CatalogueEntry {
  const { scope, errorCount, warningCount } = loaded;
  return { ...summaryOf(loaded), scope, path: pathOf(loaded), errorCount, warningCount, resolution };
}

export function contentOf(loaded: LoadedDefinition): DefinitionContent | undefined {
  if (!("cached" in loaded)) return undefined;
  const { folder, file, cached, parts } = loaded;
  // Most callers only need its place.
  return {
    folder,
    path: file.path,
    get sha256() {
      return parts.sha256Of(cached);
    },
  };
}

export function definitionOf(loaded: LoadedDefinition, host: Host): ToolDefinition | undefined {
  const text = "cached" in loaded ? loaded.parts.definitionText(loaded.cached) : loaded.definition;
  if (text === undefined) return undefined;
  const definition = reviveDefinition(text, sourceOf(loaded, host), filePlaceOf(loaded));
  const { version } = ("cached" in loaded ? loaded.folder.package : undefined) ?? {};
  // A package is versioned as a whole.
  return version === undefined || definition.version !== undefined ? definition : { ...definition, version };
}

function filePlaceOf(loaded: LoadedDefinition): Parameters<typeof reviveDefinition>[2] {
  const { scope } = loaded;
  const installed = "cached" in loaded ? loaded.folder.package : undefined;
  return { scope, ...(installed?.isApproved === false ? { isUnapproved: true as const } : {}) };
}

/** Returns the problems within the file. It is parsed again, because caches only hold their number. */
export async function diagnosticsOf(
  loaded: LoadedDefinition,
  host: Host,
  loadDefinitionReader: LoadDefinitionReader,
): Promise<readonly Diagnostic[]> {
  if (loaded.errorCount + loaded.warningCount === 0) return [];
  const found = readAgain(loaded, host);
  if (!("source" in found)) return found.problems;
  return (await loadDefinitionReader(found.source.path)).read(found.source, found.place).diagnostics;
}

/** The limit of diagnostics for a repair. With more of them, the others can wait. */
const ERRORS_REPAIRED_MAX = 20;

/** Returns what is sound in a definition with errors; undefined if nothing is. */
export async function soundPartOf(
  loaded: LoadedDefinition,
  host: Host,
  loadDefinitionReader: LoadDefinitionReader,
): Promise<SoundPart | undefined> {
  const found =
    loaded.errorCount === 0 || loaded.errorCount > ERRORS_REPAIRED_MAX ? undefined : readAgain(loaded, host);
  return found && "source" in found
    ? (await loadDefinitionReader(found.source.path)).readSoundPart(found.source, found.place)
    : undefined;
}

function readAgain(
  loaded: LoadedDefinition,
  host: Host,
): { readonly source: SourceFile; readonly place: ReadPlace } | { readonly problems: readonly Diagnostic[] } {
  if (!("cached" in loaded)) return { problems: [] };
  const { file, folder, scope } = loaded;
  const shownPath = shownPathIn(folder, file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  if ("code" in bytes) return { problems: [bytes] };
  const source = decodeSource(shownPath, bytes);
  return "code" in source
    ? { problems: [source] }
    : { source, place: { scope, owner: file.owner, folder: dirname(file.path) } };
}

/** Returns what is known of a file that cannot be read. */
export function nameless(file: FoundFile): DefinitionSummary {
  const name = basename(file.relativePath).replace(DEFINITION_ENDING, "");
  return {
    name: file.owner === undefined ? name : `${file.owner}/${name}`,
    title: name,
    summary: "",
    effects: [],
    tags: [],
    keywords: [],
    requires: [],
    nameStart: 0,
    nameEnd: 0,
    line: 1,
  };
}
