// A definition in the catalogue's hands: what is known of it now, and how to get the rest.
import { dirname } from "node:path";
import type { SoundPart } from "../language/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Scope, ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { BUNDLED_PREFIX, type BundledTool } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, Standing } from "./entry.ts";
import type { LoadFrontEnd, ReadPlace } from "./front-end.ts";
import { type LoadedFile, type LoadedFolder, nameless } from "./load-folder.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import type { Claim } from "./resolve.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";

export interface Holding {
  readonly name: string;
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folderIndex: number;
  /** As shown to people. */
  readonly path: string;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly origin: { readonly loaded: LoadedFile; readonly folder: LoadedFolder } | { readonly bundled: BundledTool };
}

export function holdingsOf(loaded: LoadedFolder, folderIndex: number): readonly Holding[] {
  const { scope } = loaded.folder;
  return loaded.files.map((file): Holding => {
    const { name, errorCount, warningCount } = file.cached;
    return { name, scope, folderIndex, path: file.shownPath, errorCount, warningCount, origin: { loaded: file, folder: loaded } };
  });
}

export function bundledHolding(tool: BundledTool, folderIndex: number): Holding {
  return { name: tool.name, scope: "builtin", folderIndex, path: BUNDLED_PREFIX + tool.fileName, errorCount: 0, warningCount: 0, origin: { bundled: tool } };
}

export function sourceOf({ origin, path }: Holding, host: Host): SourceFile {
  return lazySource(path, () => ("bundled" in origin ? origin.bundled.text : textOf(origin.loaded, host)));
}

/** Empty when the file has gone since: its places can then not be shown. */
function textOf({ file, shownPath }: LoadedFile, host: Host): string {
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function summaryOf({ origin }: Holding): DefinitionSummary {
  if ("bundled" in origin) return origin.bundled.summary;
  return origin.folder.parts.summaryOf(origin.loaded.cached) ?? nameless(origin.loaded.file);
}

export function claimOf(holding: Holding): Claim {
  const { scope, path, folderIndex, errorCount } = holding;
  return { scope, folder: folderIndex, isBroken: errorCount > 0, place: () => ({ scope, path, line: summaryOf(holding).line }) };
}

export function entryOf(holding: Holding, standing: Standing): CatalogueEntry {
  const { scope, path, errorCount, warningCount } = holding;
  return { ...summaryOf(holding), scope, path, errorCount, warningCount, standing };
}

export function definitionOf(holding: Holding, host: Host): ToolDefinition | undefined {
  const { origin, scope } = holding;
  const text = "bundled" in origin ? origin.bundled.definition : origin.folder.parts.definitionText(origin.loaded.cached);
  return text === undefined ? undefined : reviveDefinition(text, sourceOf(holding, host), scope);
}

/** What is wrong inside of the file. Parses it again: caches keep only how much there is. */
export async function diagnoseHolding(holding: Holding, host: Host, loadFrontEnd: LoadFrontEnd): Promise<readonly Diagnostic[]> {
  if (holding.errorCount + holding.warningCount === 0) return [];
  const found = readAgain(holding, host);
  if (!("source" in found)) return found.problems;
  return (await loadFrontEnd(found.source.path)).read(found.source, found.place).diagnostics;
}

/** Whoever has more to mend need not know of others at once. */
const ERRORS_MENDED_MAX = 20;

/** Of one with errors; undefined where nothing can be made of it. */
export async function soundPartOf(holding: Holding, host: Host, loadFrontEnd: LoadFrontEnd): Promise<SoundPart | undefined> {
  const found = holding.errorCount === 0 || holding.errorCount > ERRORS_MENDED_MAX ? undefined : readAgain(holding, host);
  return found && "source" in found ? (await loadFrontEnd(found.source.path)).readSoundPart(found.source, found.place) : undefined;
}

function readAgain({ origin, scope }: Holding, host: Host): { readonly source: SourceFile; readonly place: ReadPlace } | { readonly problems: readonly Diagnostic[] } {
  if ("bundled" in origin) return { problems: [] };
  const { loaded } = origin;
  const bytes = readDefinitionBytes(loaded.file.path, loaded.shownPath, { host });
  if ("code" in bytes) return { problems: [bytes] };
  const source = decodeSource(loaded.shownPath, bytes);
  return "code" in source ? { problems: [source] } : { source, place: { scope, owner: loaded.file.owner, folder: dirname(loaded.file.path) } };
}
