// All definitions that a working directory can see, each with its standing: what `list`, `show`, `check` and the registry read.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { BundledTool } from "./bundled.ts";
import type { CatalogueEntry } from "./entry.ts";
import type { LoadFrontEnd } from "./front-end.ts";
import type { TakenNames } from "./resolve.ts";
import type { ToolFolder } from "./tool-folders.ts";

export interface CatalogueOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools`, then from DOTTOOL_PATH: folders, or single definitions. */
  readonly givenFolders: readonly string[];
  /** Names of the tools made in TypeScript. */
  readonly taken: TakenNames;
  /** Those of src/generated/bundled-tools.ts. */
  readonly bundled: readonly BundledTool[];
  /** Changes with everything that a parsed definition depends on: src/generated/front-end-key.ts. */
  readonly cacheKey: string;
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
  readonly loadFrontEnd?: LoadFrontEnd;
}

export interface PluginFile {
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

export interface Catalogue {
  /** By name; those of one name nearest first. */
  readonly entries: readonly CatalogueEntry[];
  readonly folders: readonly ToolFolder[];
  /** `plugins/*.ts`, nearest folder first. */
  readonly plugins: readonly PluginFile[];
  /** What is wrong with folders, and files that cannot be read. */
  readonly folderDiagnostics: readonly Diagnostic[];
  /** Names that reach a definition, sorted. */
  names(): readonly string[];
  /** What has the name, even when it is broken. */
  entry(name: string): CatalogueEntry | undefined;
  /** What a call of the name reaches; none where it is broken. */
  definition(name: string): ToolDefinition | undefined;
  /** Of any entry, whatever its standing; none where it has errors. */
  definitionOf(entry: CatalogueEntry): ToolDefinition | undefined;
  /** Absolute; absent inside the executable. */
  absolutePathOf(entry: CatalogueEntry): string | undefined;
  /** Errors and warnings of its text and of its name. Parses again where there are any. */
  diagnosticsOf(entry: CatalogueEntry): Promise<readonly Diagnostic[]>;
  /** All there is to say: of folders, then of entries by path. */
  diagnostics(): Promise<readonly Diagnostic[]>;
}
