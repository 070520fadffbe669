// The entries of `list` for the base tools, so that it need not load them.
import { loadBaseTools } from "../../src/core/base/all.ts";
import { firstSentence } from "../../src/core/text/first-sentence.ts";
import { writeIfChanged } from "../write-if-changed.mjs";
import { useFeatures } from "../../src/core/tool/feature.ts";
import { features } from "../../src/features/index.ts";

useFeatures(features);
const baseTools = await loadBaseTools();

export function generate() {
  const rows = baseTools.map(({ definition, effects }) => ({
    name: definition.name.value,
    title: definition.title,
    summary: firstSentence(definition.description),
    effects,
    tags: definition.tags,
    keywords: definition.keywords,
  }));
  writeIfChanged(
    "src/generated/base-tools.ts",
    `// Made of src/core/base/all.ts by scripts/generate/25-base-tools.mjs.\nimport type { DefinitionSummary } from "../core/catalog/entry.ts";\n\nexport type BaseToolSummary = Pick<DefinitionSummary, "name" | "title" | "summary" | "effects" | "tags" | "keywords">;\n\nexport const baseToolSummaries: readonly BaseToolSummary[] = JSON.parse(${JSON.stringify(JSON.stringify(rows))}) as readonly BaseToolSummary[];\n`,
  );
}
