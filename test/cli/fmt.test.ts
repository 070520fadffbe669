import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("fmt");
const runLine = startingOnce();

test("fmt says that a folder it was given is not there, as check does", async () => {
  using bench = testProject({
    ".tools/one.tool": "Says it.\n\n@title One\n@name one\n@wrapped run_command\n@command ls\n",
  });
  const problem =
    "error[unreadable-file]: `missing` cannot be read: it does not exist, or is a dangling link\n  = help: create it, or remove the reference to it\n\n";
  assert.equal(await runLine(bench, ["--tools", "missing", "fmt"]), { exitCode: 65, stdout: "", stderr: problem });
  assert.equal((await runLine(bench, ["--tools", "missing", "check"])).stdout.startsWith(problem), true);
  assert.equal(await runLine(bench, ["fmt"]), { exitCode: 0, stdout: "", stderr: "" });
});

test.run();
