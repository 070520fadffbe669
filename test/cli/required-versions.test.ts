// A version that a definition requires is asked of a program of the system, and only where a person has reviewed the
// definition. A canary shows whether any other program was started: by a person, by models, and out of a package.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { hello, request, startLines } from "../mcp/line-client.ts";
import { startRegistry } from "../packages/registry-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/required-versions");

const tool = (name: string, requires: string, more = ""): string =>
  `Does it.\n\n@title T ${name}\n@name ${name}\n@wrapped run_command\n@shell sh\n@command echo ran\n@requires ${requires}\n@tags read\n${more}`;

/** A program that leaves a canary and says a version, in a folder of PATH and in the working folder. */
async function withEvil(files: Readonly<Record<string, string>>, work: (bench: TestProject) => Promise<void>) {
  needPrograms("bwrap", "git");
  using whole = testProject(files);
  const folder = join(whole.folder, "project");
  for (const path of ["bin/evil", "project/bin/evil"]) {
    whole.write(path, `#!/bin/sh\ntouch ${whole.folder}/canary\necho 9.9\n`);
    chmodSync(join(whole.folder, path), 0o755);
  }
  const environment = { ...whole.program.environment };
  environment["PATH"] = `${whole.folder}/bin:${environment["PATH"]}`;
  const bench: TestProject = {
    ...whole,
    folder,
    program: { ...whole.program, environment },
    run: (words, options) => whole.run(words, { environment, cwd: "project", ...options }),
  };
  const canary = join(whole.folder, "canary");
  await work(bench);
  assert.is(existsSync(canary), false, "a program was started");
  // The bait works.
  const { stdout } = await bench.run(["sandbox", "--level", "none", "--", "evil"]);
  assert.equal([stdout, existsSync(canary)], ["9.9\n", true]);
}

const end = ({ exitCode, stdout, stderr }: ToolRun): readonly unknown[] => [exitCode, stdout, stderr.split("\n")[0]];

/** Calls tools over MCP, and returns the texts of the results. */
async function overMcp(bench: TestProject, names: readonly string[]): Promise<readonly unknown[]> {
  const lines = startLines(bench);
  try {
    lines.send(hello);
    for (const name of names) lines.send(request(name, "tools/call", { name, arguments: {} }));
    const messages = await lines.count(names.length + 1);
    return names.map((name) => {
      const { result, error } = messages.find(({ id }) => id === name) ?? {};
      const content = (result?.content ?? []) as readonly { readonly text: string }[];
      return error?.message ?? content.map(({ text }) => text).join("");
    });
  } finally {
    await lines.end();
  }
}

function byExec(bench: TestProject, name: string): Promise<ToolRun> {
  const reply = [{ id: "1", type: "function", function: { name, arguments: "{}" } }];
  return bench.run(["exec"], { stdin: JSON.stringify({ role: "assistant", content: null, tool_calls: reply }) });
}

test("`try` starts no program that a definition requires", () =>
  withEvil(
    {
      "project/path.tool": tool("path", "./bin/evil >= 1"),
      "project/whole.tool": tool("whole", "/usr/bin/git >= 1"),
      "project/evil.tool": tool("evil_one", "evil >= 1", "@sandbox strict\n"),
      "project/git.tool": tool("git_one", "git >= 99"),
    },
    async (bench) => {
      const refused = (name: string): readonly unknown[] => [
        65,
        "",
        `failed[definition]: \`${name}.tool\` has no tool that works`,
      ];
      const ends = [];
      for (const name of ["path", "whole", "evil", "git"]) ends.push(end(await bench.run(["try", `${name}.tool`])));
      assert.equal(ends, [refused("path"), refused("whole"), [0, "ran\n", ""], [0, "ran\n", ""]]);
    },
  ));

test("a call of a trusted definition asks a program of the system, and no other", () =>
  withEvil(
    {
      "project/.tools/evil.tool": tool("evil_one", "evil >= 1"),
      "project/.tools/git.tool": tool("git_one", "git >= 99"),
      "project/.tools/held.tool": tool("held", "git >= 99, evil >= 1", "@sandbox strict\n"),
      "project/.tools/fine.tool": tool("fine", "git >= 1", "@sandbox strict\n"),
    },
    async (bench) => {
      const old =
        /^failed\[unavailable\]: `(?:git_one|held)` cannot run here\n {2}it needs `git` >= 99; `\/usr\/bin\/git` is /;
      assert.equal(end(await bench.run(["evil_one"])), [0, "ran\n", ""]);
      assert.equal(end(await bench.run(["fine"])), [0, "ran\n", ""]);
      for (const name of ["git_one", "held"]) assert.match((await bench.run([name])).stderr, old);
      const [evil, git, held, fine] = await overMcp(bench, ["evil_one", "git_one", "held", "fine"]);
      assert.equal([evil, fine], ["ran\n", "ran\n"]);
      for (const text of [git, held]) assert.match(String(text), "it needs `git` >= 99; `/usr/bin/git` is ");
      assert.match((await byExec(bench, "evil_one")).stdout, "ran");
      assert.match((await byExec(bench, "git_one")).stdout, "it needs `git` >= 99");
    },
  ));

test("a failure says which versions were not checked", () =>
  withEvil(
    { "project/.tools/evil.tool": tool("evil_one", "evil >= 1").replace("echo ran", "exit 3") },
    async (bench) => {
      const { stderr } = await bench.run(["evil_one"]);
      assert.is(
        stderr,
        "failed[exit]: `sh` ended with exit code 3\n  = `evil` must be >= 1; its version was not checked\n",
      );
    },
  ));

test("a call that is denied starts no program", () =>
  withEvil(
    {
      "home/.config/dottool/config.yaml": "policy:\n  - {decision: deny, tool: git_one}\n",
      "project/.tools/git.tool": tool("git_one", "git >= 99"),
    },
    async (bench) => {
      assert.match((await bench.run(["git_one"])).stderr, /^failed\[denied\]/);
      assert.match(String(await overMcp(bench, ["git_one"])), "denied");
    },
  ));

test("a path in `@requires` is refused, and without it the tool runs", () =>
  withEvil({ "project/.tools/path.tool": tool("path", "jq >= 1, ./bin/evil >= 1") }, async (bench) => {
    const { exitCode, stdout } = await bench.run(["check", ".tools"]);
    assert.equal(
      [exitCode, stdout.split("\n").filter((line) => /^(?:error|= )/.test(line.trim()))],
      [
        65,
        [
          "error[malformed-annotation]: `@requires` takes names of programs on PATH, and `./bin/evil` is a path",
          "  = help: leave it out: a command that starts a file needs no `@requires` for it",
        ],
      ],
    );
    bench.write("project/.tools/path.tool", tool("path", "git >= 1"));
    assert.equal(end(await bench.run(["path"])), [0, "ran\n", ""]);
  }));

test("a package from a registry that nobody approved starts no program that it requires, whoever calls", () =>
  withEvil({ "home/.npmrc": "" }, async (bench) => {
    const registry = await startRegistry();
    const files = { "evil.tool": tool("evil", "evil >= 1"), "old.tool": tool("old", "git >= 99") };
    await registry.publish({ name: "words", version: "1.0.0", files });
    await registry.publish({
      name: "paths",
      version: "1.0.0",
      files: { "path.tool": tool("path", "./bin/evil >= 1"), "whole.tool": tool("whole", "/usr/bin/git >= 1") },
    });
    bench.write("home/.npmrc", `registry=${registry.url}\n`);
    assert.is((await bench.run(["add", "paths"])).exitCode, 65);
    assert.is((await bench.run(["add", "words"])).exitCode, 0);
    assert.equal(end(await bench.run(["words/evil"])), [0, "ran\n", ""]);
    assert.equal(end(await bench.run(["words/old"])), [0, "ran\n", ""]);
    for (const text of await overMcp(bench, ["words__evil", "words__old"])) assert.match(String(text), "denied");
    bench.write("home/.config/dottool/config.yaml", "policy:\n  - {decision: allow, tool: [words/evil, words/old]}\n");
    assert.equal(await overMcp(bench, ["words__evil", "words__old"]), ["ran\n", "ran\n"]);
    for (const name of ["words__evil", "words__old"]) assert.match((await byExec(bench, name)).stdout, "ran");
    await bench.run(["test", "words/evil"]);
  }));

test("`test` runs the lines around the tests of a package that nobody approved in the sandbox", () =>
  withEvil({}, async (bench) => {
    const around = `@test one\n    setup evil; echo text > made; cp made "$HOME/canary" 2>&- || :\n    with {}\n    expect exit-code 0\n    expect file-exists made\n    cleanup ${bench.folder}/bin/evil || :\n`;
    bench.write("project/pkg/package.json", JSON.stringify({ name: "words", version: "1.0.0", dottool: {} }));
    bench.write("project/pkg/evil.tool", tool("evil", "sh", around));
    assert.is((await bench.run(["add", "./pkg"])).exitCode, 0);
    const { stdout } = await bench.run(["test", "words/evil"]);
    assert.match(stdout, "passed   words/evil: one");
    assert.is(existsSync(join(bench.folder, "../home/canary")), false);
  }));

test.run();
