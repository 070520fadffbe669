import { readGlobalOptions } from "../../src/cli/words/global-options.ts";
import { assert, suite } from "../harness.ts";
import { wordList } from "../lines.ts";

const test = suite("global-options");

test("readGlobalOptions leaves everything from the first word on to that word", () => {
  assert.equal(readGlobalOptions(["glob", ".", "--tools", "x"]), {
    options: { toolFolders: [], result: "text", isPlain: false },
    words: ["glob", ".", "--tools", "x"],
  });
});

test("readGlobalOptions reads options before the first word", () => {
  assert.equal(
    readGlobalOptions(wordList("--tools a --tools=b --result json --cwd / --trace t.json --no-color list")),
    {
      options: { toolFolders: ["a", "b"], result: "json", cwd: "/", trace: "t.json", isPlain: true },
      words: ["list"],
    },
  );
});

test("readGlobalOptions knows --help and --version in their short forms", () => {
  const options = { toolFolders: [], result: "text", isPlain: false };
  assert.equal(readGlobalOptions(["-h", "list"]), { options, words: ["list"], asksFor: "help" });
  assert.equal(readGlobalOptions(["-V"]), { options, words: [], asksFor: "version" });
  assert.equal(readGlobalOptions(["-v"]), { options, words: [], asksFor: "version" });
});

test("readGlobalOptions knows --licenses, which has no short form", () => {
  assert.equal(readGlobalOptions(["--licenses"]), {
    options: { toolFolders: [], result: "text", isPlain: false },
    words: [],
    asksFor: "licenses",
  });
});

test("readGlobalOptions ends at --", () => {
  assert.equal(readGlobalOptions(["--no-color", "--", "--odd"]), {
    options: { toolFolders: [], result: "text", isPlain: true },
    words: ["--odd"],
  });
});

test("readGlobalOptions says what is wrong", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["--tols", "x"], "unknown option `--tols`; did you mean `--tools`?"],
    [["--tools"], "`--tools` needs a value"],
    [["--tools="], "`--tools` needs a value"],
    [["--no-color=x"], "`--no-color` does not take a value"],
    [["--result", "xml"], "`--result` must be one of text, json, model; got `xml`"],
  ];
  for (const [argv, problem] of cases) assert.equal(readGlobalOptions(argv), { problem });
});

test.run();
