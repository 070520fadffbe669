// docs/custom-tools.md is complete and true: a row for every key, and a test for every row.
import { readFileSync } from "node:fs";
import { allKeys } from "../../../src/features/yaml/custom-tools/keys.ts";
import { EXTENSION } from "../../../src/features/yaml/described-keys.ts";
import { assert, suite } from "../../harness.ts";

const test = suite("docs/custom-tools.md");
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const rows = read("../../../docs/custom-tools.md")
  .split("\n")
  .flatMap((line) => {
    const [, key, , shown] = /^\| `([^`]+)` \| (.+) \| (.+) \|$/.exec(line) ?? [];
    return key === undefined || shown === undefined ? [] : [{ key, shown }];
  });

test("docs/custom-tools.md has a row for each key of the schema, and no other", () => {
  const keys = allKeys.flatMap(([path, known]) =>
    known.keys.filter((key) => key !== EXTENSION).map((key) => path + key),
  );
  assert.equal(rows.map(({ key }) => key).sort(), [...keys].sort());
});

test("docs/custom-tools.md names tests that there are", () => {
  const titles = new Set(
    [...(read("keys.test.ts") + read("tool-keys.test.ts")).matchAll(/^test\("([^"]+)"/gm)].map(([, title]) => title),
  );
  assert.equal(
    rows.filter(({ shown }) => !titles.has(shown)),
    [],
  );
});

test.run();
