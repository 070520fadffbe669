// All definitions of one tool folder: from the cache where the file is still the one that was parsed, else from its
// text.
import type { LoadedFile } from "./loaded-definition.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Host } from "../tool/host.ts";
import { type CachedFile, hasStableFacts, readCache, removeOldCaches, writeCache } from "./cache.ts";
import { type Discovery, discoverToolFiles, type FoundFile, type UnreadableFile } from "./discover.ts";
import type { LoadDefinitionReader } from "./definition-reader.ts";
import type { ToolFolder } from "./tool-folders.ts";
import { trustStateOf } from "./trust.ts";

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
  readonly earlier?: EarlierFolders | undefined;
  /** Set if definitions are read as they are in their files, also where only their texts have changed. */
  readonly isForAuthor?: true | undefined;
}

/** What a long-running program has loaded before. */
export interface EarlierFolders {
  readonly folders: readonly LoadedFolder[];
  /** Whether a file may have another content than then; its name and its place are looked at anyway. */
  mayDiffer(path: string): boolean;
}

/** The limit of changed files after which the cache is written: else the next process would parse them again. */
const CHANGED_MAX = 100;

export async function loadFolder(folder: ToolFolder, options: LoadOptions): Promise<LoadedFolder> {
  const loaded = await loadPresent(folder, options);
  const { host, isForAuthor } = options;
  const hasRecord = folder.scope === "project" || folder.isLookedAt === true;
  const part = hasRecord && !isForAuthor ? trustStateOf(folder, host).part : undefined;
  if (!part) return loaded;
  const { trustedDefinition } = await import("./load-changed.ts");
  const files: LoadedFile[] = [];
  for (const file of loaded.files) {
    const trusted = await trustedDefinition(file, part, options);
    files.push(trusted ? { ...file, trusted } : file);
  }
  return { ...loaded, files };
}

async function loadPresent(folder: ToolFolder, options: LoadOptions): Promise<LoadedFolder> {
  const { host, earlier } = options;
  const discovered = discoverToolFiles(folder, host);
  const before = earlier?.folders.find((one) => isSamePlace(one.folder, folder));
  const again = before && (await loadFiles(discovered, loadedBefore(before, folder, earlier), { ...options, folder }));
  if (again && again.parsedCount <= CHANGED_MAX) return again;
  if (discovered.files.length === 0) return { ...withDiagnostics(discovered), folder, files: [] };
  const cacheOptions = { host, folder: folder.path, key: options.cacheKey };
  const cache = readCache(cacheOptions);
  const cachedFile: KnownFiles["of"] = (file) => {
    const cached = cache.get(file.relativePath);
    return cached && loadedFile(file, cached, folder);
  };
  const loaded = await loadFiles(discovered, { of: cachedFile }, { ...options, folder });
  if (loaded.isStale || cache.size !== loaded.files.length) {
    writeCache(
      loaded.files.map(({ cached }) => cached),
      cacheOptions,
    );
    removeOldCaches(host);
  }
  return loaded;
}

/** What is known of the files: from the cache, or in a long-running program from the last time. */
interface KnownFiles {
  of(file: FoundFile): LoadedFile | undefined;
  /** Whether the file is the same, without a look at it. */
  isCertain?(file: FoundFile): boolean;
}

/** The cache is neither read nor written: it holds thousands of definitions, and a change is of few. */
function loadedBefore({ files }: LoadedFolder, folder: ToolFolder, earlier: EarlierFolders | undefined): KnownFiles {
  const byPath = new Map(files.map((loaded) => [loaded.file.path, loaded]));
  return {
    of: ({ path, relativePath, owner }) => {
      const known = byPath.get(path);
      // The place determines the owner of the tool.
      // Files of one folder have the same object for it: those that share a name are duplicates, and none is shadowed.
      return known?.file.relativePath === relativePath && known.file.owner === owner
        ? loadedFile(known.file, known.cached, folder)
        : undefined;
    },
    isCertain: ({ path }) => earlier?.mayDiffer(path) === false,
  };
}

interface LoadedFiles extends LoadedFolder {
  readonly isStale: boolean;
  readonly parsedCount: number;
}

async function loadFiles(
  discovered: Discovery,
  known: KnownFiles,
  options: LoadOptions & { readonly folder: ToolFolder },
): Promise<LoadedFiles> {
  const { host, folder } = options;
  const unreadable = [...discovered.unreadable];
  const files: LoadedFile[] = [];
  let isStale = false;
  let parsedCount = 0;
  for (const file of discovered.files) {
    const before = known.of(file);
    if (before && (known.isCertain?.(file) || isUnchanged(file, before.cached, host))) {
      files.push(before);
      continue;
    }
    const { loadChanged } = await import("./load-changed.ts");
    const changed = await loadChanged({ file, folder, before: before?.cached }, options);
    if ("diagnostic" in changed) unreadable.push(changed);
    else {
      files.push(loadedFile(file, changed.cached, folder));
      if (changed.isParsed) parsedCount++;
      isStale = true;
    }
  }
  return { ...withDiagnostics({ ...discovered, unreadable }), folder, files, isStale, parsedCount };
}

function loadedFile(file: FoundFile, cached: CachedFile, folder: ToolFolder): LoadedFile {
  const { summary, errorCount, warningCount } = cached;
  return { name: summary.name, scope: folder.scope, folder, errorCount, warningCount, file, cached };
}

function withDiagnostics({
  plugins,
  diagnostics,
  unreadable,
}: Discovery): Pick<LoadedFolder, "plugins" | "diagnostics" | "unreadable"> {
  return { plugins, diagnostics: [...diagnostics, ...unreadable.map(({ diagnostic }) => diagnostic)], unreadable };
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

function isUnchanged(file: FoundFile, known: CachedFile, host: Host): boolean {
  return hasStableFacts(known, known.checkedMs) && host.instant.isFileWith(file.path, known);
}
