// What a parsed definition depends on, as one short text: a cache made by another front end is not used.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeIfChanged } from "../write-if-changed.mjs";

const root = new URL("../../", import.meta.url);
const folders = ["grammar", "src/language", "src/schema", "src/text", "src/tool", "src/catalog"];

export function generate() {
  const hash = createHash("sha256").update(readFileSync(new URL("package.json", root)));
  for (const folder of folders) {
    const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((one) => /\.(ts|ohm)$/.test(one)).sort()) hash.update(`${folder}/${name}\0`).update(readFileSync(new URL(`${folder}/${name}`, root)));
  }
  const key = hash.digest("hex").slice(0, 32);
  writeIfChanged("src/generated/front-end-key.ts", `// Made by scripts/generate/20-front-end-key.mjs.\nexport const frontEndKey = "${key}";\n`);
}
