// `dottool choose`, and secrets that a call asks for, typed at a pseudo-terminal.
import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { commandLine } from "../../src/core/base/quote.ts";
import { type AtTerminal, typeAtTerminal, type Typed } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli/choose");

const files = {
  ".tools/dep.tool":
    'Deploys the service.\n@name dep\n@command echo deploy {env} {count} {tags} {note} {force}\n@param env {"dev"|"prod"} [required] Where to\n@param count {integer} [required, min=1, max=5] How many\n@param tags {array<string>} [required, unique] The tags\n@param force {boolean} [flag="--force"] Overwrite\n@param note {string} [default="none yet"] A note\n',
  ".tools/gh.tool":
    'Calls the API.\n@name gh\n@shell sh\n@param token {string} [required, secret, env=GH_TOKEN] The token\n@env TOKEN={token}\n@script\n  echo "${#TOKEN} $TOKEN"\n',
};

const down = "\u001b[B";

function typed(bench: TestProject, words: readonly string[], keys: Typed): Promise<AtTerminal> {
  const { command, words: program, environment } = bench.program;
  bench.trust();
  return typeAtTerminal(commandLine([command, ...program, ...words]), {
    folder: bench.folder,
    environment,
    typed: keys,
  });
}

if (spawnSync("script", ["--version"]).status === 0) {
  test("choose finds a tool, asks for its arguments, shows the line that makes the same call, and makes it", async () => {
    using bench = testProject(files);
    const { text, exitCode } = await typed(
      bench,
      ["choose"],
      [
        ["dep", "serv"],
        ["serv", "\r"],
        ["env: Where to", `${down}\r`],
        ["count: How many (integer, 1 to 5)", "9\r"],
        ["expected at most 5, got 9", "\u007f3\r"],
        ["tags: The tags", "a b\r"],
        ["tags: another one, or Enter", "a b\r"],
        ["expected no duplicate items", "\u007f\u007f\u007f\r"],
        ["More options", " \r"],
      ],
    );
    const lines = stripVTControlCharacters(text).split("\r\n");
    const shown = lines.find((line) => line.startsWith("dottool dep")) ?? "";
    assert.is(shown, "dottool dep prod 3 --tags 'a b' --force");
    assert.is(lines.at(-2), "deploy prod 3 a b none yet --force");
    assert.is(exitCode, 0);
    const again = await bench.run(["dep", "prod", "3", "--tags", "a b", "--force"]);
    assert.is(again.stdout, "deploy prod 3 a b none yet --force\n");
  });

  test("import asks which tools of a project to write, all of them at first", async () => {
    using bench = testProject({
      "package.json": '{"scripts": {"build": "tsc", "lint": "biome check"}}',
      justfile: "# Start it\nstart:\n  node .\n",
    });
    const { text, exitCode } = await typed(bench, ["import", "."], [["Which of these?", `${down} \r`]]);
    const lines = stripVTControlCharacters(text).split("\r\n");
    assert.is(exitCode, 0);
    assert.equal(
      lines.filter((line) => line.startsWith("wrote")),
      ["wrote .tools/build.tool", "wrote .tools/start.tool"],
    );
    const again = await typed(bench, ["--yes", "import", "package.json", "--force"], []);
    assert.match(again.text, /wrote \.tools\/build\.tool\r\nwrote \.tools\/lint\.tool/);
    // Ctrl-C, and no tool marked.
    for (const keys of ["\u0003", `${down} ${down} ${down} \r`]) {
      const given = await typed(bench, ["import", ".", "-o", "other"], [["Which of these?", keys]]);
      assert.is(given.exitCode, 130);
      assert.not.match(given.text, /wrote/);
    }
  });

  test("a call asks for a secret that is missing, shows none of it, and keeps none of it", async () => {
    using bench = testProject(files);
    const asked: Typed = [["token: The token, for this call only; set GH_TOKEN for all calls", "geheim-4711\r"]];
    for (const words of [["gh"], ["choose", "gh"]]) {
      const { text, exitCode } = await typed(
        bench,
        words,
        words.length === 1 ? asked : [["Calls the API", "\r"], ...asked],
      );
      assert.is(text.includes("geheim"), false, text);
      assert.match(text, /11 •••\r\n$/);
      assert.is(exitCode, 0);
    }
    const kept = spawnSync("grep", ["-rl", "geheim", bench.folder], { encoding: "utf8" });
    assert.is(kept.stdout, "");
  });

  test("a person who gives up with Esc makes no call", async () => {
    using bench = testProject(files);
    for (const [words, after] of [
      [["gh"], "The token"],
      [["choose"], "Which tool?"],
      [["choose", "dep"], "Deploys"],
    ] as const) {
      const keys: Typed =
        words[1] === "dep"
          ? [
              [after, "\r"],
              ["Where to", "\u001b"],
            ]
          : [[after, "\u001b"]];
      const { text, exitCode } = await typed(bench, words, keys);
      assert.is(exitCode, 130, text);
      assert.is(/•••|deploy /.test(text), false, text);
    }
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("choose asks nothing for a tool that the person does not trust", async () => {
    using bench = testProject(files, { isTrusted: false });
    const { command, words, environment } = bench.program;
    const { text, exitCode } = await typeAtTerminal(commandLine([command, ...words, "choose", "dep"]), {
      folder: bench.folder,
      environment,
      typed: [
        ["Deploys", "\r"],
        ["[y/N]", "n\r"],
      ],
    });
    assert.match(text, /not trusted\r\n$/);
    assert.is(exitCode, 77);
  });

test("without a terminal, choose says so, and a secret that is missing is a mistake of the call", async () => {
  using bench = testProject(files);
  const chosen = await bench.run(["choose"]);
  assert.is(chosen.exitCode, 64);
  assert.is(
    chosen.stderr,
    "failed[usage]: `dottool choose` asks at a terminal, and there is none\n  = `dottool list` shows the tools, and `dottool NAME --help` what one takes\n",
  );
  const called = await bench.run(["gh"]);
  assert.match(called.stderr, /token {2}expected string, got nothing; give it, or set GH_TOKEN/);
});

test.run();
