// All definitions of one tool folder: from the cache where the file is still the one that was parsed, else from its text.
import { basename } from "node:path";
import { type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import { positionOf, type SourceFile } from "../text/source.ts";
import type { FileStat, Host } from "../tool/host.ts";
import { type CachedFile, readCache, writeCache } from "./cache.ts";
import { DEFINITION_ENDING, discoverToolFiles, type FoundFile } from "./discover.ts";
import type { DefinitionSummary } from "./entry.ts";
import type { FrontEnd, LoadFrontEnd, ReadDefinition } from "./front-end.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { storeDefinition, summarizeDefinition } from "./stored-definition.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";

export interface LoadedFile {
  readonly file: FoundFile;
  readonly shownPath: string;
  readonly cached: CachedFile;
}

export interface LoadedFolder {
  readonly folder: ToolFolder;
  readonly files: readonly LoadedFile[];
  readonly plugins: readonly string[];
  /** From `storeDefinition`; none for a definition with errors. */
  definitionText(cached: CachedFile): string | undefined;
  /** Of the folder and of files that cannot be read; what is wrong inside of files is counted in `files`. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  readonly host: Host;
  readonly loadFrontEnd: LoadFrontEnd;
  readonly cacheKey: string;
}

export async function loadFolder(folder: ToolFolder, options: LoadOptions): Promise<LoadedFolder> {
  const { host } = options;
  const { files: found, plugins, diagnostics } = discoverToolFiles(folder, host);
  if (found.length === 0) return { folder, files: [], plugins, definitionText: () => undefined, diagnostics };
  const cacheOptions = { host, folder: folder.path, key: options.cacheKey };
  const cache = readCache(cacheOptions);
  const parsedTexts = new Map<CachedFile, string>();
  const definitionText = (cached: CachedFile): string | undefined => parsedTexts.get(cached) ?? cache.definitionText(cached);
  const problems = [...diagnostics];
  const files: LoadedFile[] = [];
  let isStale = false;
  for (const file of found) {
    const shownPath = shownPathIn(folder, file.path);
    const known = cache.files.get(file.relativePath);
    if (known && isUnchanged(file, known, host)) {
      files.push({ file, shownPath, cached: known });
      continue;
    }
    const loaded = await loadChanged({ file, shownPath, known, folder }, options);
    if ("code" in loaded) problems.push(loaded);
    else {
      files.push({ file, shownPath, cached: loaded.cached });
      if (loaded.text !== undefined) parsedTexts.set(loaded.cached, loaded.text);
      isStale = true;
    }
  }
  if (isStale || cache.files.size !== files.length) writeCache(files.map((file) => file.cached), definitionText, cacheOptions);
  return { folder, files, plugins, definitionText, diagnostics: problems };
}

// File systems count time in ticks of up to 2 s (FAT): what is written twice within one looks the same afterwards.
const TICK_MS = 2_000;

function isUnchanged(file: FoundFile, known: CachedFile, host: Host): boolean {
  const stat = host.instant.stat(file.path);
  return stat !== undefined && stat.kind === "file" && hasFacts(known, stat) && stat.ctimeMs + TICK_MS < known.checkedMs;
}

function hasFacts(known: CachedFile, stat: FileStat): boolean {
  return known.sizeBytes === stat.sizeBytes && known.mtimeMs === stat.mtimeMs && known.ctimeMs === stat.ctimeMs;
}

interface ChangedFile {
  readonly file: FoundFile;
  readonly shownPath: string;
  readonly known: CachedFile | undefined;
  readonly folder: ToolFolder;
}

interface Parsed {
  readonly cached: CachedFile;
  /** From `storeDefinition`; absent where the definition has errors, and where the cache has it. */
  readonly text?: string;
}

async function loadChanged(changed: ChangedFile, options: LoadOptions): Promise<Parsed | Diagnostic> {
  const { file, shownPath, known } = changed;
  const { host } = options;
  const checkedMs = Date.parse(host.timestamp());
  const stat = host.instant.stat(file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host, stat });
  if ("code" in bytes) return bytes;
  const sha256 = host.sha256(bytes);
  const facts = { sizeBytes: stat?.sizeBytes ?? 0, mtimeMs: stat?.mtimeMs ?? 0, ctimeMs: stat?.ctimeMs ?? 0, checkedMs, sha256 };
  if (known?.sha256 === sha256) return { cached: { ...known, ...facts } };
  const source = decodeSource(shownPath, bytes);
  const row = { relativePath: file.relativePath, ...facts };
  if ("code" in source) return { cached: { ...row, errorCount: 1, warningCount: 0, summary: nameless(file) } };
  const { text, ...parsed } = parsedFile(changed, source, await options.loadFrontEnd());
  return { cached: { ...row, ...parsed }, ...(text === undefined ? {} : { text }) };
}

type ParsedFile = Pick<CachedFile, "errorCount" | "warningCount" | "summary"> & Pick<Parsed, "text">;

function parsedFile({ file, folder }: ChangedFile, source: SourceFile, frontEnd: FrontEnd): ParsedFile {
  const read = frontEnd.read(source, { scope: folder.scope, owner: file.owner });
  const errorCount = read.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const counts = { errorCount, warningCount: read.diagnostics.length - errorCount };
  if (!read.value || hasErrors(read.diagnostics)) return { ...counts, summary: summarizeBroken(file, source, read) };
  return { ...counts, summary: summarizeDefinition(read.value), text: storeDefinition(read.value, source) };
}

/** What `list` can say of a definition with errors. */
function summarizeBroken(file: FoundFile, source: SourceFile, { writtenName }: ReadDefinition): DefinitionSummary {
  if (!writtenName) return nameless(file);
  const { name, start, end } = writtenName;
  const owned = file.owner === undefined ? name : `${file.owner}/${name}`;
  return { ...nameless(file), name: owned, title: name, nameStart: start, nameEnd: end, line: positionOf(source, start).line };
}

function nameless(file: FoundFile): DefinitionSummary {
  const name = basename(file.relativePath, DEFINITION_ENDING);
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
