// A text in quotes of `@command` may have several lines: they stay as they are written, also blank ones, and a line
// that begins like an annotation of no known name.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";

const test = suite("quoted-lines");

function wordsOf(text: string): unknown {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "it.tool", text }));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (!value || errors.length > 0) return errors.map(({ code, message }) => `${code}: ${message}`);
  const [first] = value.kind === "wrapped" ? value.commands : [];
  return first?.command.kind === "direct" ? first.command.words.map(({ parts }) => parts) : first?.command.kind;
}

const head = "Does it.\n\n@name it\n@title It\n@wrapped run_command\n@param x {string} [required] What\n";

test("a text in quotes keeps its lines, blank ones too, and formatting does not change it", () => {
  const rows: readonly (readonly [command: string, words: unknown])[] = [
    [
      "python3 -c '\nimport sys\n\nprint(1)\n' {x}",
      [["python3"], ["-c"], ["\nimport sys\n\nprint(1)\n"], [{ placeholder: "x" }]],
    ],
    ['printf %s "a\n  b"', [["printf"], ["%s"], ["a\nb"]]],
    ['printf %s "a\n  b\nc"', [["printf"], ["%s"], ["a\n  b\nc"]]],
    [
      'echo \'{\n  "a": "it",\n\n  "b": 1\n}\' "two\nlines"',
      [["echo"], ['{\n  "a": "it",\n\n  "b": 1\n}'], ["two\nlines"]],
    ],
    ["echo '\n@staticmethod\n@x-free\n'", [["echo"], ["\n@staticmethod\n@x-free\n"]]],
    ['echo "it\'s \\" one\n" two', [["echo"], ["it's \" one\n"], ["two"]]],
  ];
  for (const [command, words] of rows) {
    const text = `${head}@command ${command}\n@tags read\n`;
    assert.equal([command, wordsOf(text)], [command, words]);
    const formatted = formatToolFile(parseToolFile({ path: "it.tool", text }));
    assert.equal([command, wordsOf(formatted)], [command, words]);
    assert.equal([command, formatToolFile(parseToolFile({ path: "it.tool", text: formatted }))], [command, formatted]);
  }
});

test("a mark that is not closed ends at the next known annotation", () => {
  assert.equal(wordsOf(`${head}@command echo don't\n\n@tags read\n`), ["unclosed-quote: this `'` is not closed"]);
  assert.equal(wordsOf(`${head}@command echo don't\n@help it's here\n`), ["unclosed-quote: this `'` is not closed"]);
});

test.run();
