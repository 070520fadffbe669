// The inputs of a parsed definition and of a list, as one short text. Caches of another program are not used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeIfChanged } from "../write-if-changed.mjs";

const root = new URL("../../", import.meta.url);
/** Includes the bundled tools and the base tools, which are in a list. Generated files follow from the others. */
const folders = ["grammar", "src", "wrapped-tools"];

export function generate() {
  const hash = createHash("sha256").update(readFileSync(new URL("package.json", root)));
  for (const folder of folders) {
    const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((one) => /\.(ts|ohm|tool|ya?ml)$/.test(one) && !one.startsWith("generated")).sort())
      hash.update(`${folder}/${name}\0`).update(readFileSync(new URL(`${folder}/${name}`, root)));
  }
  const key = hash.digest("hex").slice(0, 32);
  writeIfChanged(
    "src/generated/definition-reader-key.ts",
    `// Made by scripts/generate/20-definition-reader-key.mjs.\nexport const definitionReaderKey = "${key}";\n`,
  );
}
