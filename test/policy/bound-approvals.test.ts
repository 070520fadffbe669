// An approval with `always` covers what runs: in one project, and while the files that the command runs are unchanged.
// Real programs leave a canary.
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { assert, present } from "../harness.ts";
import { sideBySide } from "../side-by-side.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";

const test = sideBySide("bound approvals");
const runLine = startingOnce();

/** A command with the file that it runs, when it was agreed to and afterwards. */
interface Row {
  readonly command: string;
  readonly parameters?: string;
  readonly arguments?: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly needs?: string;
}

const shell = { before: "touch ran\n", after: "touch ran # another\n" };
const python = { before: 'open("ran", "w")\n', after: 'open("ran", "w").close()\n', needs: "python3" };
const rows: readonly Row[] = [
  { command: "sh tools/build", path: "tools/build", ...shell },
  { command: "env FOO=1 bash -eu tools/build", path: "tools/build", ...shell },
  {
    command: "make all",
    path: "Makefile",
    before: "all:\n\ttouch ran\n",
    after: "all:\n\ttouch ran other\n",
    needs: "make",
  },
  { command: "python3 -m app", path: "app.py", ...python },
  { command: "python3 app", path: "app/__main__.py", ...python },
  {
    command: "npm test --silent",
    path: "package.json",
    before: '{"scripts":{"test":"touch ran"}}',
    after: '{"scripts":{"test":"touch ran other"}}',
    needs: "npm",
  },
  {
    command: "sh {script}",
    parameters: "@param script {string} [required] Which\n",
    arguments: '{"script":"tools/build"}',
    path: "tools/build",
    ...shell,
  },
];

const definition = ({ command, parameters = "" }: Row): string =>
  `Builds.\n\n@title Builds\n@name build\n@wrapped run_command\n@tags run\n${parameters}@command ${command}\n`;
const reply = ({ arguments: args = "{}" }: Pick<Row, "arguments">): string =>
  `<tool>{"server_name":"local","tool_name":"build","arguments":${args}}</tool>\n`;

/** Calls it as a model does, and says whether it ran. `by`: a start of the program, or a call in this process. */
async function runs(
  { by = "here", ...bench }: TestProject & { readonly by?: "run" | "here" },
  row: Pick<Row, "arguments">,
  cwd: string,
): Promise<boolean> {
  const canary = join(bench.folder, cwd, "ran");
  rmSync(canary, { force: true });
  const { stdout } = await runLine(bench, ["exec"], { stdin: reply(row), cwd });
  const isRun = existsSync(canary);
  assert.is(stdout.includes("failed[denied]: `build` was not approved for `dottool exec`"), !isRun, stdout);
  return isRun;
}

async function agree(bench: TestProject, row: Pick<Row, "arguments">, cwd: string): Promise<string> {
  const words = [
    "allow",
    "build",
    "--for",
    "exec",
    ...(row.arguments === undefined ? [] : ["--arguments", row.arguments]),
  ];
  const { stderr, stdout } = await runLine(bench, [...words, "--show"], { cwd });
  const agreed = await runLine(bench, [...words, "--hash", stdout.trim()], { cwd });
  assert.is(agreed.exitCode, 0, stderr + agreed.stderr);
  return stderr;
}

for (const row of rows.filter(({ needs }) => needs === undefined || spawnSync(needs, ["--version"]).status === 0)) {
  // A tool of the user's own is called in many projects, where its words name other files.
  for (const place of [
    "the project's",
    ...(row.path === "tools/build" || row.path === "Makefile" ? ["the user's"] : []),
  ])
    test(`a yes for \`${row.command}\` of ${place} folder is for the ${row.path} of one project, as it is`, async () => {
      const own = place === "the user's";
      const files = Object.fromEntries(
        ["a", "b"].flatMap((project) => [
          [`${project}/${row.path}`, project === "a" ? row.before : row.after],
          [
            `${project}/.tools/${own ? "other" : "build"}.tool`,
            own ? definition(row).replace("@name build", "@name other") : definition(row),
          ],
        ]),
      );
      using bench = testProject({
        ...files,
        ...(own ? { "home/.config/dottool/tools/build.tool": definition(row) } : {}),
      });
      await agree(bench, row, "a");
      const found = [await runs(bench, row, "a"), await runs(bench, row, "b")];
      // The same content belongs to another project.
      bench.write(`b/${row.path}`, row.before);
      found.push(await runs(bench, row, "b"));
      bench.write(`a/${row.path}`, row.after);
      found.push(await runs(bench, row, "a"));
      bench.write(`a/${row.path}`, row.before);
      assert.equal([...found, await runs(bench, row, "a")], [true, false, false, false, true]);
    });
}

/** Returns what `allow` shows of an approval, without the breaks of long lines. */
function factsOf(shown: string): readonly string[] {
  const lines = shown.replaceAll(/\n {18}│ /g, "").split("\n");
  return ["always means", "and covers"].map(
    (name) => lines.find((line) => line.trimStart().startsWith(name))?.split(" │ ")[1] ?? "",
  );
}

const script: Row = present(rows.at(-1));

test("a yes for one value of what decides is for no other, and each has its own", async () => {
  using bench = testProject({
    "a/.tools/build.tool": definition({
      ...script,
      command: "sh {script} {text}",
      parameters: `${script.parameters}@param text {string} What\n`,
    }),
    "a/one": "touch ran\n",
    "a/two": "touch ran\n",
  });
  const value = (name: string, text = "x"): Pick<Row, "arguments"> => ({
    arguments: JSON.stringify({ script: name, text }),
  });
  const { stderr } = await runLine(bench, ["allow", "build"], { cwd: "a" });
  assert.is(
    stderr.split("\n")[0],
    "failed[usage]: what `build` runs depends on `script`, so `--arguments` must say which value is allowed",
  );
  const shown = await agree(bench, { arguments: '{"script":"one"}' }, "a");
  assert.equal(factsOf(shown), [
    "with this value of `script`, in <bench>/a, until the tool or one changes",
    "later changes of what `one` runs or imports in turn",
  ]);
  const first = [
    await runs(bench, value("one"), "a"),
    await runs(bench, value("one", "y"), "a"),
    await runs(bench, value("two"), "a"),
  ];
  await agree(bench, { arguments: '{"script":"two"}' }, "a");
  assert.equal(
    [...first, await runs(bench, value("two"), "a"), await runs(bench, value("one"), "a")],
    [true, true, false, true, true],
  );
  assert.is(
    (await runLine(bench, ["allow", "build", "--arguments", '{"script":"one","text":"x"}'], { cwd: "a" })).exitCode,
    64,
  );
  const listed = JSON.parse((await runLine(bench, ["allow", "--json"])).stdout) as {
    allowed: { project: string; arguments: { script: string } }[];
  };
  assert.equal(listed.allowed.map(({ project, arguments: { script: one } }) => `${project} ${one}`).sort(), [
    "<bench>/a one",
    "<bench>/a two",
  ]);
});

test("a script that comes to lie where the command looks first is asked about", async () => {
  using bench = testProject({
    "a/.tools/build.tool": definition(present(rows[2])),
    "a/Makefile": present(rows[2]).before,
  });
  await agree(bench, {}, "a");
  const before = await runs(bench, {}, "a");
  bench.write("a/GNUmakefile", "all:\n\ttouch ran\n");
  assert.equal([before, await runs(bench, {}, "a")], [true, false]);
});

test("a project is where it really lies: through a link it is the same, and a folder of its own in it is another", async () => {
  using bench = testProject({
    "a/.tools/build.tool": definition(present(rows[0])),
    "a/tools/build": shell.before,
    "a/sub/x": "",
    "a/vendor/.git/HEAD": "",
    "a/vendor/tools/build": shell.before,
    "a/vendor/.tools/build.tool": definition(present(rows[0])),
  });
  symlinkSync("a", join(bench.folder, "link"));
  await agree(bench, {}, "a");
  assert.equal([await runs(bench, {}, "link"), await runs(bench, {}, "a/vendor")], [true, false]);
});

test("the line that a refusal names allows it, from any other folder", async () => {
  using bench = testProject({
    "my a/.tools/build.tool": definition(script),
    "my a/tools/build": shell.before,
    "elsewhere/x": "",
  });
  const { stdout } = await runLine(bench, ["exec"], { stdin: reply(script), cwd: "my a" });
  const line = /with: (dottool .*)/.exec(stdout)?.[1] ?? "";
  assert.is(line, `dottool --cwd '<bench>/my a' allow build --for exec --arguments '{"script":"tools/build"}'`);
  const words = [
    "--cwd",
    join(bench.folder, "my a"),
    "allow",
    "build",
    "--for",
    "exec",
    "--arguments",
    '{"script":"tools/build"}',
  ];
  const { stdout: hash } = await bench.run([...words, "--show"], { cwd: "elsewhere" });
  await bench.run([...words, "--hash", hash.trim()], { cwd: "elsewhere" });
  assert.is(await runs({ ...bench, by: "run" }, script, "my a"), true);
});

test("the arguments of `run_command` are held to the script that they name", async () => {
  using bench = testProject({ "a/.tools/x.tool": definition(present(rows[0])), "a/tools/build": shell.before });
  const args = '{"argv":["sh","tools/build"]}';
  const call = `<tool>{"server_name":"local","tool_name":"run_command","arguments":${args}}</tool>\n`;
  const words = ["allow", "run_command", "--for", "exec", "--arguments", args];
  const ran = async (): Promise<boolean> => {
    rmSync(join(bench.folder, "a/ran"), { force: true });
    await runLine(bench, ["exec"], { stdin: call, cwd: "a" });
    return existsSync(join(bench.folder, "a/ran"));
  };
  const { stdout } = await runLine(bench, [...words, "--show"], { cwd: "a" });
  await runLine(bench, [...words, "--hash", stdout.trim()], { cwd: "a" });
  const before = await ran();
  bench.write("a/tools/build", shell.after);
  assert.equal([before, await ran()], [true, false]);
});

test("what cannot be bound is said by the question, by allow and by explain", async () => {
  using bench = testProject({ ".tools/build.tool": definition(present(rows[2])), Makefile: present(rows[2]).before });
  const allowed = await runLine(bench, ["allow", "build"]);
  assert.equal(factsOf(allowed.stderr), [
    "in <bench>, until the tool or Makefile changes",
    "later changes of what the makefile includes, and what its recipes run",
  ]);
  const explained = await runLine(bench, ["explain", "build"]);
  assert.equal(
    explained.stdout
      .split(/\n(?! )/)
      .slice(-3, -1)
      .map((row) => row.replaceAll(/\s+/g, " ")),
    [
      "always means in <bench>, until the tool or Makefile changes",
      "and covers later changes of what the makefile includes, and what its recipes run",
    ],
  );
  const { always } = JSON.parse((await runLine(bench, ["explain", "--json", "build"])).stdout) as { always: unknown };
  assert.equal(always, {
    project: "<bench>",
    files: ["Makefile"],
    rest: ["what the makefile includes, and what its recipes run"],
  });
});

test.run();
