// What is wrong with a definition, in its text and with its name. It is parsed again for that, and no call needs it.
import { dirname } from "node:path";
import type { SoundPart } from "../language/fields/sound-part.ts";
import { type Diagnostic, hasErrors, type Label } from "../text/diagnostic.ts";
import type { SourceFile, Span } from "../text/source.ts";
import type { Host } from "../tool/host.ts";
import type { LoadDefinitionReader, ReadPlace } from "./definition-reader.ts";
import type { CatalogueEntry, DefinitionPlace } from "./entry.ts";
import { decodeSource, readDefinitionBytes } from "./load.ts";
import { type LoadedDefinition, sourceOf, summaryOf } from "./loaded-definition.ts";
import { shownPathIn } from "./tool-folders.ts";

interface Diagnosed {
  readonly entry: CatalogueEntry;
  readonly loaded: LoadedDefinition;
  /** All entries that want its name, and their definitions in the same order. */
  readonly entries: readonly CatalogueEntry[];
  readonly rivals: readonly LoadedDefinition[];
}

interface ReadingOptions {
  readonly host: Host;
  readonly loadDefinitionReader: LoadDefinitionReader;
}

export async function diagnose(
  { entry, loaded, entries, rivals }: Diagnosed,
  options: ReadingOptions,
): Promise<readonly Diagnostic[]> {
  const inside = await diagnosticsInside(loaded, options);
  // The definition reader knows the reserved names, too, and can point to the exact place.
  if (
    entry.resolution.kind === "used" ||
    inside.some(({ code, severity }) => code === "reserved-name" && severity === "error")
  )
    return inside;
  const place = rivalPlace(entry);
  const rival = place
    ? rivals[entries.findIndex(({ path, scope }) => path === place.path && scope === place.scope)]
    : undefined;
  const { host } = options;
  return [
    ...inside,
    ...diagnoseResolution(entry, { own: nameSpan(loaded, host), rival: rival && nameSpan(rival, host) }),
  ];
}

function rivalPlace({ resolution }: CatalogueEntry): DefinitionPlace | undefined {
  switch (resolution.kind) {
    case "duplicate":
      return resolution.of;
    case "shadowed":
    case "refused":
      return resolution.by;
    case "used":
    case "broken":
    case "other-platform":
    case "reserved":
      return undefined;
  }
}

function nameSpan(loaded: LoadedDefinition, host: Host): Span {
  const { nameStart, nameEnd } = summaryOf(loaded);
  return { source: sourceOf(loaded, host), start: nameStart, end: nameEnd };
}

/** Returns the problems within the file. It is parsed again, because caches only hold their number. */
async function diagnosticsInside(
  loaded: LoadedDefinition,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<readonly Diagnostic[]> {
  if (loaded.errorCount + loaded.warningCount === 0) return [];
  const found = readAgain(loaded, host);
  if (!("source" in found)) return found.problems;
  const { source, place } = found;
  const reader = await loadDefinitionReader(source.path);
  const { diagnostics } = reader.read(source, place);
  if (!hasErrors(diagnostics)) return diagnostics;
  const { errorsBehind } = await import("./read-mended.ts");
  return [...diagnostics, ...errorsBehind(source, diagnostics, { reader, place })];
}

/** The limit of diagnostics for a repair. With more of them, the others can wait. */
const ERRORS_REPAIRED_MAX = 20;

/** Returns what is sound in a definition with errors; undefined if nothing is. */
export async function soundPartOf(
  loaded: LoadedDefinition,
  { host, loadDefinitionReader }: ReadingOptions,
): Promise<SoundPart | undefined> {
  const found =
    loaded.errorCount === 0 || loaded.errorCount > ERRORS_REPAIRED_MAX ? undefined : readAgain(loaded, host);
  return found && "source" in found
    ? (await loadDefinitionReader(found.source.path)).readSoundPart(found.source, found.place)
    : undefined;
}

function readAgain(
  loaded: LoadedDefinition,
  host: Host,
): { readonly source: SourceFile; readonly place: ReadPlace } | { readonly problems: readonly Diagnostic[] } {
  if (!("cached" in loaded)) return { problems: [] };
  const { file, folder, scope } = loaded;
  const shownPath = shownPathIn(folder, file.path);
  const bytes = readDefinitionBytes(file.path, shownPath, { host });
  if ("code" in bytes) return { problems: [bytes] };
  const source = decodeSource(shownPath, bytes);
  return "code" in source
    ? { problems: [source] }
    : { source, place: { scope, owner: file.owner, folder: dirname(file.path) } };
}

interface NamePlaces {
  /** The span of the name in the definition. */
  readonly own: Span;
  /** The span of the rival's name, if the rival is a definition. */
  readonly rival: Span | undefined;
}

function diagnoseResolution({ name, resolution }: CatalogueEntry, { own, rival }: NamePlaces): readonly Diagnostic[] {
  const at = nameLabel(own, resolution.kind === "duplicate" ? "here again" : "not used");
  const related = rival ? [nameLabel(rival, resolution.kind === "duplicate" ? "first used here" : "used instead")] : [];
  switch (resolution.kind) {
    case "used":
    case "broken":
    case "other-platform":
      return [];
    case "duplicate":
      return [
        {
          code: "duplicate-tool",
          severity: "error",
          message: `duplicate definition of \`${name}\` in one folder`,
          at,
          related,
          help: ["rename or remove one of them, or give each its own `@platforms`; until then, the first is used"],
        },
      ];
    case "shadowed":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is shadowed by ${describePlace(resolution.by)}`,
          at,
          related,
          help: ["rename one of them to use both"],
        },
      ];
    case "refused":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is not used: an untrusted project cannot replace ${describePlace(resolution.by)}`,
          at,
          related,
          help: [
            "rename it, or review and trust the project: `dottool trust`",
            "to use it anyway, name its folder: `--tools .tools`",
          ],
        },
      ];
    case "reserved":
      return [
        {
          code: "reserved-name",
          severity: "error",
          message: `the name \`${name}\` is reserved: it ends an agent's turn`,
          at,
          related: [],
          help: ["rename it"],
        },
      ];
  }
}

function nameLabel(span: Span, text: string): Label {
  return { span, text };
}

function describePlace(place: DefinitionPlace): string {
  switch (place.scope) {
    case "base":
      return "a base tool";
    case "builtin":
      return "a built-in tool";
    case "bundle":
    case "given":
      return `the tool in \`${place.path}\``;
    case "project":
      return `the project's tool in \`${place.path}\``;
    case "user":
      return `your own tool in \`${place.path}\``;
    case "package":
      return `the package's tool in \`${place.path}\``;
    case "global":
      return `this machine's tool in \`${place.path}\``;
  }
}
