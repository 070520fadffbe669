// `@confirm` where nobody can be asked: the call fails, and runs once its caller has said yes beforehand.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("cli/@confirm");
const runLine = startingOnce();

test("a tool with `@confirm` fails without a terminal, also below another tool, and `--yes` runs it", async () => {
  using bench = testProject({
    ".tools/make_mark.tool":
      "Make a mark.\n\n@name make_mark\n@wrapped run_command\n@command touch mark\n@confirm Really?\n@tags write\n",
    ".tools/twice.tool": "Make it twice.\n\n@name twice\n@step one uses make_mark\n@tags write\n",
  });
  const isThere = (): boolean => existsSync(join(bench.folder, "mark"));
  const refused = await runLine(bench, ["make_mark"]);
  assert.equal(
    [refused.exitCode, refused.stdout, refused.stderr, isThere()],
    [
      77,
      "",
      "failed[denied]: `make_mark` was not approved\n  the author of `make_mark`: Really?\n  = nothing has run; answer at a terminal, or say yes beforehand: `dottool --yes make_mark …`\n",
      false,
    ],
  );
  assert.equal([(await runLine(bench, ["twice"])).exitCode === 0, isThere()], [false, false]);
  assert.equal([(await runLine(bench, ["--yes", "make_mark"])).exitCode, isThere()], [0, true]);
  const behind = await runLine(bench, ["make_mark", "--yes"]);
  assert.match(behind.stderr, "goes before the tool's name: `dottool --yes make_mark`");
});

test("at a terminal the question is one line with the values, and only a yes runs it", async () => {
  needPrograms("script");
  const erase = (question: string): string =>
    `Erase.\n\n@name erase\n@wrapped run_command\n@command echo erased {what} {how}\n@confirm ${question}\n@param what {string} [required] What\n@param how {string} How\n@tags write\n`;
  using bench = testProject({ ".tools/erase.tool": erase("Really erase {what}?") });
  const { command, words, environment } = bench.program;
  const asked = async (line: string, after: string, keys: string): Promise<readonly string[]> => {
    const { text } = await typeAtTerminal(`${commandLine([command, ...words])} ${line}`, {
      folder: bench.folder,
      environment,
      typed: [[after, keys]],
    });
    return text.split(/\r*\n/);
  };
  assert.equal(await asked("erase 'the house'", "[y/N] ", "y\n"), [
    "Really erase the house? [y/N] y",
    "erased the house",
    "",
  ]);
  const [question, refused] = await asked("erase x --how fast", "[y/N] ", "\n");
  assert.equal(question, "Really erase x? (dottool erase x fast) [y/N] ");
  assert.match(refused ?? "", "`erase` was not approved");
  // What does not fit a line, or hides something, is shown as a whole.
  for (const odd of ["$(printf 'a\\nReally erase b?')", "$(printf '%0300d' 0)", "$(printf 'a\\342\\200\\256b')"])
    assert.match((await asked(`erase "${odd}"`, "run it this once?", "n\n")).join("\n"), "effects");
});

test.run();
