// Reloads a tool folder in a long-running program: a file without a change event is not looked at. The cache is neither
// read nor written, as it holds thousands of definitions and a change is of few: the next program that opens the folder
// writes it.
import type { CachedParts } from "./cache.ts";
import type { ParsedFile } from "./cached-rows.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { loadChanged } from "./load-changed.ts";
import {
  isUnchanged,
  loadedFile,
  type LoadedFile,
  type LoadedFolder,
  type LoadOptions,
  withUnreadable,
} from "./load-folder.ts";

interface LoadAgainOptions extends LoadOptions {
  readonly discovered: Discovery;
}

/**
 * The limit of changed files. With more, writing the cache pays, because the next process would have to parse them
 * again.
 */
const PARSED_MAX = 100;

/** Loads the changes. Returns undefined if so much has changed that the folder should be loaded from the start. */
export async function loadAgain(
  { folder, files: earlier }: LoadedFolder,
  options: LoadAgainOptions,
): Promise<LoadedFolder | undefined> {
  const { host, discovered, earlier: changes } = options;
  const { files: found, plugins, diagnostics } = discovered;
  const byPath = new Map(earlier.map((loaded) => [loaded.file.path, loaded]));
  const unreadable = [...discovered.unreadable];
  const files: LoadedFile[] = [];
  let parsedCount = 0;
  for (const file of found) {
    const { path } = file;
    const before = byPath.get(path);
    if (
      before &&
      isSameFile(before.file, file) &&
      (changes?.mayDiffer(path) === false || isUnchanged(file, before.cached, host))
    ) {
      files.push(before);
      continue;
    }
    const known = before?.cached;
    const loaded = await loadChanged(
      { file, folder, known, knownSha256: known && before.parts.sha256Of(known) },
      options,
    );
    if ("diagnostic" in loaded) unreadable.push(loaded);
    else if (loaded.parsed && ++parsedCount > PARSED_MAX) return undefined;
    else files.push(loadedFile(file, loaded.cached, { folder, parts: partsOf(loaded.parsed ?? knownOf(before)) }));
  }
  return withUnreadable({ folder, files, plugins, diagnostics }, unreadable);
}

/** Compares the place too, because it determines the owner of the tool. */
function isSameFile(before: FoundFile, { relativePath, owner }: FoundFile): boolean {
  return before.relativePath === relativePath && before.owner === owner;
}

type Known = { readonly [part in "sha256" | "summary" | "text"]?: ParsedFile[part] | undefined };

/** Returns what is known of the same content from before. */
function knownOf(before: LoadedFile | undefined): Known {
  if (!before) return {};
  const { cached, parts } = before;
  return { sha256: parts.sha256Of(cached), summary: parts.summaryOf(cached), text: parts.definitionText(cached) };
}

/** Returns the parts of one file, so that nothing else stays in memory for it. */
function partsOf({ sha256, summary, text }: Known): CachedParts {
  return { sha256Of: () => sha256, summaryOf: () => summary, definitionText: () => text, storedBytes: () => undefined };
}
