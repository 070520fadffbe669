import fc from "fast-check";
import { cut, padEnd, printableLines, reflow, rows, wrap } from "../../src/cli/view/layout.ts";
import { displayed } from "../../src/core/text/display.ts";
import { assert, suite } from "../harness.ts";

const test = suite("layout");

test("wrap breaks at blanks and keeps the indent", () => {
  assert.equal(wrap("  one two three", 10), ["  one two", "  three"]);
});

test("wrap keeps line ends and lines that fit", () => {
  assert.equal(wrap("a   b\n\nc", 10), ["a   b", "", "c"]);
});

test("wrap keeps a word that is longer than a line", () => {
  assert.equal(wrap("a unbreakable b", 5), ["a", "unbreakable", "b"]);
});

test("rows puts texts below each other, and a long name on a line of its own", () => {
  assert.equal(
    rows(
      [
        ["a", "one two three"],
        ["longer", "x"],
        ["", "y"],
      ],
      { columns: 30, indent: 2, nameColumnsMax: 4 },
    ),
    ["  a  one two three", "  longer", "     x", "     y"],
  );
});

test("cut marks what is missing and counts wide characters twice", () => {
  assert.is(cut("abcdef", 6), "abcdef");
  assert.is(cut("abcdef", 5), "abcd…");
  assert.is(cut("文字列です", 5), "文字…");
});

test("padEnd counts columns", () => {
  assert.is(padEnd("文", 4), "文  ");
});

test("printable keeps line ends and shows what would move the cursor", () => {
  assert.is(printableLines("a\r\nb\u001b[2J\u202e\tc"), "a\nb\\u{1b}[2J\\u{202e}  c");
});

test("reflow joins the lines of a paragraph and keeps lists and indents", () => {
  assert.is(reflow("one\ntwo\n\nthree\n- four\n  five\n1. six"), "one two\n\nthree\n- four\n  five\n1. six");
});

test("wrap never loses a word, and lines of several words fit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z\u4e00-\u4e20]{1,12}$/), { minLength: 1 }),
      fc.integer({ min: 5, max: 40 }),
      (words, columns) => {
        const lines = wrap(words.join(" "), columns);
        assert.equal(lines.join(" ").split(" "), words);
        for (const line of lines) assert.ok(!line.includes(" ") || displayed(line).columns <= columns);
      },
    ),
  );
});

test.run();
