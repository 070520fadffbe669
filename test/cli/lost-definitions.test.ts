// Definitions that cannot be read because of where they are: a call and `list` give the reason, as `check` does.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = suite("lost definitions");
const runLine = startingOnce();

async function withFixture(use: (bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject({ "t/big.tool": "x".repeat(1024 * 1024 + 1), "t/ana/x": "" });
  symlinkSync("nowhere", join(bench.folder, "t/gone.tool"));
  symlinkSync("/dev/null", join(bench.folder, "t/ana/device.yaml"));
  mkdirSync(join(bench.folder, "t/folder.tool"));
  await use(bench);
}

test("a call says that the definition is there, and why it cannot be used", () =>
  withFixture(async (bench) => {
    const said = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const { stdout, stderr, exitCode } = await runLine(bench, ["--tools", "t", ...words]);
      return [stdout, stderr, exitCode];
    };
    const big =
      "error[too-large]: `t/big.tool` has more than 1048576 bytes, the limit of a definition\n  = help: move long texts and scripts into separate files that the command reads\n\nfailed[definition]: `big` cannot run until its definition is fixed\n";
    assert.equal(await said("big", "--x", "1"), ["", big, 65]);
    assert.equal(await said("show", "big"), ["", big, 65]);
    assert.equal(await said("ana/device"), [
      "",
      "error[unreadable-file]: `t/ana/device.yaml` cannot be read: it is not a regular file\n  = help: move it out of the tool folder\n\nfailed[definition]: `ana/device` cannot run until its definition is fixed\n",
      65,
    ]);
  }));

test("list names them below, again when the list is kept", () =>
  withFixture(async (bench) => {
    const below = `4 definitions are not used:
  \`ana/device\` in t/ana/device.yaml: it cannot be read: it is not a regular file
  \`big\` in t/big.tool: it has more than 1048576 bytes, the limit of a definition
  \`folder\` in t/folder.tool: it cannot be read: it is a directory
  \`gone\` in t/gone.tool: it cannot be read: it does not exist, or is a dangling link
`;
    for (const _time of [1, 2])
      assert.equal(`${(await runLine(bench, ["--tools", "t", "list"])).stdout.split("\n\n")[0]}\n`, below);
  }));

test("test fails where a definition of one's own is broken or cannot be read, and runs the other tests", async () => {
  using bench = testProject({
    "t/good.tool":
      "Good.\n@name good\n@title Good\n@wrapped run_command\n@command echo hi\n@test t\n    expect output-contains hi\n",
  });
  const wrong =
    "Wrong.\n@name wrong\n@title Wrong\n@wrapped run_command\n@command echo {x}\n@test t\n    expect exit-code 0\n";
  const tested = async (): Promise<readonly unknown[]> => {
    const { stdout, stderr, exitCode } = await runLine(bench, ["--tools", "t", "test"]);
    return [stdout.split("\n\n")[1], stderr.split("\n")[0], exitCode];
  };
  assert.equal(await tested(), ["1 passed, 0 failed\n", "", 0]);
  bench.write("t/wrong.tool", wrong);
  assert.equal(await tested(), [
    "1 passed, 0 failed\n",
    "error[unknown-placeholder]: cannot find `x` in this tool",
    65,
  ]);
  bench.write("t/wrong.tool", wrong.replace("{x}", "x"));
  assert.equal(await tested(), ["2 passed, 0 failed\n", "", 0]);
  symlinkSync("nowhere", join(bench.folder, "t/gone.tool"));
  assert.equal(await tested(), [
    "2 passed, 0 failed\n",
    "error[unreadable-file]: `t/gone.tool` cannot be read: it does not exist, or is a dangling link",
    65,
  ]);
  const { stdout, exitCode } = await runLine(bench, ["--tools", "t", "test", "--json"]);
  const { passed, broken } = JSON.parse(stdout) as {
    readonly passed: number;
    readonly broken: readonly { readonly code: string }[];
  };
  assert.equal([passed, broken.map(({ code }) => code), exitCode], [2, ["unreadable-file"], 65]);
});

test("a `.tools` that is no folder is told of, and no tool is written beside another project's", async () => {
  using bench = testProject({ ".tools/x": "", "file/.tools": "", "link/x": "", "pipe/x": "", "none/x": "" });
  assert.equal((await runLine(bench, ["list"], { cwd: "link" })).stderr, "");
  symlinkSync("nowhere", join(bench.folder, "link/.tools"));
  execFileSync("mkfifo", [join(bench.folder, "pipe/.tools")]);
  const odd = {
    file: "it is not a directory",
    link: "it does not exist, or is a dangling link",
    pipe: "it is not a directory",
  };
  for (const [cwd, fact] of Object.entries(odd)) {
    const { stderr } = await runLine(bench, ["list"], { cwd });
    assert.is(stderr.split(";")[0], `warning[unreadable-file]: \`.tools\` cannot be read: ${fact}`);
    const made = await runLine(bench, ["new", "a1"], { cwd });
    assert.equal(
      [made.stderr.split(":").slice(0, 2).join(":"), made.exitCode],
      ["failed[file]: `.tools/a1.tool` cannot be written", 1],
    );
  }
  assert.is(existsSync(join(bench.folder, ".tools/a1.tool")), false);
  assert.is((await runLine(bench, ["new", "a1"], { cwd: "none" })).stdout, "wrote ../.tools/a1.tool\n");
});

test.run();
