// Golden cases that take a whole tool folder: a folder of test/cases with `.tools` in it, and in expected.txt all that is said of it, word for word.
// `UPDATE=1 node test/run.ts catalog/cases` writes what is said now.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { baseTools } from "../../src/base/all.ts";
import { openCatalogue } from "../../src/catalog/catalogue.ts";
import { bundledTools } from "../../src/generated/bundled-tools.ts";
import { renderDiagnostic } from "../../src/text/render.ts";
import { assert, suite } from "../harness.ts";
import { withBench } from "./catalogue-bench.ts";

const test = suite("tool folders, word for word");
const root = fileURLToPath(new URL("../cases/", import.meta.url));

for (const name of readdirSync(root).filter((one) => existsSync(join(root, one, ".tools"))).sort()) {
  test(`cases/${name}`, async () => {
    await withBench({}, async (bench) => {
      const taken = { base: new Set(baseTools.map((tool) => tool.definition.name.value)), reserved: new Set<string>() };
      const catalogue = await openCatalogue({ host: bench.host, cwd: join(root, name), givenFolders: [], taken, bundled: bundledTools, cacheKey: "cases", globalFolder: bench.at("etc") });
      const said = (await catalogue.diagnostics()).map((diagnostic) => `${renderDiagnostic(diagnostic)}\n`).join("\n");
      if (process.env["UPDATE"] === "1") writeFileSync(join(root, name, "expected.txt"), said);
      assert.is(said, readFileSync(join(root, name, "expected.txt"), "utf8"));
    });
  });
}

test.run();
