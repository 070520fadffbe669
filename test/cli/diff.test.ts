// `dottool diff`: real commits of git, folders and files, compared in the real program.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import process from "node:process";
import { lockText } from "../../src/features/packages/lock.ts";
import { schemaChange } from "../../src/features/diff/schema-change.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";

const test = suite("diff");
const runLine = startingOnce();

const before = {
  ".tools/greet.tool":
    'Greet somebody.\n\n@command echo hello {name} {loud}\n@param name {string} [required] Who\n@param loud {boolean} [flag="-l"] Loud\n',
  ".tools/old.tool": "Old one.\n\n@command date\n",
  ".tools/year.tool": "Shows a year.\n\n@command cal {year}\n@param year {integer} [min=1, max=9, default=3] Year\n",
  ".tools/script.tool": "Run it.\n\n@command ./scripts/x.sh\n@sandbox strict\n@confirm Really?\n",
  ".tools/above.tool": "Greets Ada.\n\n@wrapped greet\n@with name=Ada\n",
  ".tools/same.tool": "The same.\n\n@command true\n",
  ".tools/broken.tool": "It breaks.\n\n@command true\n",
  "scripts/x.sh": "#!/bin/sh\necho a\n",
};

const now = {
  ".tools/greet.tool":
    "Greet somebody.\n\n@command curl -sS https://example.org/{name}\n@network example.org\n@param name {string} [max=10, required] Who\n@param how {string} [required] How\n",
  ".tools/calendar.tool":
    "Shows a year.\n\n@command cal {year}\n@param year {integer} [min=1, max=9, default=3] Year\n",
  ".tools/script.tool": "Run it.\n\n@command ./scripts/x.sh\n",
  ".tools/new.tool": "New.\n\n@command rm -r -- {path}\n@param path {path} [required] Which\n@confirm Sure?\n",
  ".tools/broken.tool": "It breaks.\n\n@command true {nothing}\n",
  ".tools/config.yaml": "rules:\n  - allow: greet\n",
  ".tools/plugins/p.ts": "throw new Error('loaded');\n",
  "scripts/x.sh": "#!/bin/sh\necho b\n",
};

function git(bench: TestProject, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
    cwd: bench.folder,
    encoding: "utf8",
    env: bench.program.environment,
  });
  assert.is(status, 0, stderr);
  return stdout.trim();
}

function changed(): TestProject {
  const bench = testProject(before);
  git(bench, "init", "--quiet", "--initial-branch=main");
  git(bench, "add", ".tools", "scripts");
  git(bench, "commit", "--quiet", "--message=one");
  for (const name of ["old", "year"]) rmSync(join(bench.folder, `.tools/${name}.tool`));
  for (const [path, text] of Object.entries(now)) bench.write(path, text);
  return bench;
}

test("a change since the last commit is told tool by tool, as text, Markdown and JSON", async () => {
  using bench = changed();
  const text = await runLine(bench, ["diff"]);
  const markdown = await runLine(bench, ["diff", "HEAD", "--markdown"]);
  assert.equal([text.exitCode, text.stderr, markdown.exitCode], [0, "", 0]);
  assertGolden(join(import.meta.dirname, "golden/diff.txt"), `${text.stdout}\n${markdown.stdout}`);
  const json = JSON.parse((await runLine(bench, ["diff", "--json"])).stdout) as Record<string, unknown>;
  assert.equal([json["before"], json["now"], json["breaking"], json["powers"]], ["HEAD", "the files here", true, true]);
});

test("`--fail-on` ends with 1 if calls break, or if tools may do more", async () => {
  using bench = changed();
  const codes = async (): Promise<readonly unknown[]> => {
    const words = [["--fail-on=breaking"], ["--fail-on", "powers"], ["--fail-on=breaking", "--fail-on=powers"]];
    return Promise.all(words.map(async (more) => (await runLine(bench, ["diff", ...more])).exitCode));
  };
  assert.equal(await codes(), [1, 1, 1]);
  git(bench, "checkout", "--quiet", "--", ".");
  git(bench, "clean", "--quiet", "--force", ".tools");
  assert.equal(await codes(), [0, 0, 0]);
  rmSync(join(bench.folder, ".tools/old.tool"));
  assert.equal(await codes(), [1, 0, 1]);
  git(bench, "checkout", "--quiet", "--", ".");
  bench.write(".tools/old.tool", "Old one.\n\n@command rm x\n");
  assert.equal(await codes(), [0, 1, 1]);
});

test("two commits, two folders, two files, and one file with its commit are compared", async () => {
  using bench = changed();
  git(bench, "add", ".tools", "scripts");
  git(bench, "commit", "--quiet", "--message=two");
  bench.write("a/x.tool", "X.\n\n@command echo x\n");
  bench.write("b/x.tool", "X.\n\n@command echo y\n");
  const first = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await runLine(bench, ["diff", ...words]);
    return (stdout || stderr).split("\n").slice(0, 3).join("|");
  };
  assert.match(await first("HEAD^", "HEAD"), "HEAD^ → HEAD: 3 added, 1 removed, 1 renamed, 4 changed");
  assert.match(await first("HEAD"), "HEAD → the files here: no change");
  assert.match(await first("HEAD", "HEAD^"), "HEAD → HEAD^: 1 added, 3 removed, 1 renamed, 4 changed");
  assert.is(await first("a", "b"), "a → b: 1 changed||x: changed");
  assert.is(await first("a/x.tool", "b/x.tool"), "a/x.tool → b/x.tool: 1 changed||x: changed");
  assert.is(await first("HEAD^", ".tools/script.tool"), "HEAD^ → .tools/script.tool: 1 changed||script: changed");
});

test("nothing of a commit runs or is written elsewhere, whatever its repository and its trees hold", async () => {
  using bench = changed();
  bench.write(".gitattributes", "*.tool filter=evil diff=evil export-ignore\n");
  git(bench, "add", "--", ".gitattributes");
  git(bench, "commit", "--quiet", "--message=attributes");
  // A tree that leads out of the folder, as no client of git makes it: `.tools/../../NAME`.
  const name = `dottool-escape-${process.pid}.tool`;
  const treeOf = (mode: string, entry: string, id: string): string => {
    const { status, stdout, stderr } = spawnSync("git", ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
      cwd: bench.folder,
      input: Buffer.concat([Buffer.from(`${mode} ${entry}\0`), Buffer.from(id, "hex")]),
      encoding: "utf8",
      env: bench.program.environment,
    });
    assert.is(status, 0, stderr);
    return stdout.trim();
  };
  const file = treeOf("100644", name, git(bench, "rev-parse", "HEAD:.tools/same.tool"));
  const outside = treeOf("40000", "..", treeOf("40000", "..", file));
  const commit = git(bench, "commit-tree", treeOf("40000", ".tools", outside), "-m", "evil");
  assert.match(git(bench, "ls-tree", "-r", commit), `.tools/../../${name}`);
  for (const key of ["core.fsmonitor", "core.pager", "filter.evil.smudge", "diff.evil.textconv", "core.sshCommand"])
    git(bench, "config", key, `touch ran-${key}`);
  for (const words of [["diff", commit], ["diff"]]) {
    const { exitCode, stderr } = await runLine(bench, words);
    assert.equal([exitCode, stderr], [0, ""]);
  }
  assert.is(existsSync(join(tmpdir(), name)), false);
  assert.equal(
    readdirSync(bench.folder).filter((entry) => entry.startsWith("ran-")),
    [],
  );
});

test("a package in `dottool.lock` is told with what its tools may do now", async () => {
  using bench = testProject(before);
  const locked = (version: string, digit: string, may: object): string =>
    lockText(
      new Map([
        ["@acme/text", { version, source: "npm:@acme/text", content: digit.repeat(64), needs: {}, may, added: true }],
      ]),
    );
  git(bench, "init", "--quiet");
  bench.write("dottool.lock", locked("1.0.0", "a", { programs: ["sed"] }));
  git(bench, "add", ".tools", "dottool.lock");
  git(bench, "commit", "--quiet", "--message=one");
  bench.write("dottool.lock", locked("1.1.0", "b", { programs: ["curl", "sed"], hosts: ["example.org"] }));
  const { stdout } = await runLine(bench, ["diff"]);
  assert.match(
    stdout,
    `package @acme/text: changed
  may now        programs: curl
                 hosts: example.org
  approvals end  the package has other content
  also           version 1.0.0 → 1.1.0
`,
  );
});

test("words that name nothing, and a folder without git, are answered", async () => {
  using bench = testProject(before);
  const said = async (...words: readonly string[]): Promise<string> => {
    const { exitCode, stderr } = await runLine(bench, ["diff", ...words]);
    return `${exitCode} ${stderr.split("\n")[0] ?? ""}`;
  };
  assert.match(await said(), "1 failed[diff]: git cannot read this repository: fatal: not a git repository");
  git(bench, "init", "--quiet");
  assert.is(await said("nope"), "64 failed[usage]: `nope` is not a file, a folder or a commit");
  assert.is(await said(".tools", "nope"), "64 failed[usage]: `nope` is not a file or folder; a commit goes before it");
  assert.is(
    await said("--json", "--markdown"),
    "64 failed[usage]: `--json` and `--markdown` cannot be combined; give one of them",
  );
});

test("no text of an author is Markdown or moves the cursor", async () => {
  using bench = testProject({
    "a/x.tool": 'X.\n\n@command echo {x}\n@param x {"a"|"<b>@me</b> | [x](y) #1 `"} [required] Which\n',
    "b/x.tool": 'X.\n\n@command echo {x}\n@param x {"a"} [required] Which\n',
  });
  const { stdout } = await runLine(bench, ["diff", "a", "b", "--markdown"]);
  const row = stdout.split("\n").find((line) => line.includes("x: changed")) ?? "";
  assert.match(row, "no longer takes");
  assert.not(/<b>|@me|\[x\]|#1\b(?!;)|`/.test(row));
});

test("schemaChange says which calls are refused that were accepted", () => {
  const one = (schema: object, required = false): object => ({
    type: "object",
    properties: { x: schema },
    required: required ? ["x"] : [],
  });
  const breaking = (was: object, is: object): readonly string[] => schemaChange(was as never, is as never).breaking;
  const rows: readonly (readonly [object, object, readonly string[]])[] = [
    [one({ type: "integer" }), one({ type: "number" }), []],
    [one({ type: "number" }), one({ type: "integer" }), ["parameter `x` is integer now, not number"]],
    [one({}), one({ type: "string" }), ["parameter `x` is string now, not any"]],
    [one({ type: "string" }), one({ type: ["string", "null"] }), []],
    [one({ enum: ["a", "b"] }), one({ enum: ["b", "c"] }), ["parameter `x` no longer takes a"]],
    [one({ minimum: 2, maxLength: 3 }), one({ minimum: 1, maxLength: 4 }), []],
    [one({ minimum: 1 }), one({ minimum: 2 }), ["parameter `x` now has `minimum` 2"]],
    [one({ pattern: "^a" }), one({ description: "d" }), []],
    [one({}), one({}, true), ["parameter `x` is required now"]],
    [one({}, true), one({}), []],
    [one({}), { type: "object", properties: {} }, ["parameter `x` is gone"]],
    [
      one({ items: { type: "integer" } }),
      one({ items: { type: "boolean" } }),
      ["parameter `x`: each item is boolean now, not integer"],
    ],
    [one(one({}) as never), one(one({}, true) as never), ["parameter `x`: parameter `x` is required now"]],
    [{ properties: {} }, one({}, true), ["parameter `x` is new and required"]],
    [
      { properties: { a: {}, b: {} }, required: ["a", "b"] },
      { properties: { b: {}, a: {} }, required: ["a", "b"] },
      ["required parameters have another order"],
    ],
  ];
  for (const [was, is, expected] of rows) assert.equal(breaking(was, is), expected, JSON.stringify([was, is]));
});

test.run();
