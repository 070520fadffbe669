// Definitions as texts, for programs that write or show them: editors, generators, reviews.
import { resolve } from "node:path";
import { loadDefinitionReader } from "../../core/catalog/definition-reader.ts";
import { valueText } from "../../core/schema/describe.ts";
import { type DiagnosticJson, diagnosticJson } from "../../core/text/diagnostic-json.ts";
import type { AuthorHelp, Explained, Suggestion } from "../../core/language/author-help.ts";
import { assemble } from "../../core/session/assemble.ts";
import { needPart } from "../../core/tool/feature.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import type { SourceFile } from "../../core/text/source.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";

export interface ParsedDefinition {
  /** Absent if the text has errors. */
  readonly definition?: ToolDefinition;
  /** Errors and warnings, with lines, columns and repairs as `dottool check --json` prints them. */
  readonly diagnostics: readonly DiagnosticJson[];
}

/** The path of a text that has none. Its ending tells the language: `.tool`, `.yaml` or `.yml`. */
const PATH_DEFAULT = "definition.tool";

/**
 * Reads one definition. `path` is where it is or would be. What depends on other tools, such as whether a wrapped one
 * exists, needs `openTools`.
 */
export async function parseDefinition(text: string, path?: string): Promise<ParsedDefinition> {
  const source = sourceOf("parseDefinition", text, path ?? PATH_DEFAULT);
  const { value, diagnostics } = (await loadDefinitionReader(source.path)).read(source, { scope: "project" });
  const found = path === undefined ? diagnostics.filter(({ code }) => code !== "file-name-differs") : diagnostics;
  return { ...(value ? { definition: value } : {}), diagnostics: found.map(diagnosticJson) };
}

/** Returns the mistakes in one definition; see `parseDefinition`. */
export async function checkDefinition(text: string, path?: string): Promise<readonly DiagnosticJson[]> {
  return (await parseDefinition(text, path)).diagnostics;
}

/** Formats one definition as `dottool fmt` does. Its meaning does not change, and YAML stays as it is. */
export async function formatDefinition(text: string, path: string = PATH_DEFAULT): Promise<string> {
  const source = sourceOf("formatDefinition", text, path);
  if (isYamlPath(path)) return text;
  const [{ formatToolFile }, { parseToolFile }] = await Promise.all([
    import("../../core/language/syntax/format.ts"),
    import("../../core/language/syntax/parse.ts"),
  ]);
  return formatToolFile(parseToolFile(source));
}

export interface AuthorHelpOptions {
  /** Where the text is or would be; its ending tells the language. */
  readonly path?: string;
  /** The folder whose tools are known. Absent: none. */
  readonly cwd?: string;
}

/** Returns how a definition may go on at an offset, in UTF-16 units. The text need not be sound. */
export async function completeDefinition(
  text: string,
  offset: number,
  options: AuthorHelpOptions = {},
): Promise<readonly DefinitionSuggestion[]> {
  const { help, source, around } = await helpFor("completeDefinition", text, options);
  const found = help.suggestions(source, offset, around);
  return found.map(({ span: { start, end }, ...rest }) => ({ ...rest, start, end }));
}

/** Returns what the word at an offset means, as Markdown; undefined if there is nothing to say. */
export async function explainDefinition(
  text: string,
  offset: number,
  options: AuthorHelpOptions = {},
): Promise<DefinitionHover | undefined> {
  const { help, source, around } = await helpFor("explainDefinition", text, options);
  const found = help.explained(source, offset, around);
  return found && { text: found.text, start: found.span.start, end: found.span.end };
}

/** `text` replaces what is from `start` to `end`. */
export type DefinitionSuggestion = Omit<Suggestion, "span"> & { readonly start: number; readonly end: number };
export type DefinitionHover = Omit<Explained, "span"> & { readonly start: number; readonly end: number };

/** No plugin is loaded for it. */
async function helpFor(name: string, text: unknown, { path = PATH_DEFAULT, cwd }: AuthorHelpOptions) {
  const source = sourceOf(name, text, path);
  const help: AuthorHelp = await needPart("authorHelp");
  if (cwd === undefined)
    return { help, source, around: { registry: { names: () => [], find: () => undefined }, secrets: [] } };
  const { session } = await assemble({ cwd: resolve(cwd), withoutPlugins: true });
  await session.registry.complete();
  return { help, source, around: { registry: session.registry, secrets: [] } };
}

function sourceOf(name: string, text: unknown, path: unknown): SourceFile {
  if (typeof text !== "string" || typeof path !== "string")
    throw new TypeError(
      `\`${name}\` expects a text and a path, got ${valueText(typeof text === "string" ? path : text)}`,
    );
  return { path, text };
}
