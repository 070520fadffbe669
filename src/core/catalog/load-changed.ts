// Reads a definition file whose content may have changed: its definition, stored for the cache, and what lists show of
// it. A warm call does not load this.
import { dirname } from "node:path";
import { hasErrors } from "../text/diagnostic.ts";
import { type SourceFile, positionOf } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { CachedFile } from "./cache.ts";
import type { DefinitionReader, LoadDefinitionReader, ReadDefinition } from "./definition-reader.ts";
import type { FoundFile, UnreadableFile } from "./discover.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { type LoadedFile, nameless } from "./loaded-definition.ts";
import { readMended } from "./read-mended.ts";
import { storeDefinition } from "./stored-definition.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";
import { codeEffects, commandEffects, ownEffects, raisedEffects } from "../builder/effects.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { type ToolDefinition, underlyingTools } from "../tool/definition.ts";
import type { DefinitionSummary } from "./entry.ts";
import type { JsonObject } from "../schema/json.ts";
import { isAccepted } from "./partly-trusted.ts";
import { insidePathOf } from "./trust.ts";
import type { PartTrust } from "./trust-state.ts";

interface ReadingOptions {
  readonly host: Host;
  readonly loadDefinitionReader: LoadDefinitionReader;
}

interface ChangedFile {
  readonly file: FoundFile;
  readonly folder: ToolFolder;
  /** The file as it was. */
  readonly before: CachedFile | undefined;
}

interface Changed {
  readonly cached: CachedFile;
  /** False if the content is the same as before. */
  readonly isParsed: boolean;
}

export async function loadChanged(
  changed: ChangedFile,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<Changed | UnreadableFile> {
  const { file, folder, before } = changed;
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
  if (before?.sha256 === sha256) return { cached: { ...before, ...facts }, isParsed: false };
  const source = decodeSource(shownPath, bytes);
  const parsed =
    "code" in source
      ? { summary: nameless(file), errorCount: 1, warningCount: 0 }
      : parsedFile(changed, source, await loadDefinitionReader(shownPath));
  return { cached: { ...facts, sha256, ...parsed }, isParsed: true };
}

export function parsedFile(
  { file, folder }: Pick<ChangedFile, "file" | "folder">,
  source: SourceFile,
  reader: DefinitionReader,
): Pick<CachedFile, "errorCount" | "warningCount" | "summary" | "definition"> {
  const place = { scope: folder.scope, owner: file.owner, folder: dirname(file.path) };
  const read = reader.read(source, place);
  const count = read.diagnostics.length;
  const sound =
    read.value && !hasErrors(read.diagnostics)
      ? { value: read.value, stored: storeDefinition(read.value, source) }
      : readMended(source, read, { reader, place });
  if (sound) {
    const { value, stored } = sound;
    return { errorCount: 0, warningCount: count, summary: summarizeDefinition(value), definition: stored };
  }
  const errorCount = read.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  return {
    errorCount,
    warningCount: count - errorCount,
    summary: summarizeBroken(file, source, read),
  };
}

// What lists and searches know of a definition without it.

export function summarizeDefinition(definition: ToolDefinition): DefinitionSummary {
  const { name, title, description, tags, keywords, category, requires, depends, platforms, deprecated } = definition;
  const { start, end, source } = name.span;
  return {
    name: name.value,
    title,
    summary: firstSentence(description),
    ...effectsIn(definition),
    tags,
    keywords,
    requires,
    ...(underlyingTools(definition).length === 0 ? {} : { standsOn: underlyingTools(definition) }),
    ...(depends.length === 0 ? {} : { dependsOn: depends.map(({ tool }) => tool) }),
    ...(category === undefined ? {} : { category }),
    ...(platforms === undefined ? {} : { platforms }),
    ...(deprecated === undefined ? {} : { isDeprecated: true }),
    nameStart: start,
    nameEnd: end,
    line: positionOf(source, start).line,
  };
}

function effectsIn(definition: ToolDefinition): Pick<DefinitionSummary, "effects" | "inheritsFrom" | "mayDoAnything"> {
  const { declaredEffects } = definition;
  if (definition.kind === "base") return { effects: declaredEffects };
  if (definition.kind === "code") {
    const inheritsFrom = underlyingTools(definition);
    return {
      effects: raisedEffects(codeEffects, declaredEffects),
      ...(inheritsFrom.length === 0 ? {} : { inheritsFrom }),
    };
  }
  if (definition.kind === "steps") {
    const { effects, isUnknown } = ownEffects(definition);
    return {
      effects,
      ...(isUnknown ? { mayDoAnything: true } : {}),
      inheritsFrom: underlyingTools(definition).filter((name) => name !== "run_command"),
    };
  }
  if (definition.kind === "wrapped" && definition.commands.length > 0) return { effects: commandEffects(definition) };
  return { effects: declaredEffects, inheritsFrom: [definition.base.value] };
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

/**
 * Returns what was trusted of the file, if it does what the file does. `part` is what is trusted of its folder. Until a
 * person has seen new texts, the tool is what was trusted, for every caller: no model reads a text that nobody has seen.
 */
export async function trustedDefinition(
  { file, folder, cached }: LoadedFile,
  { accepted, texts = {} }: PartTrust,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<LoadedFile["trusted"]> {
  const path = insidePathOf(folder, file.path);
  const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
  if (text === undefined || isAccepted(path, cached.sha256, accepted)) return undefined;
  const sha256 = host.sha256(new TextEncoder().encode(text));
  if (!isAccepted(path, sha256, accepted)) return undefined;
  const source = { path: shownPathIn(folder, file.path), text };
  const { summary, definition } = parsedFile({ file, folder }, source, await loadDefinitionReader(source.path));
  const present = cached.definition;
  if (definition === undefined || present === undefined || whatRuns(definition) !== whatRuns(present)) return undefined;
  return { sha256, text, summary, definition };
}

/** Returns the stored definition without its texts for readers, its tests, and the places in its file. */
function whatRuns(stored: string): string {
  const withoutPlaces = (key: string, value: unknown): unknown => (key === "span" ? undefined : value);
  const {
    title: _title,
    description: _text,
    examples: _examples,
    tests: _tests,
    asks: _asks,
    ...rest
  } = JSON.parse(stored);
  const parameters = (rest.parameters as readonly JsonObject[]).map(({ description: _own, ...parameter }) => parameter);
  return JSON.stringify({ ...rest, parameters: JSON.stringify(parameters) }, withoutPlaces);
}
