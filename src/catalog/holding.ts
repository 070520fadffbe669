// A definition in the catalogue's hands: what is known of it now, and how to get the rest.
import { type Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { Scope, ToolDefinition } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { type BundledTool, bundledSource } from "./bundled.ts";
import type { CatalogueEntry, DefinitionSummary, Standing } from "./entry.ts";
import type { LoadFrontEnd } from "./front-end.ts";
import type { LoadedFile, LoadedFolder } from "./load-folder.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import type { Claim } from "./resolve.ts";
import { lazySource, reviveDefinition } from "./stored-definition.ts";

export interface Holding {
  readonly summary: DefinitionSummary;
  readonly scope: Scope;
  /** Definitions of one tool folder have the same. */
  readonly folderIndex: number;
  readonly source: SourceFile;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly definition?: (() => string) | undefined;
  /** Absent inside the executable. */
  readonly loaded?: LoadedFile;
}

export function holdingsOf(loaded: LoadedFolder, folderIndex: number, host: Host): readonly Holding[] {
  return loaded.files.map((file): Holding => {
    const { summary, errorCount, warningCount, definition } = file.cached;
    const source = lazySource(file.shownPath, () => textOf(file, host));
    return { summary, scope: loaded.folder.scope, folderIndex, source, errorCount, warningCount, definition, loaded: file };
  });
}

export function bundledHolding(tool: BundledTool, folderIndex: number): Holding {
  const { summary, definition } = tool;
  return { summary, scope: "builtin", folderIndex, source: bundledSource(tool), errorCount: 0, warningCount: 0, definition: () => definition };
}

/** Empty when the file has gone since: its places can then not be shown. */
function textOf({ file, shownPath }: LoadedFile, host: Host): string {
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  const source = "code" in bytes ? bytes : decodeSource(shownPath, bytes);
  return "code" in source ? "" : source.text;
}

export function claimOf({ summary, scope, source, folderIndex, errorCount }: Holding): Claim {
  return { name: summary.name, scope, path: source.path, line: summary.line, folder: folderIndex, isBroken: errorCount > 0 };
}

export function entryOf({ summary, scope, source, errorCount, warningCount }: Holding, standing: Standing): CatalogueEntry {
  return { ...summary, scope, path: source.path, errorCount, warningCount, standing };
}

export function definitionOf({ definition, source, scope }: Holding): ToolDefinition | undefined {
  return definition && reviveDefinition(definition(), source, scope);
}

/** What is wrong inside of the file. Parses it again: caches keep only how much there is. */
export async function diagnoseHolding(holding: Holding, host: Host, loadFrontEnd: LoadFrontEnd): Promise<readonly Diagnostic[]> {
  const { loaded, errorCount, warningCount, scope } = holding;
  if (!loaded || errorCount + warningCount === 0) return [];
  const bytes = readDefinitionBytes(loaded.file.path, loaded.shownPath, { host });
  if ("code" in bytes) return [bytes];
  const source = decodeSource(loaded.shownPath, bytes);
  if ("code" in source) return [source];
  const frontEnd = await loadFrontEnd();
  return frontEnd.read(source, { scope, owner: loaded.file.owner }).diagnostics;
}
