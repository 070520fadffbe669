// The pages of the smaller YAML formats are complete and true: a row for every key, and a test for every row. Their
// examples run in ../docs.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { allKeys as forgeKeys } from "../../src/features/yaml/forge-tool/keys.ts";
import { allKeys as metaKeys } from "../../src/features/yaml/meta-tools/keys.ts";
import { assert, suite } from "../harness.ts";

const test = suite("pages of YAML formats");
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

for (const [folder, allKeys] of [
  ["meta-tools", metaKeys],
  ["forge-tool", forgeKeys],
] as const) {
  const readme = read(`../../docs/${folder}.md`);
  const rows = readme.split("\n").flatMap((line) => {
    const [, key, , shown] = /^\| `([^`]+)` \| (.+) \| (.+) \|$/.exec(line) ?? [];
    return key === undefined || shown === undefined ? [] : [{ key, shown }];
  });

  test(`src/core/language/${folder}/README.md has a row for each key, and no other`, () => {
    assert.equal(
      rows.map(({ key }) => key).sort(),
      allKeys.flatMap(([path, { keys }]) => keys.map((key) => path + key)).sort(),
    );
  });

  test(`src/core/language/${folder}/README.md names tests that there are`, () => {
    const texts = readdirSync(new URL(`./${folder}/`, import.meta.url))
      .map((file) => read(`./${folder}/${file}`))
      .join("");
    const titles = new Set([...texts.matchAll(/^test\("([^"]+)"/gm)].map(([, title]) => title));
    assert.equal(
      rows.filter(({ shown }) => !titles.has(shown)),
      [],
    );
  });
}

test.run();
