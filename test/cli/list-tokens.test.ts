// `list --tokens` with many tools: the tokens that they cost a model, and what to do about it.
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("list --tokens");
const runLine = startingOnce();

test("a hundred long declarations are told to be better offered otherwise", async () => {
  const description = "Says a word, again and again. ".repeat(40);
  using bench = testProject(
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `.tools/say_${index}.tool`,
        `${description}\n\n@name say_${index}\n@title Say\n@wrapped run_command\n@command echo hello\n@tags read\n`,
      ]),
    ),
  );
  const hint =
    "  = `dottool mcp --mode search` shows a model three tools instead, which find and call the others; `--mode code` shows one\n";
  const [many, few] = [await runLine(bench, ["list", "--tokens"]), await runLine(bench, ["list", "--tokens", "glob"])];
  assert.equal([many.stdout.endsWith(hint), few.stdout.endsWith("characters to a token\n")], [true, true]);
});

test.run();
