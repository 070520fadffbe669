// The builder's diagnostics of a definition, even if other lines of it have errors, so that a person sees all mistakes
// at once.
import { replacing } from "../language/findings.ts";
import { allWorded } from "../language/yaml-words.ts";
import type { ToolBuilder } from "../builder/tool-builder.ts";
import type { Catalogue } from "../catalog/catalogue.ts";
import type { CatalogueEntry } from "../catalog/entry.ts";
import type { SoundPart } from "../language/fields/sound-part.ts";
import { type PluginDiagnostic, unloadedPluginHelp } from "../tool/loaded-plugins.ts";
import type { ToolSource } from "./tool-source.ts";
import { type Diagnostic, type Fix, hasErrors } from "../text/diagnostic.ts";
import { parseToolFile } from "../language/syntax/parse.ts";
import type { JsonObject } from "../schema/json.ts";
import { validateArguments } from "../schema/validate.ts";
import type { DiagnosticCode } from "../text/codes.ts";
import type { Span } from "../text/source.ts";
import { sureName } from "../text/suggest.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";

/** As many as are shown for the text of a definition. */
const DIAGNOSTICS_MAX = 50;

export interface BuildOptions {
  readonly source: Pick<ToolSource, "catalogue" | "pluginDiagnostics">;
  readonly builder: ToolBuilder;
}

/** Returns the diagnostics of all definitions and plugins, which have to be loaded. */
export async function allDiagnostics(options: BuildOptions): Promise<readonly Diagnostic[]> {
  const { source } = options;
  const catalogue = source.catalogue();
  const ofDefinitions = await catalogue.diagnostics();
  const built = catalogue.entries.filter(
    ({ resolution: { kind }, scope }) =>
      kind === "used" || kind === "broken" || (kind === "other-platform" && scope !== "builtin"),
  );
  const ofTools = await Promise.all(built.map((entry) => buildDiagnosticsOf(entry.name, { ...options, entry })));
  return [...ofDefinitions, ...onceForEachPlace(ofTools.flat()), ...source.pluginDiagnostics()];
}

/** Removes duplicates: each tool of a cycle reports the same cycle. */
function onceForEachPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const spans = [diagnostic.at, ...diagnostic.related].flatMap((label) =>
      label ? [`${label.span.source.path}:${label.span.start}`] : [],
    );
    const key = `${diagnostic.code} ${spans.sort().join(" ")} ${diagnostic.code === "wrap-cycle" ? "" : diagnostic.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Returns the builder's diagnostics of the definition that has the name, as far as its own errors allow, or of `entry`
 * if that is for another platform.
 */
export async function buildDiagnosticsOf(
  name: string,
  { source, builder, entry }: BuildOptions & { readonly entry?: CatalogueEntry | undefined },
): Promise<readonly Diagnostic[]> {
  const catalogue = source.catalogue();
  const built =
    entry?.resolution.kind === "other-platform"
      ? diagnosticsOfBuilt(catalogue.definitionOf(entry), builder)
      : await foundBy(name, catalogue, builder);
  const found = built.map((diagnostic) =>
    ofUnloaded(ofBroken(diagnostic, catalogue), catalogue, source.pluginDiagnostics()),
  );
  const next = found[DIAGNOSTICS_MAX];
  if (!next) return found;
  const severity = hasErrors(found.slice(DIAGNOSTICS_MAX)) ? "error" : "warning";
  const more: Diagnostic = {
    code: "too-many",
    severity,
    message: `${found.length - DIAGNOSTICS_MAX} more problems follow`,
    ...(next.at ? { at: { span: next.at.span, text: "" } } : {}),
    related: [],
    help: ["repair the first ones and check again"],
  };
  return [...found.slice(0, DIAGNOSTICS_MAX), more];
}

async function foundBy(name: string, catalogue: Catalogue, builder: ToolBuilder): Promise<readonly Diagnostic[]> {
  const definition = catalogue.definition(name);
  if (definition) return diagnosticsOfBuilt(definition, builder);
  const entry = catalogue.entry(name);
  const part = entry && (await catalogue.soundPartOf(entry));
  return part ? allWorded(sureDiagnostics(part, builder.build(part.definition).diagnostics)) : [];
}

function diagnosticsOfBuilt(definition: ToolDefinition | undefined, builder: ToolBuilder): readonly Diagnostic[] {
  if (!definition) return [];
  const { value, diagnostics } = builder.build(definition);
  return allWorded(value ? [...diagnostics, ...exampleDiagnostics(value, definition)] : diagnostics);
}

/** The builder sees no definition that has errors, and would take its name for a slip. */
function ofBroken(diagnostic: Diagnostic, catalogue: Catalogue): Diagnostic {
  const { code, severity, at } = diagnostic;
  const named = namedIn(diagnostic);
  const broken = named === undefined ? undefined : catalogue.entry(named);
  if (!at || broken?.resolution.kind !== "broken") return diagnostic;
  return {
    code,
    severity,
    message: `\`${named}\` has errors, so no other tool can use it`,
    at: { span: at.span, text: "" },
    related: [],
    help: [`fix that tool first: ${broken.path}:${broken.line}`],
  };
}

/** Removes the repair to a similar name: a plugin that is not loaded may have a tool of exactly this name. */
function ofUnloaded(diagnostic: Diagnostic, catalogue: Catalogue, plugins: readonly PluginDiagnostic[]): Diagnostic {
  const { fix, ...others } = diagnostic;
  const named = namedIn(diagnostic);
  const help = named === undefined || catalogue.entry(named) ? [] : unloadedPluginHelp(plugins);
  return help.length === 0 ? diagnostic : { ...others, help };
}

/** Returns the name of the missing tool. */
function namedIn({ code, at }: Diagnostic): string | undefined {
  return code === "unknown-base-tool" && at ? at.span.source.text.slice(at.span.start, at.span.end) : undefined;
}

/** An error in the arguments themselves has been reported by the reader, where the parameters are the definition's. */
function exampleDiagnostics(tool: Tool, definition: ToolDefinition): readonly Diagnostic[] {
  const { origin, examples, asks } = definition;
  // Nobody can repair those that come with dottool.
  if (origin.kind === "file" && origin.scope === "builtin") return [];
  return [
    ...refused(examples, { keyword: "example", tool, definition }),
    ...refused(
      asks.map((ask) => ask.arguments),
      { keyword: "ask", tool, definition },
    ),
  ];
}

interface ShownCalls {
  readonly keyword: "example" | "ask";
  readonly tool: Tool;
  readonly definition: ToolDefinition;
}

function refused(
  calls: readonly (JsonObject | undefined)[],
  { keyword, tool, definition }: ShownCalls,
): readonly Diagnostic[] {
  const found = calls.flatMap((args, index) => {
    const issues = args ? issuesOf(tool, args) : [];
    return issues.length === 0 ? [] : [{ index, issues }];
  });
  if (found.length === 0) return [];
  const places = placesOf(definition, keyword);
  return found.map(({ index, issues }): Diagnostic => {
    const place = places[index];
    const fix = place && renaming(place, { issues, tool });
    return {
      code: "example-mismatch",
      severity: "warning",
      message: `a call with this ${keyword} of \`${definition.name.value}\` would be refused`,
      at: { span: place ?? definition.name.span, text: issues.slice(0, ISSUES_MAX).map(issueText).join("; ") },
      related: [],
      help: [...new Set(issues.slice(0, ISSUES_MAX).flatMap(({ help }) => help ?? []))],
      ...(fix ? { fix } : {}),
    };
  });
}

/** Returns the repair of a name that is surely that of a parameter. */
function renaming(
  place: Span,
  { issues, tool }: { readonly issues: readonly ArgumentIssue[]; readonly tool: Tool },
): Fix | undefined {
  const text = place.source.text.slice(place.start, place.end);
  for (const { path } of issues) {
    const meant = tool.parameters.some(({ name }) => name === path)
      ? undefined
      : sureName(
          path,
          tool.parameters.map(({ name }) => name),
        );
    const at = text.lastIndexOf(`"${path}"`);
    if (meant !== undefined && at !== -1)
      return replacing({ ...place, start: place.start + at + 1, end: place.start + at + 1 + path.length }, meant);
  }
  return undefined;
}

const ISSUES_MAX = 3;

function issueText({ path, message }: ArgumentIssue): string {
  return path === "" ? message : `\`${path}\`: ${message}`;
}

function issuesOf(tool: Tool, example: JsonObject): readonly ArgumentIssue[] {
  const { parameters, check } = tool;
  // What a secret is, and what a transform makes of a value, only a call knows.
  if (parameters.some(({ name, transform }) => transform !== undefined && Object.hasOwn(example, name))) return [];
  const { arguments: args, issues } = validateArguments(parameters, example, {
    owner: tool.definition.name.value,
    environment: () => undefined,
    skipsSlowPatterns: true,
  });
  if (!args)
    return issues.filter(({ path }) => !parameters.some(({ name, secret }) => secret && path.startsWith(name)));
  return check?.(args) ?? [];
}

/** Returns the places of these annotations in a `.tool` file, in order; none for other formats. */
function placesOf({ name }: ToolDefinition, wanted: string): readonly Span[] {
  const { source } = name.span;
  if (!source.path.endsWith(".tool")) return [];
  return parseToolFile(source)
    .annotations.filter(({ keyword }) => keyword === wanted)
    .map(({ text }) => text.span);
}

/** Annotations that decide the parameters of a tool and their use. Texts for people, limits and tests do not. */
const shaping = [
  "param",
  "type",
  "property",
  "with",
  "default",
  "command",
  "script",
  "shell",
  "fallback",
  "step",
  "code",
  "output",
];

/** Codes that depend on one line only. */
const ofOneLine: readonly DiagnosticCode[] = [
  "unknown-base-tool",
  "not-wrappable",
  "wrap-cycle",
  "unknown-base-parameter",
  "default-mismatch",
];

function sureDiagnostics(
  { definition, leftOut }: SoundPart,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!shaping.some((keyword) => leftOut.has(keyword))) return diagnostics;
  // A parameter may be unused because of a `@with` that was left out.
  const lines =
    definition.kind === "wrapped"
      ? [
          definition.base.span,
          ...definition.presets.flatMap(({ parameter, text }) => [parameter.span, text.span]),
          ...definition.defaults.flatMap(({ parameter, value }) => [parameter.span, value.span]),
        ]
      : [];
  const starts = new Set(lines.map(({ start }) => start));
  return diagnostics.filter(
    ({ code, at }) =>
      ofOneLine.includes(code) && (definition.kind === "alias" || (at !== undefined && starts.has(at.span.start))),
  );
}
