// Every page's bad file has its diagnostic, and the repaired one has none.
import "../windows-shells.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { analyzeYamlFile } from "../../src/features/yaml/analyze.ts";
import { codePage } from "../../src/features/check/commands/explain-code.ts";
import { diagnosticCodes } from "../../src/core/text/codes.ts";
import type { Diagnostic } from "../../src/core/text/diagnostic.ts";
import { assert, suite } from "../harness.ts";
import { beyondOneFile } from "./beyond-one-file.ts";

const test = suite("codePage");

function diagnosticsOf(text: string): readonly Diagnostic[] {
  if (text.startsWith("name: ")) return analyzeYamlFile({ path: "find_lines.yaml", text }).diagnostics;
  const name =
    text.includes("@name page\n") || text.includes("@name fetch\n@wrapped")
      ? "page"
      : (/^@name (\w+)$/m.exec(text)?.[1] ?? "a page");
  return analyzeToolFile(parseToolFile({ path: `${name}.tool`, text })).diagnostics;
}

for (const code of diagnosticCodes.filter((one) => !beyondOneFile.includes(one) && one !== "too-large")) {
  test(`codePage ${code}: the bad file has it`, () => {
    const codes = diagnosticsOf(codePage(code).bad).map((diagnostic) => diagnostic.code);
    assert.ok(codes.includes(code), `it has ${codes.join(", ")}`);
  });
  test(`codePage ${code}: the repair has nothing`, () => {
    const messages = diagnosticsOf(codePage(code).good)
      .filter((diagnostic) => diagnostic.code !== "file-name-differs")
      .map((diagnostic) => diagnostic.message);
    assert.equal(messages, []);
  });
}

test("codePage has a title, an explanation and both files for every code", () => {
  const incomplete = diagnosticCodes.filter((code) =>
    Object.values(codePage(code)).some((text: string) => text.trim() === ""),
  );
  assert.equal(incomplete, []);
});

test.run();
