// Properties of every text.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { renderDiagnostic } from "../../src/cli/view/render.ts";
import { amount, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { generatedText, randomNumbers } from "./generated-text.ts";
import { meaningOf } from "./meaning.ts";

const TEXTS = amount(1_500, 20_000);
const test = suite("every text");

test(`parses, analyzes, and is formatted once and for all without a change of meaning (${TEXTS} texts)`, () => {
  const random = randomNumbers(seed);
  let defined = 0;
  for (let count = 0; count < TEXTS; count++) {
    const text = generatedText(random);
    const source = { path: "tool.tool", text };
    const file = parseToolFile(source);
    const checked = analyzeToolFile(file);
    if (checked.value) defined++;
    const formatted = formatToolFile(file);
    const again = parseToolFile({ path: "tool.tool", text: formatted });
    const show = JSON.stringify({ text, formatted });
    if (formatted !== text) {
      assert.is(formatToolFile(again), formatted, `formatting twice differs: ${show}`);
      assert.equal(meaningOf(analyzeToolFile(again)), meaningOf(checked), `the meaning changed: ${show}`);
    }
    if (count % 50 === 0) for (const diagnostic of checked.diagnostics) renderDiagnostic(diagnostic);
  }
  assert.ok(defined > TEXTS / 10, `only ${defined} texts are definitions`);
});

test.run();
