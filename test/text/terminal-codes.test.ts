import { withoutTerminalCodes } from "../../src/core/text/hidden-characters.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("terminal-codes");

test("withoutTerminalCodes removes colours, cursor movements, titles, links and character sets", () => {
  const coded =
    "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m \x1b[2K\x1b[1A\x1b[?25l\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b(B\x1b7\x1bP1$r\x1b\\\x9b4mC1 end\x1b";
  assert.is(withoutTerminalCodes(coded), "red rgb linkC1 end");
});

test("withoutTerminalCodes leaves every other text", () => {
  const texts = ["", "plain\ttext\r\n", "[31m", "\u{1f600} é ]0;x", "a\bb\x07"];
  assert.equal(texts.map(withoutTerminalCodes), texts);
});

test("withoutTerminalCodes keeps the text after a code that does not end", () => {
  assert.is(withoutTerminalCodes("\x1b]0;title\nnext line \x1b[31;"), "0;title\nnext line 31;");
});

test("withoutTerminalCodes takes time linear to the text", () => {
  const texts: readonly ((length: number) => string)[] = [
    ...["\x1b]8;;", "\x1b[", "\x1b[;;; ", "\x1bP", "\x1b ", "\x9b;", "\x1b]\x1b["].map(
      (code) => (length: number) => code.repeat(length),
    ),
    (length) => `\x1b[${";".repeat(length)}`,
    (length) => `\x1b]${"a".repeat(length)}`,
  ];
  for (const text of texts)
    assertLinear(JSON.stringify(text(1)), 20_000, (length) => void withoutTerminalCodes(text(length)));
});

test.run();
