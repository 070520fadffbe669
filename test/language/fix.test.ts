// Every fix in the golden cases repairs its problem, and the fixed file still parses.
import "../windows-shells.ts";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { applyFixes } from "../../src/core/text/apply-fixes.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { Diagnostic } from "../../src/core/text/diagnostic.ts";
import { assert, suite } from "../harness.ts";

const test = suite("applyFixes");
const cases = fileURLToPath(new URL("../cases/", import.meta.url));

function diagnosticsOf(path: string, text: string): readonly Diagnostic[] {
  return analyzeToolFile(parseToolFile({ path, text })).diagnostics;
}

/** Returns a diagnostic without its place, which other repairs move. */
function said(diagnostic: Diagnostic): string {
  return `${diagnostic.code} ${diagnostic.message} ${diagnostic.at?.text ?? ""}`;
}

function count(diagnostics: readonly Diagnostic[], code: string): number {
  return diagnostics.filter((diagnostic) => diagnostic.code === code).length;
}

let offered = 0;
for (const path of readdirSync(cases, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tool") && !file.includes(".tools"))
  .sort()) {
  const text = readFileSync(`${cases}${path}`, "utf8");
  for (const diagnostic of diagnosticsOf(path, text).filter((one) => one.fix)) {
    offered++;
    const place = diagnostic.at?.span.start ?? 0;
    test(`applyFixes ${path}:${place}: ${diagnostic.fix?.title} (${diagnostic.code})`, () => {
      const before = diagnosticsOf(path, text);
      const source = diagnostic.at?.span.source ?? { path, text };
      const after = diagnosticsOf(path, applyFixes(source, [diagnostic]));
      assert.ok(
        count(after, diagnostic.code) < count(before, diagnostic.code) ||
          after.filter((one) => said(one) === said(diagnostic)).length <
            before.filter((one) => said(one) === said(diagnostic)).length,
        "it is still there",
      );
      const isNew = (code: string): boolean => count(after, code) > count(before, code);
      assert.equal(["malformed-annotation", "stray-text", "unknown-annotation"].filter(isNew), []);
    });
  }
}

test("applyFixes is tried on many repairs", () => assert.ok(offered > 40, `${offered}`));

test("applyFixes repairs all it can in one pass, and the rest in the next", () => {
  const text =
    "Words.\n\n@titel Find\n@name find_lines\n@wrapped run_command\n@command grep {patern} {folders}\n@param pattern: {string} What\n@param folder [requird] {path} Where\n";
  const once = applyFixes({ path: "find_lines.tool", text }, diagnosticsOf("find_lines.tool", text));
  const twice = applyFixes({ path: "find_lines.tool", text: once }, diagnosticsOf("find_lines.tool", once));
  assert.is(
    twice,
    "Words.\n\n@title Find\n@name find_lines\n@wrapped run_command\n@command grep {pattern} {folder}\n@param pattern {string} What\n@param folder {path} [required] Where\n",
  );
  assert.equal(diagnosticsOf("find_lines.tool", twice), []);
});

/** Applies fixes until none is offered. */
function repaired(text: string): string {
  for (let pass = 0, before = ""; text !== before && pass < 10; pass++)
    [before, text] = [text, applyFixes({ path: "a.tool", text }, diagnosticsOf("a.tool", text))];
  return text;
}

const head = "Words.\n\n@title A\n@name a\n@tags run\n";

test("a tool that needs nothing falls back to one that needs nothing", () => {
  for (const line of ["fallback:", "fallback: uses ls"])
    assert.equal(diagnosticsOf("a.tool", `${head}@step one uses glob [fallback]\n    ${line}\n`), []);
});

test("applyFixes does not move what may be a line of the script", () => {
  const text = `${head}@step one sh\n    false\n    fallback: echo x\n    ls\n`;
  assert.is(repaired(text), text);
});

test("applyFixes leaves a text without diagnostics as it is", () =>
  assert.is(applyFixes({ path: "a.tool", text: "x\r\n\t" }, []), "x\r\n\t"));

test.run();
