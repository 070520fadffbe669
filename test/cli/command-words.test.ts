import { readCommandWords } from "../../src/cli/words/command-words.ts";
import type { WordsCommand } from "../../src/cli/command.ts";
import { assert, suite } from "../harness.ts";

const test = suite("command-words");

const command: WordsCommand = {
  kind: "words",
  usage: ["try [NAME…] [--for KIND] [--json]"],
  about: "",
  options: [
    { name: "for", value: "KIND", choices: ["007", "1e3", "-x", "no-y"], does: "" },
    { name: "text", value: "TEXT", does: "" },
    { name: "json", does: "" },
  ],
  words: [1, 2],
  examples: [],
  run: async () => 0,
};

function read(...words: string[]): unknown {
  const result = readCommandWords("try", command, words);
  if (result === "help") return result;
  if ("problem" in result) return result.problem;
  const { input } = result;
  return { words: input.words, for: input.value("for"), text: input.values("text"), json: input.has("json") };
}

test("readCommandWords finds `--help` whatever else is wrong, except as a value and behind `--`", () => {
  assert.equal(
    [
      ["--bogus", "-h"],
      ["a", "b", "c", "--help"],
      ["a", "--text", "--help"],
      ["a", "--", "--help"],
    ].map((words) => (read(...words) as { readonly words?: readonly string[] }).words ?? "help"),
    ["help", "help", ["a"], ["a", "--help"]],
  );
});

test("readCommandWords keeps values that look like numbers or options as they are", () => {
  assert.equal(read("a", "--for", "007", "--text", "1e3", "--text=-x"), {
    words: ["a"],
    for: "007",
    text: ["1e3", "-x"],
    json: false,
  });
  assert.equal(read("--text", "--json", "00501"), { words: ["00501"], for: undefined, text: ["--json"], json: false });
  for (const empty of [["--text", ""], ["--text="]])
    assert.equal(read(...empty, "true"), { words: ["true"], for: undefined, text: [""], json: false });
});

test("readCommandWords leaves the word after a flag alone", () => {
  assert.equal(read("--json", "5"), { words: ["5"], for: undefined, text: [], json: true });
});

test("readCommandWords takes everything behind -- as words", () => {
  assert.equal(read("--", "--json", "--for"), { words: ["--json", "--for"], for: undefined, text: [], json: false });
});

test("readCommandWords says what is wrong", () => {
  assert.is(read("a", "--jsn"), "`try` has no option `--jsn`; did you mean `--json`?");
  assert.is(read("a", "-j"), "`try` has no option `-j`");
  assert.is(read("a", "--json=x"), "`--json` does not take a value");
  assert.is(read("a", "--for"), "`--for` needs a value: `--for KIND`");
  assert.is(read("a", "--for", "9"), "`--for` must be one of 007, 1e3, -x, no-y; got `9`");
  assert.is(read(), "missing argument; usage: `dottool try [NAME…] [--for KIND] [--json]`");
  assert.is(read("a", "b", "c"), "unexpected argument `c`; usage: `dottool try [NAME…] [--for KIND] [--json]`");
});

test.run();
