// Golden cases that need a whole tool folder: a folder of test/cases with `.tools` in it, and all messages in
// expected.txt. `UPDATE=1 node test/run.ts catalog/cases` writes the current ones.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assemble } from "../../src/core/session/assemble.ts";
import { renderDiagnostic } from "../../src/cli/view/render.ts";
import { assert, suite } from "../harness.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { withFixture } from "./catalogue-fixture.ts";

const test = suite("tool folders, word for word");
const root = fileURLToPath(new URL("../cases/", import.meta.url));

for (const name of readdirSync(root)
  .filter((one) => existsSync(join(root, one, ".tools")))
  .sort()) {
  test(`cases/${name}`, async () => {
    await withFixture({}, async (bench) => {
      if (name !== "untrusted") trustFoldersBelow(join(root, name));
      // The user's own folder, for cases that need one.
      const config = join(root, name, "config");
      if (existsSync(config)) process.env["XDG_CONFIG_HOME"] = config;
      const { diagnostics } = await assemble({ cwd: join(root, name), globalFolder: bench.at("etc") });
      const said = (await diagnostics())
        .map((diagnostic) => `${renderDiagnostic(diagnostic)}\n`)
        .join("\n")
        .replaceAll(join(root, name), "FOLDER");
      if (process.env["UPDATE"] === "1") writeFileSync(join(root, name, "expected.txt"), said);
      assert.is(said, readFileSync(join(root, name, "expected.txt"), "utf8"));
    });
  });
}

test.run();
