// Parsing in one process with loaded readers: `.tool` files, and the same definitions as custom-tools YAML.
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { definition, yamlDefinition } from "./programs.mjs";

const FILES = 2_000;

export async function benchParse() {
  const asTool = Array.from({ length: FILES }, (_, index) => ({ path: `tool_${index}.tool`, text: definition(index) }));
  const asYaml = asTool.map((_, index) => ({ path: `tool_${index}.yaml`, text: yamlDefinition(index) }));
  const [seconds, yamlSeconds] = [await read(asTool), await read(asYaml)];
  const bytes = asTool.reduce((sum, { text }) => sum + text.length, 0);
  return [
    { name: "parse and analyze, cold", value: FILES / seconds, unit: "files/s" },
    { name: "parse and analyze, cold", value: bytes / seconds / 1e6, unit: "MB/s" },
    {
      name: "parse and analyze YAML, cold",
      value: (yamlSeconds / FILES) * 1000,
      unit: "ms/file",
      reference: (seconds / FILES) * 1000,
      of: "as .tool",
    },
  ];
}

async function read(sources) {
  const reader = await loadDefinitionReader(sources[0].path);
  const startMs = performance.now();
  for (const source of sources) {
    const { diagnostics } = reader.read(source, { scope: "project" });
    if (diagnostics.length > 0) throw new Error(`${source.path}: ${diagnostics[0].message}`);
  }
  return (performance.now() - startMs) / 1000;
}
