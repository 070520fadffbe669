import { spawnSync } from "node:child_process";
import process from "node:process";
import { commandLine, quoteWord } from "../../src/core/base/quote.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";

const test = suite("quote");

test("quoteWord leaves plain words as they are", () => {
  const words = ["a", "./a-b_c.d", "--x=1", "@a", "50%", "a:b,c+d"];
  assert.equal(words.map(quoteWord), words);
});

test("quoteWord puts everything else in single quotes", () => {
  assert.equal(["", "a b", "it's", "$x", "*", "~", "=a", "a;b", "{a,b}", "#", "!x", "é"].map(quoteWord), [
    "''",
    "'a b'",
    "'it'\\''s'",
    "'$x'",
    "'*'",
    "'~'",
    "'=a'",
    "'a;b'",
    "'{a,b}'",
    "'#'",
    "'!x'",
    "'é'",
  ]);
});

test("quoteWord makes visible what would hide or redraw text", () => {
  assert.equal(["a\nb", "\t", "\x1b[2J", "a\u202eb", "a\u200bb", "\x7f\x85", "\u2028", "\0"].map(quoteWord), [
    "$'a\\nb'",
    "$'\\t'",
    "$'\\e[2J'",
    "$'a\\u202eb'",
    "$'a\\u200bb'",
    "$'\\u007f\\u0085'",
    "$'\\u2028'",
    "$'\\u0000'",
  ]);
});

for (const shell of ["dash", "bash", "zsh"]) {
  test(`commandLine shows words that ${shell} reads back as they were`, () => {
    needPrograms(shell);
    const argv = [
      "printf",
      "%s|",
      "a b",
      "it's",
      "$HOME",
      "`x`",
      "*",
      "",
      "~",
      "a=b",
      "=a",
      "#",
      "-x",
      "\\",
      '"',
      "é日本",
      "a'\"b",
      "{1..3}",
      "x!y",
    ];
    assert.is(spawnSync(shell, ["-c", commandLine(argv)], { encoding: "utf8" }).stdout, `${argv.slice(2).join("|")}|`);
  });
}

for (const shell of ["bash", "zsh"]) {
  test(`quoteWord writes what is hidden as ${shell} reads it back`, () => {
    needPrograms(shell);
    const words = ["a\nb", "it's \\n\t", "\x1b[2J", "\u202e\u200b", "\x7f\u0085", "\r\n"];
    assert.is(
      spawnSync(shell, ["-c", commandLine(["printf", "%s|", ...words])], {
        encoding: "utf8",
        env: { ...process.env, LC_ALL: "C.UTF-8" },
      }).stdout,
      `${words.join("|")}|`,
    );
  });
}

test("commandLine quotes a program whose name would read as an assignment", () => {
  assert.is(commandLine(["a=b", "a=b"]), "'a=b' a=b");
});

test.run();
