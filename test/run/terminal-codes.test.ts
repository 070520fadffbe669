import { withoutTerminalCodes } from "../../src/run/terminal-codes.ts";
import { assert, processorMs, suite } from "../harness.ts";

const test = suite("terminal-codes");

test("withoutTerminalCodes removes colours, cursor movements, titles, links and character sets", () => {
  const coded = "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m \x1b[2K\x1b[1A\x1b[?25l\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b(B\x1b7\x1bP1$r\x1b\\\x9b4mC1 end\x1b";
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
  const startedMs = processorMs();
  for (const code of ["\x1b]8;;", "\x1b[", "\x1b[;;; ", "\x1bP", "\x1b ", "\x9b;", "\x1b]\x1b["]) withoutTerminalCodes(code.repeat(200_000));
  withoutTerminalCodes(`\x1b[${";".repeat(1_000_000)}`);
  withoutTerminalCodes(`\x1b]${"a".repeat(1_000_000)}`);
  assert.ok(processorMs() - startedMs < 5_000);
});

test.run();
