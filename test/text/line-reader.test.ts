// Lines of text that comes in pieces.
import { lineReader } from "../../src/core/text/line-reader.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("core/text/line-reader.ts");

function linesOf(pieces: readonly string[], charactersMax: number): readonly string[] {
  const lines: string[] = [];
  const take = lineReader({
    charactersMax,
    onLine: (line) => void lines.push(line),
    onTooLong: () => void lines.push("(too long)"),
  });
  for (const piece of pieces) take(piece);
  return lines;
}

test("lineReader gives the same lines however the text is cut", () => {
  const text = "one\n\ntwo\nthree\n";
  for (const pieces of [[text], [...text], ["one\n\ntw", "o\nth", "ree\n"]])
    assert.equal(linesOf(pieces, 5), ["one", "", "two", "three"]);
});

test("lineReader passes over a line that is too long, and reads on behind it", () => {
  assert.equal(linesOf(["12345", "6", "7\nnext\n"], 5), ["(too long)", "next"]);
});

test("lineReader takes a long line in linear time", () => {
  assertLinear("a line of many pieces", 20_000, (length) => {
    const piece = "a".repeat(1_000);
    linesOf([...Array.from({ length }, () => piece), "\n"], length * piece.length);
  });
});

test.run();
