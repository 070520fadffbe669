// Files of definitions that are named where a tool could be, and what in such a file keeps nobody from calling the tool.
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("named files");
const runLine = startingOnce();

test("a file that is named calls the tool in it, trusted as if it were given with --tools", async () => {
  using bench = testProject({
    "more/x.tool": "#!/usr/bin/env dottool\nSay.\n\n@param a [required]\n@command echo x {a}\n",
  });
  const said = async (...words: string[]): Promise<readonly unknown[]> => {
    const { stdout, stderr, exitCode } = await runLine(bench, words);
    return [stdout, stderr.split("\n", 1)[0], exitCode];
  };
  assert.equal(await said("more/x.tool", "hi"), ["x hi\n", "", 0]);
  assert.equal(await said("call", "more/x.tool", "--a", "hi"), ["x hi\n", "", 0]);
  assert.match((await runLine(bench, ["explain", "more/x.tool", "hi"])).stdout, "echo x hi");
  assert.ok((await runLine(bench, ["more/x.tool", "--help"])).stdout.startsWith("Say.\n\nUsage\n  dottool x A\n"));
  assert.equal(await said("more/y.tool"), ["", "failed[unknown-tool]: there is no tool `more/y.tool`", 66]);
  bench.write("more/y.tool", "Say.\n\n@command echo {a\n@param\n");
  assert.equal(await said("more/y.tool"), [
    "",
    "error[malformed-annotation]: `@param` must be written as `@param NAME {TYPE} [OPTIONS] text`",
    65,
  ]);
  // Another tool of the same name, which is given too, is not the one that is named.
  bench.write("other/x.tool", "Say.\n\n@command echo other\n");
  assert.equal(await said("--tools", "more", "other/x.tool"), ["other\n", "", 0]);
  // In the folder of the project, it is the tool of that name, also with the name of a command.
  bench.write(".tools/check.tool", "Say.\n\n@command echo checked\n");
  assert.equal(await said(".tools/check.tool"), ["checked\n", "", 0]);
});

test("commands that take names take files, of any folder and several at once", async () => {
  using bench = testProject({
    "more/x.tool": "Say.\n\n@command echo x\n@test says x\n    with {}\n    expect output-equals x\n",
    "more/y.yaml": "name: y\ndescription: Say.\nrun: echo y\n",
  });
  const said = async (...words: string[]): Promise<string> => (await runLine(bench, words)).stdout;
  assert.ok((await said("show", "more/x.tool")).startsWith("x: X\n\nSay.\n\ndefined in  more/x.tool:3 (given)\n"));
  assert.ok((await said("graph", "more/x.tool")).startsWith("x\n"));
  assert.match(await said("test", "more/x.tool"), "1 passed, 0 failed");
  const { $defs } = JSON.parse(await said("schema", "more/x.tool", "more/y.yaml"));
  assert.equal(Object.keys($defs), ["x", "y"]);
  assert.match((await runLine(bench, ["allow", "--show", "more/x.tool"])).stderr, "`x` in more/x.tool:3");
  // `convert` reads the file itself, whatever is wrong with it.
  assert.match(await said("convert", "more/x.tool"), "run: echo x");
  assert.equal(
    (await runLine(bench, ["show", "more/z.tool"])).stderr.split("\n", 1)[0],
    "failed[unknown-tool]: there is no tool `more/z.tool`",
  );
});

test("a wrong test or example keeps nobody from calling a tool, and its tests fail", async () => {
  using bench = testProject({
    "more/x.tool": 'Say.\n\n@command echo x\n@exmple {"y": 1}\n@test says x\n    with {}\n    expect nothing\n',
  });
  const file = "more/x.tool";
  assert.is((await runLine(bench, [file])).stdout, "x\n");
  const tested = await runLine(bench, ["test", file]);
  assert.match(tested.stderr, "error[test-malformed]: `expect` is followed by an expectation and a value");
  assert.is(tested.exitCode, 65);
  const checked = await runLine(bench, ["check", file]);
  assert.match(checked.stdout + checked.stderr, "`expect` is followed by an expectation and a value");
  assert.is(checked.exitCode, 65);
  // What it would lose is said, as before.
  assert.is((await runLine(bench, ["convert", file])).exitCode, 65);
  // Whatever else is wrong refuses the tool.
  bench.write(file, "Say.\n\n@command echo {a\n@param\n@test says x\n    expect nothing\n");
  assert.is((await runLine(bench, [file])).exitCode, 65);
});

test.run();
