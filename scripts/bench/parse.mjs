// Parsing in one process with loaded readers: `.tool` files, and the same definitions as custom-tools YAML.
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { yamlText } from "../../src/features/yaml/yaml-text.ts";
import { definition } from "./programs.mjs";

const FILES = 2_000;

export async function benchParse() {
  const asTool = Array.from({ length: FILES }, (_, index) => ({ path: `tool_${index}.tool`, text: definition(index) }));
  const { values, seconds } = await read(asTool);
  const asYaml = values.map((value, index) => ({ path: `tool_${index}.yaml`, text: yamlText(value) }));
  const yaml = await read(asYaml);
  const bytes = asTool.reduce((sum, { text }) => sum + text.length, 0);
  return [
    { name: "parse and analyze, cold", value: FILES / seconds, unit: "files/s" },
    { name: "parse and analyze, cold", value: bytes / seconds / 1e6, unit: "MB/s" },
    {
      name: "parse and analyze YAML, cold",
      value: (yaml.seconds / FILES) * 1000,
      unit: "ms/file",
      reference: (seconds / FILES) * 1000,
      of: "as .tool",
    },
  ];
}

async function read(sources) {
  const reader = await loadDefinitionReader(sources[0].path);
  const startMs = performance.now();
  const values = sources.map((source) => {
    const { value, diagnostics } = reader.read(source, { scope: "project" });
    if (diagnostics.length > 0) throw new Error(`${source.path}: ${diagnostics[0].message}`);
    return value;
  });
  return { values, seconds: (performance.now() - startMs) / 1000 };
}
