// Parses wrapped-tools/*.tool with the real definition reader into modules for the executable, one of them for Windows
// alone: the entries of `list`,
// each definition as JSON text, and each file as it is. A bundled tool with any diagnostic, or with a name that differs
// from another by case alone, fails the build.
import { readdirSync, readFileSync } from "node:fs";
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { storeDefinition } from "../../src/core/catalog/stored-definition.ts";
import { summarizeDefinition } from "../../src/core/catalog/load-changed.ts";
import { positionOf } from "../../src/core/text/source.ts";
import { writeIfChanged } from "../write-if-changed.mjs";

const folder = new URL("../../wrapped-tools/", import.meta.url);

export async function generate() {
  const reader = await loadDefinitionReader("any.tool");
  const fileNames = readdirSync(folder)
    .filter((name) => name.endsWith(".tool"))
    .sort();
  const problems = clashes(fileNames);
  const tools = fileNames.map((fileName) => {
    const text = readFileSync(new URL(fileName, folder), "utf8");
    const source = { path: fileName, text };
    const read = reader.read(source, { scope: "builtin" });
    problems.push(...read.diagnostics.map(describe));
    return (
      read.value && {
        fileName,
        summary: summarizeDefinition(read.value),
        definition: storeDefinition(read.value, source),
        text,
      }
    );
  });
  if (problems.length > 0) throw new Error(`wrapped-tools/ has mistakes\n${problems.join("\n")}`);
  const isForWindows = ({ fileName }) => fileName.endsWith(".windows.tool");
  write(
    "bundled-tools",
    "bundledTools",
    tools.filter((tool) => !isForWindows(tool)),
  );
  write("bundled-windows-tools", "bundledWindowsTools", tools.filter(isForWindows));
}

function write(fileName, name, tools) {
  writeIfChanged(
    `src/generated/${fileName}.ts`,
    `// Made of wrapped-tools/ by scripts/generate/30-bundled-tools.mjs.\nimport { bundledFrom, type BundledTool } from "../core/catalog/bundled.ts";\n\nexport const ${name}: readonly BundledTool[] = bundledFrom([\n${tools.map((tool) => `  ${rowOf(tool)},\n`).join("")}], () => ${JSON.stringify(JSON.stringify(tools.map(({ summary }) => summary)))});\n`,
  );
}

function rowOf({ fileName, summary, definition, text }) {
  return `[${JSON.stringify(fileName)}, ${JSON.stringify(summary.name)}, () => ${JSON.stringify([definition, text])}]`;
}

function clashes(fileNames) {
  const folded = new Set();
  return fileNames
    .filter((name) => folded.size === folded.add(name.toLowerCase()).size)
    .map((name) => `${name}: another file differs from it by case alone`);
}

function describe({ code, severity, message, at }) {
  const place = at ? `${at.span.source.path}:${positionOf(at.span.source, at.span.start).line}: ` : "";
  return `${place}${severity}[${code}]: ${message}${at?.text ? ` (${at.text})` : ""}`;
}
