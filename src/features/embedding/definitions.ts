// Definitions as texts, for programs that write or show them: editors, generators, reviews.
import { loadDefinitionReader } from "../../core/catalog/definition-reader.ts";
import { valueText } from "../../core/schema/describe.ts";
import { type DiagnosticJson, diagnosticJson } from "../../core/text/diagnostic-json.ts";
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

function sourceOf(name: string, text: unknown, path: unknown): SourceFile {
  if (typeof text !== "string" || typeof path !== "string")
    throw new TypeError(
      `\`${name}\` expects a text and a path, got ${valueText(typeof text === "string" ? path : text)}`,
    );
  return { path, text };
}
