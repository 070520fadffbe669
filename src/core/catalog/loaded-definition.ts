// A definition that is loaded: what is known of it without reading all of it, and how to get the rest.
import type { Scope } from "../tool/definition.ts";
import type { ToolFolder } from "./tool-folders.ts";
import type { CachedFile } from "./cache.ts";
import { basename } from "node:path";
import type { SourceFile } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { BUNDLED_PREFIX, type BundledTool } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, DefinitionPlace, Resolution } from "./entry.ts";
import { DEFINITION_ENDING, type FoundFile } from "./discover.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";
import type { DefinitionContent } from "./trust.ts";
import { shownPathIn } from "./tool-folders.ts";

/**
 * The second stage of a definition, which its name may resolve to. The first is a `FoundFile`, the third a
 * `CatalogueEntry`.
 */
export type LoadedDefinition = LoadedFile | BundledTool;

/** Returns the path as shown to people. */
function pathOf(loaded: LoadedDefinition): string {
  return "cached" in loaded ? shownPathIn(loaded.folder, loaded.file.path) : BUNDLED_PREFIX + loaded.fileName;
}

export function sourceOf(loaded: LoadedDefinition, host: Host): SourceFile {
  const path = pathOf(loaded);
  return lazySource(path, () => ("cached" in loaded ? textOf(loaded, path, host) : loaded.text));
}

/** Returns an empty text if the file is gone, and its places cannot be shown. */
function textOf({ file, trusted }: LoadedFile, shownPath: string, host: Host): string {
  if (trusted) return trusted.text;
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function summaryOf(loaded: LoadedDefinition): DefinitionSummary {
  return "cached" in loaded ? (loaded.trusted ?? loaded.cached).summary : loaded.summary;
}

export function placeOf(loaded: LoadedDefinition): DefinitionPlace {
  return { scope: loaded.scope, path: pathOf(loaded), line: summaryOf(loaded).line };
}

export function entryOf(loaded: LoadedDefinition, resolution: Resolution): CatalogueEntry {
  const { scope, errorCount, warningCount } = loaded;
  return { ...summaryOf(loaded), scope, path: pathOf(loaded), errorCount, warningCount, resolution };
}

export function definitionContentOf(loaded: LoadedDefinition): DefinitionContent | undefined {
  if (!("cached" in loaded)) return undefined;
  const { folder, file, cached, trusted } = loaded;
  return {
    folder,
    path: file.path,
    sha256: cached.sha256,
    ...(trusted ? { trustedSha256: trusted.sha256 } : {}),
  };
}

export function definitionOf(loaded: LoadedDefinition, host: Host): ToolDefinition | undefined {
  const text = ("cached" in loaded ? (loaded.trusted ?? loaded.cached) : loaded).definition;
  if (text === undefined) return undefined;
  const definition = reviveDefinition(text, sourceOf(loaded, host), filePlaceOf(loaded));
  const { version } = ("cached" in loaded ? loaded.folder.package : undefined) ?? {};
  // A package is versioned as a whole.
  return version === undefined || definition.version !== undefined ? definition : { ...definition, version };
}

function filePlaceOf(loaded: LoadedDefinition): Parameters<typeof reviveDefinition>[2] {
  const { scope } = loaded;
  const installed = "cached" in loaded ? loaded.folder.package : undefined;
  return { scope, ...(installed?.isApproved === false ? { isUnapproved: true as const } : {}) };
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

export interface LoadedFile extends Pick<CachedFile, "errorCount" | "warningCount"> {
  readonly name: string;
  readonly scope: Scope;
  readonly folder: ToolFolder;
  readonly file: FoundFile;
  readonly cached: CachedFile;
  /** Set if only texts have changed since the file was trusted: it is used as it was then. */
  readonly trusted?: Pick<CachedFile, "sha256" | "summary" | "definition"> & { readonly text: string };
}
