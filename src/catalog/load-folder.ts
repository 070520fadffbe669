// All definitions of one tool folder: from the cache where the file is still the one that was parsed, else from its
// text.
import { basename, dirname } from "node:path";
import { type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import { positionOf, type SourceFile } from "../text/source.ts";
import type { Scope } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { type CachedParts, readCache, removeCachesOfGoneFolders, writeCache } from "./cache.ts";
import type { CachedFile } from "./cached-rows.ts";
import { DEFINITION_ENDING, discoverToolFiles, type FoundFile, type UnreadableFile } from "./discover.ts";
import type { DefinitionSummary } from "./entry.ts";
import type { DefinitionReader, LoadDefinitionReader, ReadDefinition } from "./definition-reader.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { hasStableFacts } from "./stable-facts.ts";
import { storeDefinition, summarizeDefinition } from "./stored-definition.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";

export interface LoadedFile extends Pick<CachedFile, "name" | "errorCount" | "warningCount"> {
  readonly scope: Scope;
  readonly folder: ToolFolder;
  readonly file: FoundFile;
  readonly cached: CachedFile;
  /** The cached parts of this file and of the other files of its folder. */
  readonly parts: CachedParts;
}

export function loadedFile(
  file: FoundFile,
  cached: CachedFile,
  { folder, parts }: Pick<LoadedFile, "folder" | "parts">,
): LoadedFile {
  const { name, errorCount, warningCount } = cached;
  return { name, scope: folder.scope, folder, errorCount, warningCount, file, cached, parts };
}

export interface LoadedFolder {
  readonly folder: ToolFolder;
  readonly files: readonly LoadedFile[];
  readonly plugins: readonly string[];
  /** The diagnostics of the folder and of unreadable files; those inside files are counted in `files`. */
  readonly diagnostics: readonly Diagnostic[];
  /** The unreadable files. Their diagnostics are among those above. */
  readonly unreadable: readonly UnreadableFile[];
}

export interface LoadOptions {
  readonly host: Host;
  readonly loadDefinitionReader: LoadDefinitionReader;
  readonly cacheKey: string;
  /** See cache.ts. */
  readonly isForLists?: boolean | undefined;
  readonly earlier?: EarlierFolders | undefined;
}

/** What a long-running program has loaded before. */
export interface EarlierFolders {
  readonly folders: readonly LoadedFolder[];
  /** Whether a file may have another content than then; its name and its place are looked at anyway. */
  mayDiffer(path: string): boolean;
}

export async function loadFolder(folder: ToolFolder, options: LoadOptions): Promise<LoadedFolder> {
  const { host, earlier } = options;
  const discovered = discoverToolFiles(folder, host);
  const before = earlier?.folders.find((one) => isSamePlace(one.folder, folder));
  const again = before
    ? await (await import("./load-again.ts")).loadAgain(before, { ...options, discovered })
    : undefined;
  if (again) return again;
  const { files: found, plugins, diagnostics } = discovered;
  if (found.length === 0) return withUnreadable({ folder, files: [], plugins, diagnostics }, discovered.unreadable);
  const cacheOptions = { host, folder: folder.path, key: options.cacheKey, isForLists: options.isForLists };
  const cache = readCache(cacheOptions);
  const parsed = new Map<CachedFile, ParsedFile>();
  const parts: CachedParts = {
    sha256Of: (file) => parsed.get(file)?.sha256 ?? cache.sha256Of(file),
    summaryOf: (file) => parsed.get(file)?.summary ?? cache.summaryOf(file),
    definitionText: (file) => {
      const fresh = parsed.get(file);
      return fresh ? fresh.text : cache.definitionText(file);
    },
    storedBytes: (file) => (parsed.has(file) ? undefined : cache.storedBytes(file)),
  };
  const unreadable = [...discovered.unreadable];
  const files: LoadedFile[] = [];
  let isStale = false;
  for (const file of found) {
    const known = cache.find(file.relativePath);
    if (known && isUnchanged(file, known, host)) {
      files.push(loadedFile(file, known, { folder, parts }));
      continue;
    }
    const loaded = await loadChanged(
      { file, shownPath: shownPathIn(folder, file.path), known, knownSha256: known && cache.sha256Of(known), folder },
      options,
    );
    if ("code" in loaded) unreadable.push({ name: nameless(file).name, path: file.path, folder, diagnostic: loaded });
    else {
      files.push(loadedFile(file, loaded.cached, { folder, parts }));
      if (loaded.parsed) parsed.set(loaded.cached, loaded.parsed);
      isStale = true;
    }
  }
  if (isStale || cache.count !== files.length) {
    writeCache(
      files.map((file) => file.cached),
      parts,
      cacheOptions,
    );
    removeCachesOfGoneFolders(host);
  }
  return withUnreadable({ folder, files, plugins, diagnostics }, unreadable);
}

function isSamePlace(before: ToolFolder, now: ToolFolder): boolean {
  const { path, scope, shownPath, isNamed, isLookedAt } = now;
  return (
    before.path === path &&
    before.scope === scope &&
    before.shownPath === shownPath &&
    before.isNamed === isNamed &&
    before.isLookedAt === isLookedAt &&
    before.package?.isApproved === now.package?.isApproved
  );
}

export function withUnreadable(
  loaded: Omit<LoadedFolder, "unreadable">,
  unreadable: readonly UnreadableFile[],
): LoadedFolder {
  return {
    ...loaded,
    diagnostics: [...loaded.diagnostics, ...unreadable.map(({ diagnostic }) => diagnostic)],
    unreadable,
  };
}

export function isUnchanged(file: FoundFile, known: CachedFile, host: Host): boolean {
  return hasStableFacts(known, known.checkedMs) && host.instant.isFileWith(file.path, known);
}

interface ChangedFile {
  readonly file: FoundFile;
  readonly shownPath: string;
  readonly known: CachedFile | undefined;
  readonly knownSha256: string | undefined;
  readonly folder: ToolFolder;
}

/** The result of reading a text. */
export interface ParsedFile {
  readonly sha256: string;
  readonly summary: DefinitionSummary;
  readonly errorCount: number;
  readonly warningCount: number;
  /** The text from `storeDefinition`. Absent for a definition with errors. */
  readonly text?: string;
}

interface Changed {
  readonly cached: CachedFile;
  /** Absent if the content is what the cache knows. */
  readonly parsed?: ParsedFile;
}

export async function loadChanged(changed: ChangedFile, options: LoadOptions): Promise<Changed | Diagnostic> {
  const { file, shownPath, known, knownSha256 } = changed;
  const { host } = options;
  const checkedMs = Date.parse(host.timestamp());
  const stat = host.instant.stat(file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host, stat });
  if ("code" in bytes) return bytes;
  const sha256 = host.sha256(bytes);
  const { relativePath } = file;
  const facts = {
    relativePath,
    sizeBytes: stat?.sizeBytes ?? 0,
    mtimeMs: stat?.mtimeMs ?? 0,
    ctimeMs: stat?.ctimeMs ?? 0,
    inode: stat?.inode ?? 0,
    checkedMs,
  };
  if (known && knownSha256 === sha256)
    return {
      cached: {
        ...facts,
        errorCount: known.errorCount,
        warningCount: known.warningCount,
        name: known.name,
        row: known.row,
      },
    };
  const source = decodeSource(shownPath, bytes);
  const parsed =
    "code" in source
      ? { summary: nameless(file), errorCount: 1, warningCount: 0 }
      : parsedFile(changed, source, await options.loadDefinitionReader(shownPath));
  const { errorCount, warningCount, summary } = parsed;
  return { cached: { ...facts, errorCount, warningCount, name: summary.name, row: -1 }, parsed: { ...parsed, sha256 } };
}

function parsedFile(
  { file, folder }: ChangedFile,
  source: SourceFile,
  reader: DefinitionReader,
): Omit<ParsedFile, "sha256"> {
  const read = reader.read(source, { scope: folder.scope, owner: file.owner, folder: dirname(file.path) });
  const errorCount = read.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const counts = { errorCount, warningCount: read.diagnostics.length - errorCount };
  if (!read.value || hasErrors(read.diagnostics)) return { ...counts, summary: summarizeBroken(file, source, read) };
  return { ...counts, summary: summarizeDefinition(read.value), text: storeDefinition(read.value, source) };
}

/** Returns what `list` can show of a definition with errors. */
function summarizeBroken(file: FoundFile, source: SourceFile, { writtenName }: ReadDefinition): DefinitionSummary {
  if (!writtenName) return nameless(file);
  const { name, start, end } = writtenName;
  const owned = file.owner === undefined ? name : `${file.owner}/${name}`;
  return {
    ...nameless(file),
    name: owned,
    title: name,
    nameStart: start,
    nameEnd: end,
    line: positionOf(source, start).line,
  };
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
