// `@confirm` where nobody can be asked: the call fails, and runs once its caller has said yes beforehand.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { startingOnce, toolBench } from "../tool-bench.ts";

const test = suite("cli/@confirm");
const runLine = startingOnce();

test("a tool with `@confirm` fails without a terminal, also below another tool, and `--yes` runs it", async () => {
  const bench = toolBench({
    ".tools/make_mark.tool":
      "Make a mark.\n\n@name make_mark\n@wrapped run_command\n@command touch mark\n@confirm Really?\n@tags write\n",
    ".tools/twice.tool": "Make it twice.\n\n@name twice\n@step one uses make_mark\n@tags write\n",
  });
  const isThere = (): boolean => existsSync(join(bench.folder, "mark"));
  try {
    const refused = await runLine(bench, ["make_mark"]);
    assert.equal(
      [refused.exitCode, refused.stdout, refused.stderr, isThere()],
      [
        77,
        "",
        "failed[denied]: `make_mark` was not approved\n  @confirm of `make_mark`: Really?\n  = nothing has run; answer at a terminal, or say yes beforehand: `dottool --yes make_mark …`\n",
        false,
      ],
    );
    assert.equal([(await runLine(bench, ["twice"])).exitCode === 0, isThere()], [false, false]);
    assert.equal([(await runLine(bench, ["--yes", "make_mark"])).exitCode, isThere()], [0, true]);
    const behind = await runLine(bench, ["make_mark", "--yes"]);
    assert.match(behind.stderr, "goes before the tool's name: `dottool --yes make_mark`");
  } finally {
    bench.remove();
  }
});

test.run();
