// Reads a definition file whose content may have changed: its definition, stored for the cache, and what lists show of
// it. A warm call does not load this.
import { dirname } from "node:path";
import { hasErrors } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { CachedFile, ParsedFile } from "./cached-rows.ts";
import type { DefinitionReader, LoadDefinitionReader } from "./definition-reader.ts";
import type { FoundFile, UnreadableFile } from "./discover.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { nameless } from "./loaded-definition.ts";
import { storeDefinition } from "./stored-definition.ts";
import { summarizeBroken, summarizeDefinition } from "./summarize.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";

interface ReadingOptions {
  readonly host: Host;
  readonly loadDefinitionReader: LoadDefinitionReader;
}

interface ChangedFile {
  readonly file: FoundFile;
  readonly folder: ToolFolder;
  readonly known: CachedFile | undefined;
  readonly knownSha256: string | undefined;
}

interface Changed {
  readonly cached: CachedFile;
  /** Absent if the content is what the cache knows. */
  readonly parsed?: ParsedFile;
}

export async function loadChanged(
  changed: ChangedFile,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<Changed | UnreadableFile> {
  const { file, folder, known, knownSha256 } = changed;
  const shownPath = shownPathIn(folder, file.path);
  const checkedMs = Date.parse(host.timestamp());
  const stat = host.instant.stat(file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host, stat });
  if ("code" in bytes) return { name: nameless(file).name, path: file.path, folder, diagnostic: bytes };
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
      : parsedFile(changed, source, await loadDefinitionReader(shownPath));
  const { errorCount, warningCount, summary } = parsed;
  return { cached: { ...facts, errorCount, warningCount, name: summary.name, row: -1 }, parsed: { ...parsed, sha256 } };
}

export function parsedFile(
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
