// Golden cases: a folder of test/cases holds definitions and, in expected.txt, all that is said of them, word for word.
// `UPDATE=1 node test/run.ts cases` writes what is said now.
import "./windows-shells.ts";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { analyzeToolFile } from "../src/core/language/analyze.ts";
import { parseToolFile } from "../src/core/language/syntax/parse.ts";
import { analyzeYamlFile } from "../src/features/yaml/analyze.ts";
import { diagnosticCodes } from "../src/core/text/codes.ts";
import { renderDiagnostic } from "../src/cli/view/render.ts";
import { assert, suite } from "./harness.ts";
import { beyondOneFile } from "./text/beyond-one-file.ts";

const root = fileURLToPath(new URL("./cases/", import.meta.url));
const test = suite("cases");

/** All that is said of the definitions in a folder. */
function said(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tool|yaml)$/.test(file))
    .sort();
  const diagnostics = files.flatMap((path) => {
    const source = { path, text: readFileSync(join(folder, path), "utf8") };
    return (path.endsWith(".yaml") ? analyzeYamlFile(source) : analyzeToolFile(parseToolFile(source))).diagnostics;
  });
  return diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic)}\n`).join("\n");
}

// Those with a tool folder are in catalog/cases.test.ts.
let allSaid = "";
for (const name of readdirSync(root)
  .filter((one) => !existsSync(join(root, one, ".tools")))
  .sort()) {
  test(`cases/${name} is said word for word`, () => {
    const expected = join(root, name, "expected.txt");
    const actual = said(join(root, name));
    if (process.env["UPDATE"] === "1") writeFileSync(expected, actual);
    allSaid += actual;
    assert.is(actual, readFileSync(expected, "utf8"));
  });
}

test("cases have every code that one file alone can have", () => {
  const codes = diagnosticCodes.filter((code) => !beyondOneFile.includes(code));
  assert.equal(
    codes.filter((code) => !allSaid.includes(`[${code}]: `)),
    [],
  );
});

test.run();
