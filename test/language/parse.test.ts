// Lines, continuations, bodies and odd lines.
import { type Annotation, type MappedText, spanWithin, type ToolFile } from "../../src/core/language/syntax/ast.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { amount } from "../amount.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("parseToolFile");

function parse(text: string): ToolFile {
  return parseToolFile({ path: "t.tool", text });
}

function plain(annotation: Annotation): object {
  const { keyword, qualifier, text, body } = annotation;
  return {
    keyword,
    ...(qualifier ? { qualifier: qualifier.text } : {}),
    text: text.text,
    ...(body ? { body: body.text } : {}),
  };
}

/** Returns every character of the source at the place that the text gives for it. */
function asInSource(mapped: MappedText): string {
  return Array.from({ length: mapped.text.length }, (_, index) => mapped.span.source.text[mapped.offsetAt(index)]).join(
    "",
  );
}

test("parseToolFile takes the text before the first annotation as description, paragraphs kept", () => {
  const file = parse("\n  First line  \n\tsecond\n\n\nnext paragraph\t\n\n@name x");
  assert.is(file.description.text, "First line\n\tsecond\n\n\nnext paragraph");
  assert.equal(file.description.span.start, 3);
});

test("parseToolFile begins annotations at an @ and a letter, after blanks", () => {
  const file = parse("mail @me\n@ no\n@1 no\n \t@name x");
  assert.is(file.description.text, "mail @me\n@ no\n@1 no");
  assert.equal(file.annotations.map(plain), [{ keyword: "name", text: "x" }]);
});

test("parseToolFile joins continuations with one blank", () => {
  const file = parse("@note one  \n   two\n\tthree\n\n@title x");
  assert.equal(file.annotations.map(plain), [
    { keyword: "note", text: "one two three" },
    { keyword: "title", text: "x" },
  ]);
});

test("parseToolFile keeps a body line by line without the indent that its lines share", () => {
  const file = parse("@script\n    if true\n\n      then  \n    fi\n\n@name x");
  assert.equal(file.annotations.map(plain), [
    { keyword: "script", text: "", body: "if true\n\n  then  \nfi" },
    { keyword: "name", text: "x" },
  ]);
});

test("parseToolFile keeps annotations that are indented deeper in the body", () => {
  const file = parse("  @script\n    @echo off\n  @name x");
  assert.equal(file.annotations.map(plain), [
    { keyword: "script", text: "", body: "@echo off" },
    { keyword: "name", text: "x" },
  ]);
});

test("parseToolFile shares no indent between tabs and blanks", () => {
  assert.equal(parse("@script\n\ta\n    b").annotations.map(plain), [
    { keyword: "script", text: "", body: "\ta\n    b" },
  ]);
});

test("parseToolFile continues a command on lines that are not indented deeper", () => {
  assert.equal(parse("@command find .\n-name x").annotations.map(plain), [
    { keyword: "command", text: "find . -name x" },
  ]);
});

test("parseToolFile reads qualifiers", () => {
  assert.equal(parse("@command(windows) dir").annotations.map(plain), [
    { keyword: "command", qualifier: "windows", text: "dir" },
  ]);
});

test("parseToolFile keeps text behind a blank line and behind a body as stray", () => {
  const file = parse("@name x\n\none\ntwo\n\nthree\n@script\n  a\nfour");
  assert.equal(
    file.strayText.map((text) => text.text),
    ["one two", "three", "four"],
  );
});

test("parseToolFile keeps odd lines with their continuations", () => {
  const file = parse("@param{string} x\n  more\n@name: y");
  assert.equal(
    file.oddLines.map((line) => line.text),
    ["@param{string} x more", "@name: y"],
  );
  assert.equal(file.annotations, []);
});

test("parseToolFile accepts byte order marks, carriage returns and a missing newline at the end", () => {
  const file = parse("\ufeffWords.\r\n\r\n@name x\r\n@script\r\n  a\r\n  b");
  assert.is(file.description.text, "Words.");
  assert.equal(file.annotations.map(plain), [
    { keyword: "name", text: "x" },
    { keyword: "script", text: "", body: "a\nb" },
  ]);
});

test("parseToolFile knows the place of every character", () => {
  const file = parse("\ufeffA\r\n  b\r\n\r\n@note one \r\n  two\r\n@script\r\n    x\r\n\r\n      y\r\n");
  const texts = [
    file.description,
    ...file.annotations.flatMap((annotation) => [annotation.text, ...(annotation.body ? [annotation.body] : [])]),
  ];
  // Line ends are read as "
  // ", and those within a continuation as one blank.
  const expected = ["A\n  b", "one two", "", "x\n\n  y"];
  assert.equal(
    texts.map((mapped) => mapped.text),
    expected,
  );
  const inSource = texts.map((mapped) => asInSource(mapped).replaceAll("\r", "\n"));
  assert.equal(inSource, ["A\n  b", "one two", "", "x\n\n  y"]);
});

test("spanWithin gives a range over the lines that a text was joined from", () => {
  const file = parse("@note one\n    two");
  const text = file.annotations[0]?.text;
  const span = text && spanWithin(text, 2, 6);
  assert.is(span?.source.text.slice(span.start, span.end), "e\n    tw");
});

test("parseToolFile takes a text of nothing", () => {
  const { description, annotations, oddLines, strayText } = parse("");
  assert.equal([description.text, annotations, oddLines, strayText], ["", [], [], []]);
});

const KIBIBYTE = 1_024;
for (const [what, piece] of [
  ["prose", "a line of prose without anything in it\n"],
  ["one line", "x"],
  ["one first word", "@x"],
  ["annotations", "@param name {string} [required] words\n"],
  ["odd lines", "@param{string} words\n"],
  ["blank lines", "@script\n  a\n\n\n\n\n\n\n\n\n\n\n"],
  ["continuations", "@note a\n  b\n  c\n  d\n"],
] as const) {
  test(`parseToolFile takes time linear to ${what}`, () => {
    assertLinear(what, amount(64, 256) * KIBIBYTE, (size) => void parse(piece.repeat(Math.ceil(size / piece.length))));
  });
}

test.run();
