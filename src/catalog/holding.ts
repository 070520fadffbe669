// A definition in the catalogue's hands: what is known of it now, and how to get the rest.
import { dirname } from "node:path";
import type { SoundPart } from "../language/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Scope, ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { BUNDLED_PREFIX, type BundledTool } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, Place, Standing } from "./entry.ts";
import type { LoadFrontEnd, ReadPlace } from "./front-end.ts";
import { type LoadedFile, type LoadedFolder, nameless } from "./load-folder.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";
import type { DefinitionContent } from "./trust.ts";
import { shownPathIn } from "./tool-folders.ts";

export interface Holding {
  readonly name: string;
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folderIndex: number;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly origin: LoadedFile | BundledTool;
}

export function holdingsOf({ folder, files }: LoadedFolder, folderIndex: number): readonly Holding[] {
  const { scope } = folder;
  return files.map((origin): Holding => {
    const { name, errorCount, warningCount } = origin.cached;
    return { name, scope, folderIndex, errorCount, warningCount, origin };
  });
}

export function bundledHolding(tool: BundledTool, folderIndex: number): Holding {
  return { name: tool.name, scope: "builtin", folderIndex, errorCount: 0, warningCount: 0, origin: tool };
}

/** As shown to people. */
function pathOf({ origin }: Holding): string {
  return "cached" in origin ? shownPathIn(origin.folder, origin.file.path) : BUNDLED_PREFIX + origin.fileName;
}

export function sourceOf(holding: Holding, host: Host): SourceFile {
  const { origin } = holding;
  const path = pathOf(holding);
  return lazySource(path, () => ("cached" in origin ? textOf(origin, path, host) : origin.text));
}

/** Empty when the file has gone since: its places can then not be shown. */
function textOf({ file }: LoadedFile, shownPath: string, host: Host): string {
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function summaryOf({ origin }: Holding): DefinitionSummary {
  return "cached" in origin ? (origin.parts.summaryOf(origin.cached) ?? nameless(origin.file)) : origin.summary;
}

export function placeOf(holding: Holding): Place {
  return { scope: holding.scope, path: pathOf(holding), line: summaryOf(holding).line };
}

export function entryOf(holding: Holding, standing: Standing): CatalogueEntry {
  const { scope, errorCount, warningCount } = holding;
  return { ...summaryOf(holding), scope, path: pathOf(holding), errorCount, warningCount, standing };
}

export function contentOf({ origin }: Holding): DefinitionContent | undefined {
  return "cached" in origin
    ? { folder: origin.folder, path: origin.file.path, sha256: origin.parts.sha256Of(origin.cached) }
    : undefined;
}

export function definitionOf(holding: Holding, host: Host): ToolDefinition | undefined {
  const { origin, scope } = holding;
  const text = "cached" in origin ? origin.parts.definitionText(origin.cached) : origin.definition;
  return text === undefined ? undefined : reviveDefinition(text, sourceOf(holding, host), scope);
}

/** What is wrong inside of the file. Parses it again: caches keep only how much there is. */
export async function diagnoseHolding(
  holding: Holding,
  host: Host,
  loadFrontEnd: LoadFrontEnd,
): Promise<readonly Diagnostic[]> {
  if (holding.errorCount + holding.warningCount === 0) return [];
  const found = readAgain(holding, host);
  if (!("source" in found)) return found.problems;
  return (await loadFrontEnd(found.source.path)).read(found.source, found.place).diagnostics;
}

/** Whoever has more to mend need not know of others at once. */
const ERRORS_MENDED_MAX = 20;

/** Of one with errors; undefined where nothing can be made of it. */
export async function soundPartOf(
  holding: Holding,
  host: Host,
  loadFrontEnd: LoadFrontEnd,
): Promise<SoundPart | undefined> {
  const found =
    holding.errorCount === 0 || holding.errorCount > ERRORS_MENDED_MAX ? undefined : readAgain(holding, host);
  return found && "source" in found
    ? (await loadFrontEnd(found.source.path)).readSoundPart(found.source, found.place)
    : undefined;
}

function readAgain(
  { origin, scope }: Holding,
  host: Host,
): { readonly source: SourceFile; readonly place: ReadPlace } | { readonly problems: readonly Diagnostic[] } {
  if (!("cached" in origin)) return { problems: [] };
  const { file } = origin;
  const shownPath = shownPathIn(origin.folder, file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  if ("code" in bytes) return { problems: [bytes] };
  const source = decodeSource(shownPath, bytes);
  return "code" in source
    ? { problems: [source] }
    : { source, place: { scope, owner: file.owner, folder: dirname(file.path) } };
}
