// Compiles the grammars that dottool runs to recipes, which load in a millisecond where their sources take thirty.
import { readFileSync } from "node:fs";
import { grammar } from "ohm-js";
import { writeIfChanged } from "../write-if-changed.mjs";

const folder = new URL("../../grammar/", import.meta.url);

export function generate() {
  for (const name of ["condition", "tool"]) {
    const file = `${name}.ohm`;
    const recipe = JSON.parse(grammar(readFileSync(new URL(file, folder), "utf8")).toRecipe());
    const text = JSON.stringify(recipe, withoutSource);
    writeIfChanged(
      `src/generated/${name}-grammar.ts`,
      `// Made of grammar/${file} by scripts/generate/10-grammars.mjs.\nexport const ${name}GrammarRecipe: string = ${JSON.stringify(text)};\n`,
    );
  }
}

// Removes the grammar's own text and the places in it, which are half of a recipe and only needed for Ohm's traces.
function withoutSource(key, value) {
  return key === "source" || key === "sourceInterval" ? undefined : value;
}
