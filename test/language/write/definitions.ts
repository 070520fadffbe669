// Every definition of the tests and of the bundle, in either language; and the result of writing one and reading it
// again.
import "../../windows-shells.ts";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { analyzeToolFile } from "../../../src/core/language/analyze.ts";
import { parseToolFile } from "../../../src/core/language/syntax/parse.ts";
import { CannotWrite } from "../../../src/core/language/write/cannot-write.ts";
import { withOpenValues } from "../../../src/core/language/checks/open-values.ts";
import { firstDifference } from "../../../src/core/language/write/same-definition.ts";
import { toolText } from "../../../src/core/language/write/tool-text.ts";
import { yamlText } from "../../../src/features/yaml/yaml-text.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import type { ToolDefinition } from "../../../src/core/tool/definition.ts";

export type Format = "tool" | "yaml";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export function readText(format: Format, path: string, text: string): ToolDefinition | undefined {
  const source = { path, text };
  return format === "tool" ? analyzeToolFile(parseToolFile(source)).value : analyzeYamlFile(source).value;
}

export function writeText(format: Format, definition: ToolDefinition): string {
  return format === "tool" ? toolText(definition) : yamlText(definition);
}

export function formatOf(path: string): Format {
  return path.endsWith(".tool") ? "tool" : "yaml";
}

/** Returns path below the repository, and definition, of those that can be read. */
export function knownDefinitions(): readonly (readonly [path: string, definition: ToolDefinition])[] {
  return knownTexts().flatMap(([path, text]) => {
    const definition = readText(formatOf(path), basename(path), text);
    return definition ? [[path, definition] as const] : [];
  });
}

/** Returns the texts of those that can be read. */
export function yamlTexts(): readonly (readonly [path: string, text: string])[] {
  return knownTexts().filter(
    ([path, text]) => formatOf(path) === "yaml" && readText("yaml", basename(path), text) !== undefined,
  );
}

function knownTexts(): readonly (readonly [path: string, text: string])[] {
  const folders = ["wrapped-tools", "test/cases", "test/catalog"];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const files = paths.filter(
    (path) => /\.(?:tool|ya?ml)$/.test(path) && statSync(join(root, path), { throwIfNoEntry: false })?.isFile(),
  );
  const tests = ["custom-tools/examples", "meta-tools/examples", "forge-tool/forge-tool"].flatMap((name) =>
    examplesIn(`test/language/${name}.test.ts`, "yaml"),
  );
  return [
    ...files.map((path) => [path, readFileSync(join(root, path), "utf8")] as const),
    ...examplesIn("grammar/README.md", "tool"),
    ...tests,
  ];
}

/** Returns the fenced blocks of a document, or the template literals of a test. */
function examplesIn(path: string, format: Format): readonly (readonly [string, string])[] {
  const text = readFileSync(join(root, path), "utf8");
  if (path.endsWith(".md"))
    return [...text.matchAll(/^```tool\n([^]*?)^```$/gm)].map(([, inner = ""], index) => [
      `${path}#${index}.${format}`,
      inner,
    ]);
  return [...text.matchAll(/`((?:name|description): (?:[^`\\]|\\.)*)`/g)].map(([, inner = ""], index) => [
    `${path}#${index}.${format}`,
    inner.replaceAll(/\\(.)/g, "$1"),
  ]);
}

/** Returns `same`, the first difference, or why it could not be written or read. */
export function rewritten(format: Format, definition: ToolDefinition): string {
  const name = definition.name.value.replace(/^.*\//, "");
  try {
    const text = writeText(format, definition);
    const again = readText(format, `${name}.${format}`, text);
    if (!again) return `unreadable: ${text}`;
    // What dottool finds out about commands is not a part of what the author wrote.
    const difference = firstDifference(withOpenValues(definition), again);
    if (difference !== undefined) return `${difference}: ${text}`;
    return writeText(format, again) === text ? "same" : "another text";
  } catch (error) {
    if (error instanceof CannotWrite) return error.message;
    throw error;
  }
}
