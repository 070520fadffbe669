// Writes grammar/annotations.md: every annotation with its key in YAML.
import { toolKeys } from "../../src/features/yaml/custom-tools/keys.ts";
import { annotationKinds } from "../../src/core/language/syntax/annotations.ts";
import { writeIfChanged } from "../write-if-changed.mjs";

const HEAD = `# Annotations

Made by scripts/generate/50-annotations.mjs. [The language](README.md) explains them; the key says the same in
[custom-tools YAML](../docs/custom-tools.md).

| annotation | key in YAML | the key says |
| --- | --- | --- |
`;

export function generate() {
  const rows = [...annotationKinds].map(
    ([keyword, { form, key }]) => `| ${code(`@${keyword} ${form}`.trimEnd())} | ${code(key)} | ${describe(key)} |\n`,
  );
  writeIfChanged("grammar/annotations.md", HEAD + rows.join(""));
}

function code(text) {
  return `\`${text}\``;
}

/** Throws for a key that the format does not have. */
function describe(path) {
  let value = { kind: { keys: toolKeys } };
  for (const key of path.split(".")) value = value.kind.keys.values[key];
  return value.does;
}
