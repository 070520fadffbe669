// A definition that its name may resolve to: what is known of it, and how to get the rest.
import { dirname } from "node:path";
import type { SoundPart } from "../language/fields/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Scope, ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { BUNDLED_PREFIX, type BundledTool } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, Place, Resolution } from "./entry.ts";
import type { LoadDefinitionReader, ReadPlace } from "./definition-reader.ts";
import { type LoadedFile, type LoadedFolder, nameless } from "./load-folder.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";
import type { DefinitionContent } from "./trust.ts";
import { shownPathIn } from "./tool-folders.ts";

export interface Candidate {
  readonly name: string;
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folderIndex: number;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly origin: LoadedFile | BundledTool;
}

export function candidatesOf({ folder, files }: LoadedFolder, folderIndex: number): readonly Candidate[] {
  const { scope } = folder;
  return files.map((origin): Candidate => {
    const { name, errorCount, warningCount } = origin.cached;
    return { name, scope, folderIndex, errorCount, warningCount, origin };
  });
}

export function bundledCandidate(tool: BundledTool, folderIndex: number): Candidate {
  return { name: tool.name, scope: "builtin", folderIndex, errorCount: 0, warningCount: 0, origin: tool };
}

/** Returns the path as shown to people. */
function pathOf({ origin }: Candidate): string {
  return "cached" in origin ? shownPathIn(origin.folder, origin.file.path) : BUNDLED_PREFIX + origin.fileName;
}

export function sourceOf(candidate: Candidate, host: Host): SourceFile {
  const { origin } = candidate;
  const path = pathOf(candidate);
  return lazySource(path, () => ("cached" in origin ? textOf(origin, path, host) : origin.text));
}

/** Returns an empty text if the file is gone, and its places cannot be shown. */
function textOf({ file }: LoadedFile, shownPath: string, host: Host): string {
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function summaryOf({ origin }: Candidate): DefinitionSummary {
  return "cached" in origin ? (origin.parts.summaryOf(origin.cached) ?? nameless(origin.file)) : origin.summary;
}

export function placeOf(candidate: Candidate): Place {
  return { scope: candidate.scope, path: pathOf(candidate), line: summaryOf(candidate).line };
}

export function entryOf(candidate: Candidate, resolution: Resolution): CatalogueEntry {
  const { scope, errorCount, warningCount } = candidate;
  return { ...summaryOf(candidate), scope, path: pathOf(candidate), errorCount, warningCount, resolution };
}

export function contentOf({ origin }: Candidate): DefinitionContent | undefined {
  if (!("cached" in origin)) return undefined;
  const { folder, file, cached, parts } = origin;
  // Most callers only need its place.
  return {
    folder,
    path: file.path,
    get sha256() {
      return parts.sha256Of(cached);
    },
  };
}

export function definitionOf(candidate: Candidate, host: Host): ToolDefinition | undefined {
  const { origin, scope } = candidate;
  const text = "cached" in origin ? origin.parts.definitionText(origin.cached) : origin.definition;
  return text === undefined ? undefined : reviveDefinition(text, sourceOf(candidate, host), scope);
}

/** Returns the problems within the file. It is parsed again, because caches only hold their number. */
export async function diagnoseCandidate(
  candidate: Candidate,
  host: Host,
  loadDefinitionReader: LoadDefinitionReader,
): Promise<readonly Diagnostic[]> {
  if (candidate.errorCount + candidate.warningCount === 0) return [];
  const found = readAgain(candidate, host);
  if (!("source" in found)) return found.problems;
  return (await loadDefinitionReader(found.source.path)).read(found.source, found.place).diagnostics;
}

/** The limit of diagnostics for a repair. With more of them, the others can wait. */
const ERRORS_REPAIRED_MAX = 20;

/** Returns what is sound in a definition with errors; undefined if nothing is. */
export async function soundPartOf(
  candidate: Candidate,
  host: Host,
  loadDefinitionReader: LoadDefinitionReader,
): Promise<SoundPart | undefined> {
  const found =
    candidate.errorCount === 0 || candidate.errorCount > ERRORS_REPAIRED_MAX ? undefined : readAgain(candidate, host);
  return found && "source" in found
    ? (await loadDefinitionReader(found.source.path)).readSoundPart(found.source, found.place)
    : undefined;
}

function readAgain(
  { origin, scope }: Candidate,
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
