// The pages of the YAML formats are complete: a row for every key, and every key stands in a test of the format. Their
// examples run in ../docs.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { allKeys as customKeys } from "../../src/features/yaml/custom-tools/keys.ts";
import { EXTENSION } from "../../src/features/yaml/described-keys.ts";
import { allKeys as forgeKeys } from "../../src/features/yaml/forge-tool/keys.ts";
import { allKeys as metaKeys } from "../../src/features/yaml/meta-tools/keys.ts";
import { assert, suite } from "../harness.ts";

const test = suite("pages of YAML formats");
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

for (const [format, allKeys] of [
  ["custom-tools", customKeys],
  ["meta-tools", metaKeys],
  ["forge-tool", forgeKeys],
] as const) {
  const keys = allKeys.flatMap(([path, known]) =>
    // docs/custom-tools.md has a section about it, as many maps may have it.
    known.keys.filter((key) => key !== EXTENSION || format !== "custom-tools").map((key) => path + key),
  );

  test(`docs/${format}.md has a row for each key, and no other`, () => {
    const rows = [...read(`../../docs/${format}.md`).matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, key]) => key);
    assert.equal(rows.sort(), keys.sort());
  });

  test(`each key of docs/${format}.md stands in a test of the format`, () => {
    const texts = readdirSync(new URL(`./${format}/`, import.meta.url))
      .map((file) => read(`./${format}/${file}`))
      .join("");
    const words = new Set(texts.split(/[^\w-]+/));
    assert.equal(
      keys.filter((key) => !words.has(key.split(".").at(-1) ?? "")),
      [],
    );
  });
}

test.run();
