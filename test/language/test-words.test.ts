// Tests and examples of a definition as people write them: comparisons, sentences, and the words of a call.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { applyFixes } from "../../src/core/text/apply-fixes.ts";
import { assert, assertLinear, present, suite } from "../harness.ts";

const test = suite("words of tests");

const parameters = `@param folder {path} [required] Where
@param count {integer} [default=1] How often
@param case {boolean} [flag="-i"] Whatever the case
@param who-is {string} Whom`;

function definition(last: string): string {
  return `Say.\n\n@name say\n@command echo {case} {folder} {count} {who-is}\n${parameters}\n${last}`;
}

/** Returns the text as `check --fix` leaves it, from the given keyword on. */
function fixedFrom(keyword: string, text: string): string {
  const { diagnostics } = analyzeToolFile(parseToolFile({ path: "say.tool", text }));
  const fixed = applyFixes({ path: "say.tool", text }, diagnostics);
  return fixed.slice(fixed.indexOf(keyword) + keyword.length).trim();
}

const expectations: readonly (readonly [written: string, meant: string])[] = [
  ["output == x y", "output-equals x y"],
  ["output = x", "output-equals x"],
  ["output: x", "output-equals x"],
  ["stdout is x", "output-equals x"],
  ["{output} == x", "output-equals x"],
  ["output equals x", "output-equals x"],
  ["stdout contains x", "output-contains x"],
  ["output includes x", "output-contains x"],
  ["output does not contain x", "output-not-contains x"],
  ["output not contains x", "output-not-contains x"],
  ["output =~ /x/", "output-matches /x/"],
  ["output matches /x/", "output-matches /x/"],
  ["stderr contains x", "error-contains x"],
  ["exit code 1", "exit-code 1"],
  ["exit-code == 1", "exit-code 1"],
  ["exit-code: 1", "exit-code 1"],
  ["{exit-code} == 1", "exit-code 1"],
  ["exit_code=1", "exit-code 1"],
  ["exit status 1", "exit-code 1"],
  ["exit 1", "exit-code 1"],
  ["status 1", "exit-code 1"],
  ["success", "exit-code 0"],
  ["a.txt exists", "file-exists a.txt"],
  ["file a.txt exists", "file-exists a.txt"],
  ["folder b exists", "directory-exists b"],
];

test("an expectation may be a comparison or a sentence", () => {
  for (const [written, meant] of expectations)
    assert.is(
      fixedFrom("    expect ", definition(`@test one\n    with {"folder": "."}\n    expect ${written}\n`)),
      meant,
      written,
    );
});

test("an expectation that is written as it has to be stays, and one that says nothing certain is not guessed", () => {
  for (const written of [
    "exit-code 0",
    "output-equals == x",
    "output-contains exists",
    "file-exists exists",
    "result {}",
    "failure",
    "output",
    "exit code x",
    "count == 1",
  ]) {
    const text = definition(`@test one\n    with {"folder": "."}\n    expect ${written}\n`);
    assert.is(fixedFrom("    expect ", text), written);
  }
});

const calls: readonly (readonly [written: string, meant: string])[] = [
  ["folder=src", '{"folder":"src"}'],
  ["src", '{"folder":"src"}'],
  ["say src --count 3 --case", '{"count":3,"case":true,"folder":"src"}'],
  ["dottool say --folder src --count=3", '{"folder":"src","count":3}'],
  [`folder="my files" who-is='a b'`, '{"folder":"my files","who-is":"a b"}'],
  ["case=false src", '{"case":false,"folder":"src"}'],
];

test("arguments of tests and examples may be the words of a call", () => {
  for (const [written, meant] of calls) {
    assert.is(fixedFrom("@example ", definition(`@example ${written}\n`)), meant, written);
    assert.is(
      fixedFrom("    with ", definition(`@test one\n    with ${written}\n    expect exit-code 0\n`)).split("\n")[0],
      meant,
      written,
    );
  }
});

test("words that are no valid call, or that a shell would change, are not guessed", () => {
  for (const written of [
    "--count 3",
    "src lib",
    "src --count x",
    "src --unknown 1",
    "src --count",
    "src --count 1 --count 2",
    "$HOME",
    "src -n",
    "*.ts",
    '"src',
    "src; rm x",
    `folder="$HOME"`,
  ]) {
    assert.is(fixedFrom("@example ", definition(`@example ${written}\n`)), written);
    const text = definition(`@test one\n    with ${written}\n    expect exit-code 0\n`);
    assert.is(fixedFrom("    with ", text).split("\n")[0], written);
  }
});

test("what is read in place of tests is what they say", () => {
  const text = definition("@test one\n    with src --count 2\n    expect output == src 2\n");
  const { value } = analyzeToolFile(
    parseToolFile({ path: "say.tool", text: text.slice(0, text.indexOf("@test")) + fixedTest(text) }),
  );
  assert.equal(present(value).tests[0]?.arguments, { count: 2, folder: "src" });
  assert.equal(present(value).tests[0]?.expectations, [{ kind: "output-equals", text: "src 2" }]);
});

function fixedTest(text: string): string {
  return `@test ${fixedFrom("@test ", text)}\n`;
}

test("long words of tests are read in linear time", () => {
  for (const piece of ["a", " ", '"', "' ", "--x=", "exists ", "x exists"])
    assertLinear(`expect ${piece}`, 20_000, (length) => {
      const words = piece.repeat(length / piece.length);
      fixedFrom("@test ", definition(`@test one\n    with ${words}\n    expect ${words}\n`));
    });
});

test.run();
