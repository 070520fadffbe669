// Texts to definitions, in one process that has the grammar ready.
import { loadFrontEnd } from "../../src/catalog/front-end.ts";
import { definition } from "./programs.mjs";

const FILES = 2_000;

export async function benchParse() {
  const frontEnd = await loadFrontEnd("any.tool");
  const sources = Array.from({ length: FILES }, (_, index) => ({ path: `tool_${index}.tool`, text: definition(index) }));
  const startMs = performance.now();
  for (const source of sources) {
    const { diagnostics } = frontEnd.read(source, { scope: "project" });
    if (diagnostics.length > 0) throw new Error(`${source.path}: ${diagnostics[0].message}`);
  }
  const seconds = (performance.now() - startMs) / 1000;
  const bytes = sources.reduce((sum, { text }) => sum + text.length, 0);
  return [
    { name: "parse and analyze, cold", value: FILES / seconds, unit: "files/s" },
    { name: "parse and analyze, cold", value: bytes / seconds / 1e6, unit: "MB/s" },
  ];
}
