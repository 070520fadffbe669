// Why a name with a definition is not a tool: all diagnostics for the person at the terminal, and for other callers a
// failure that quotes no untrusted text.
import type { CatalogueEntry } from "../catalog/entry.ts";
import { distrustBelow } from "../catalog/distrust-below.ts";
import type { UnreadableFile } from "../catalog/discover.ts";
import { trustStateOf } from "../catalog/trust.ts";
import { untrustedFailure } from "../catalog/untrusted.ts";
import { apiName, toolOfApiName } from "../tool/api-name.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { positionOf } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { DefinitionMistake, Failure } from "../tool/failure.ts";
import type { ToolSource } from "./tool-source.ts";

export type BrokenFailure = Extract<Failure, { kind: "definition" | "untrusted" }>;
export interface ToolSources extends Pick<ToolSource, "catalogue"> {
  readonly host: Host;
  buildDiagnostics(name: string): Promise<readonly Diagnostic[]>;
}

/**
 * Returns the diagnostics of the definition with the name, or of a file or an owner's folder of that name; empty if
 * there is neither.
 */
export async function diagnosticsFor(
  name: string,
  { catalogue, buildDiagnostics }: ToolSources,
): Promise<readonly Diagnostic[]> {
  const entry = catalogue().entry(name);
  if (entry) return [...(await catalogue().diagnosticsOf(entry)), ...(await buildDiagnostics(name))];
  return catalogue()
    .unreadable.filter((file) => isMeant(name, file))
    .map(({ diagnostic }) => diagnostic);
}

/** Returns the failure of a name that is not a tool. `wanted` is the definition's own name, or its form in an API. */
export async function brokenFailure(wanted: string, sources: ToolSources): Promise<BrokenFailure | undefined> {
  const { entries, unreadable } = sources.catalogue();
  const name =
    toolOfApiName(
      wanted,
      entries.map((one) => one.name),
    ) ?? wanted;
  const entry = sources.catalogue().entry(name);
  if (entry) return failureOfEntry(entry, { ...sources, wanted });
  const file = unreadable.find((one) => isMeant(wanted, one));
  return file && failureOfFile(file, { ...sources, wanted });
}

function isMeant(wanted: string, { name }: UnreadableFile): boolean {
  const names = [name, apiName(name)];
  return name.endsWith("/") ? names.some((owner) => wanted.startsWith(owner)) : names.includes(wanted);
}

interface Wanted extends ToolSources {
  /** The name as the caller wrote it. */
  readonly wanted: string;
}

/** Returns undefined if nothing is wrong with the definition: then it was not offered to the caller. */
export async function failureOfEntry(
  entry: CatalogueEntry,
  { wanted, catalogue, buildDiagnostics, host }: Wanted,
): Promise<BrokenFailure | undefined> {
  const inText = (await catalogue().diagnosticsOf(entry)).filter(isError);
  const ofBuilder = inText.length > 0 ? [] : (await buildDiagnostics(entry.name)).filter(isError);
  if (entry.resolution.kind === "used" && ofBuilder.length === 0) return undefined;
  // Checked after the text was read again: a file that was swapped in meanwhile is not trusted.
  const untrusted = await distrustBelow(entry.name, catalogue(), host);
  if (untrusted) return { ...untrusted, tool: wanted };
  // The builder names other tools.
  const mayQuote = inText.length > 0 || catalogue().folders.every((folder) => catalogue().trustOf(folder).isTrusted);
  return { kind: "definition", tool: wanted, ...(mayQuote ? mistakeIn([...inText, ...ofBuilder]) : {}) };
}

export function failureOfFile({ folder, diagnostic }: UnreadableFile, { wanted, host }: Wanted): BrokenFailure {
  const state = trustStateOf(folder, host);
  if (!state.isTrusted) return untrustedFailure(wanted, { folder, distrust: state.distrust, host });
  return { kind: "definition", tool: wanted, ...mistakeIn([diagnostic]) };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** Returns nothing if the definition was repaired since. */
function mistakeIn([first, ...others]: readonly Diagnostic[]): { readonly mistake?: DefinitionMistake } {
  if (!first) return {};
  const { code, message, help, at } = first;
  const { line, column } = at ? positionOf(at.span.source, at.span.start) : { line: 0, column: 0 };
  return {
    mistake: {
      ...(at ? { place: `${at.span.source.path}:${line}:${column}` } : {}),
      code,
      message,
      help,
      more: others.length,
    },
  };
}
