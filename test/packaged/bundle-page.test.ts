// "The second day" of docs/bundle.md, from a first version to a self-update, as it is shown there.
import { readFileSync } from "node:fs";
import { assert, suite } from "../harness.ts";
import { readPage, runPage } from "../run-page.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";

const test = suite("docs/bundle.md");

test("the second day is as docs/bundle.md shows it", async () => {
  const text = readFileSync(new URL("../../docs/bundle.md", import.meta.url), "utf8");
  const page = readPage(text.slice(text.indexOf("\n## The second day\n")));
  assert.ok(page.examples.length > 5 && page.files.size === 1);
  const said = await runPage(page, { dottool: `exec ${packagedFile} "$@"` });
  const asShown = (output: string): string =>
    output
      .replaceAll(/\/\S*\/dottool-docs-[^/]+\/work\//g, "/home/ana/")
      .replaceAll(packagedTarget, "linux-x64")
      .replaceAll(/(?<=SHA-256 of the files: )\S+/g, "…");
  assert.equal(
    said.map(({ output }) => asShown(output)),
    page.examples.map(({ output }) => asShown(output)),
  );
});

test.run();
