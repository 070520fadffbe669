// All definitions of one tool folder: from the cache where the file is still the one that was parsed, else from its
// text.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Scope } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { type CachedParts, readCache, removeCachesOfGoneFolders, writeCache } from "./cache.ts";
import type { CachedFile, ParsedFile } from "./cached-rows.ts";
import { discoverToolFiles, type FoundFile, type UnreadableFile } from "./discover.ts";
import type { LoadDefinitionReader } from "./definition-reader.ts";
import { hasStableFacts } from "./stable-facts.ts";
import type { ToolFolder } from "./tool-folders.ts";

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
    const { loadChanged } = await import("./load-changed.ts");
    const loaded = await loadChanged({ file, folder, known, knownSha256: known && cache.sha256Of(known) }, options);
    if ("diagnostic" in loaded) unreadable.push(loaded);
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
