// Folders and files that may not be written or read, and other things in the place of a folder. These are ordinary
// states, so they are reported.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { shellTool, withHostile } from "../hostile/hostile-fixture.ts";
import { startingOnce, testProject } from "../test-project.ts";
import { withoutRights } from "../without-rights.ts";

const test = suite("unwritable");
const runLine = startingOnce();

const misspelled =
  "Find.\n\n@title Find\n@name finder\n@wrapped run_command\n@command find {folder}\n@param folders {path} [required] Where\n";
const noRight = (path: string): string =>
  `failed[file]: \`${path}\` cannot be written: permission denied\n  = change the permissions of the file or its folder, or work in another folder\n`;

test("new, fmt and check --fix say where they may not write", async () => {
  using bench = testProject({ ".tools/finder.tool": misspelled.replace("@title", "@title  ") });
  await withoutRights(bench.folder, [], async () => {
    assert.equal(await runLine(bench, ["new", "todo"]), {
      exitCode: 1,
      stdout: "",
      stderr: noRight(".tools/todo.tool"),
    });
    assert.equal(await runLine(bench, ["fmt"]), { exitCode: 1, stdout: "", stderr: noRight(".tools/finder.tool") });
    const { exitCode, stderr } = await runLine(bench, ["check", "--fix"]);
    assert.equal({ exitCode, stderr }, { exitCode: 65, stderr: noRight(".tools/finder.tool") });
  });
});

test("new says what lies where its folder should be, and check and doctor say it too", async () => {
  using bench = testProject({ "one/.tools": "", "two/x": "" });
  symlinkSync("nothing", join(bench.folder, "two/.tools"));
  const inOne = { cwd: "one" };
  assert.equal(await runLine(bench, ["new", "todo"], inOne), {
    exitCode: 1,
    stdout: "",
    stderr:
      "failed[file]: `.tools/todo.tool` cannot be written: a part of its path is a file, not a directory\n  = move that file away\n",
  });
  assert.equal(
    (await runLine(bench, ["new", "todo"], { cwd: "two" })).stderr,
    "failed[file]: `.tools/todo.tool` cannot be written: its folder does not exist, or is a dangling link\n  = create the folder, or remove the link\n",
  );
  for (const [cwd, fact] of [
    ["one", "it is not a directory"],
    ["two", "it does not exist, or is a dangling link"],
  ] as const) {
    const { exitCode, stdout } = await runLine(bench, ["check"], { cwd });
    assert.equal(
      { exitCode, first: stdout.split("\n")[0] },
      { exitCode: 65, first: `error[unreadable-file]: \`.tools\` cannot be read: ${fact}` },
    );
  }
});

test("a tool folder that may not be read is told by list, calls and doctor", async () => {
  using bench = testProject();
  mkdirSync(join(bench.folder, ".tools"));
  await withoutRights(bench.folder, [join(bench.folder, ".tools")], async () => {
    const warning = "warning[unreadable-file]: `.tools` cannot be read: permission denied\n";
    const list = await runLine(bench, ["list", "list_dir"]);
    assert.equal({ exitCode: list.exitCode, stderr: list.stderr }, { exitCode: 0, stderr: warning });
    assert.ok((await runLine(bench, ["mine"])).stderr.startsWith(warning));
    const { findings } = JSON.parse((await runLine(bench, ["doctor", "--json"])).stdout) as {
      findings: { name: string; works: boolean; fact: string }[];
    };
    assert.equal(
      findings.filter(({ name }) => name.startsWith("project")).map(({ works, fact }) => [works, fact]),
      [[false, "cannot be read: permission denied"]],
    );
  });
});

test("a tool of an owner whose folder may not be read is told by its call", async () => {
  using bench = testProject({
    ".tools/own/x.tool": misspelled,
    ".tools/say.tool": "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo said\n",
  });
  await withoutRights(bench.folder, [join(bench.folder, ".tools/own")], async () => {
    const fact =
      "error[unreadable-file]: `.tools/own` cannot be read: permission denied\n  = help: change its permissions, or move it out of the tool folder\n\nfailed[definition]: `own/x` cannot run until its definition is fixed\n";
    assert.equal(await runLine(bench, ["own/x"]), { exitCode: 65, stdout: "", stderr: fact });
    // A record of trust that may not be read would refuse every call, so this user has none.
    const environment = { XDG_STATE_HOME: join(bench.folder, "none") };
    assert.equal((await runLine(bench, ["--tools", ".tools", "say"], { environment })).stdout, "said\n");
  });
});

test("untrust and trust --list do not say that nothing is trusted where they cannot look", async () => {
  using bench = testProject(
    {
      ".tools/say.tool": "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo said\n",
    },
    { isTrusted: false },
  );
  const state = join(bench.folder, "home/.local/state/dottool");
  const failing = [["untrust"], ["untrust", "--all"], ["trust", "--list"]];
  const assertTold = async (where: string): Promise<void> => {
    for (const words of failing) {
      const { exitCode, stdout, stderr } = await runLine(bench, words);
      assert.is.not(exitCode, 0, `${words.join(" ")}, ${where}: ${stdout}${stderr}`);
      assert.match(stderr, "<bench>/home/.local/state/dottool");
      assert.not.match(stderr, /no trust to revoke|no folder is trusted|bug/);
    }
  };
  bench.trust();
  for (const path of [join(state, "trust"), state])
    await withoutRights(bench.folder, [path], () => assertTold(`no rights for ${path}`));
  renameSync(join(state, "trust"), join(bench.folder, "elsewhere"));
  symlinkSync(join(bench.folder, "gone"), join(state, "trust"));
  await assertTold("a link to nothing");
  renameSync(join(bench.folder, "elsewhere"), join(bench.folder, "gone"));
  const [record = ""] = readdirSync(join(state, "trust")).filter((name) => name.endsWith(".trust.json"));
  renameSync(join(state, "trust", record), join(bench.folder, "record"));
  symlinkSync(join(bench.folder, "none"), join(state, "trust", record));
  assert.match((await runLine(bench, ["untrust"])).stderr, /is no longer trusted/);
  renameSync(join(bench.folder, "record"), join(bench.folder, "none"));
  assert.is((await runLine(bench, ["trust", "--list"])).stderr, "no folder is trusted\n");
});

test("trust --list says why a trusted folder is unsafe", async () => {
  using bench = testProject({ ".tools/say.tool": "Say.\n" }, { isTrusted: false });
  const tools = join(bench.folder, ".tools");
  bench.trust();
  const deep = join(tools, "a");
  mkdirSync(join(deep, "a/".repeat(40)), { recursive: true });
  const { exitCode, stdout, stderr } = await bench.run(["trust", "--list", "--json"]);
  assert.is(exitCode, 0, stderr);
  const [record] = JSON.parse(stdout) as readonly Record<string, string>[];
  assert.is(record?.["state"], "unsafe");
  assert.is(stderr, `warning[untrusted]: \`<bench>/.tools\` ${record?.["reason"] ?? ""}\n`);
  assert.match(stderr, "cannot be trusted: it has folders");
  rmSync(deep, { recursive: true });
  assert.match((await bench.run(["trust", "--list"])).stdout, / {2}trusted {2}/);
});

test("a damaged record of a project that is gone refuses, and its help leads on", async () => {
  using bench = testProject(
    { ".tools/config.yaml": "policy:\n  - {decision: deny, tool: glob}\n", "below/x": "" },
    { isTrusted: false },
  );
  const trust = join(bench.folder, "home/.local/state/dottool/trust");
  bench.trust();
  const [record = ""] = readdirSync(trust).filter((name) => name.endsWith(".trust.json"));
  writeFileSync(join(trust, record), "");
  rmSync(join(bench.folder, ".tools"), { recursive: true });
  for (const [cwd, words] of [
    ["below", ["untrust"]],
    [".", ["untrust", "."]],
  ] as const) {
    const refused = await runLine(bench, ["list_dir"], { cwd });
    assert.is(refused.exitCode, 77);
    assert.match(refused.stderr, /; `dottool untrust` forgets the project/);
    const { exitCode, stderr } = await runLine(bench, words, { cwd });
    assert.equal([exitCode, stderr], [0, "`<bench>/.tools` is no longer trusted\n"]);
    assert.is((await runLine(bench, ["list_dir"], { cwd })).exitCode, 0);
    writeFileSync(join(trust, record), "", { mode: 0o600 });
  }
});

// Deno does not start with such a variable.
if (!("deno" in process.versions)) {
  test("a home whose name is no UTF-8 is taken for one that cannot be written: nothing is kept in another folder", () => {
    using bench = testProject({
      "t/say.tool": "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo said\n",
    });
    const { command, words, environment } = bench.program;
    const start = (variable: string, more: Readonly<Record<string, string>>): string =>
      execFileSync(
        "sh",
        [
          "-c",
          `${variable}="$FOLDER/$(printf 'h\\377')"; export ${variable}; exec "$@" 2>&1`,
          "sh",
          command,
          ...words,
          "--tools",
          "t",
          "say",
        ],
        { cwd: bench.folder, env: { ...environment, FOLDER: bench.folder, ...more }, encoding: "utf8" },
      )
        .split("\n")
        .sort()
        .slice(1)
        .join("\n");
    const before = readdirSync(bench.folder);
    assert.is(
      start("HOME", {}),
      `said\nwarning[audit]: calls are not logged: \`/dev/null${bench.folder}/h\uFFFD/.local/state/dottool/audit.jsonl\` cannot be written to (ENOTDIR)`,
    );
    assert.is(start("XDG_CACHE_HOME", {}), "said");
    assert.equal(readdirSync(bench.folder), before);
    // An ordinary name.
    assert.is(start("ODD", { XDG_CACHE_HOME: join(bench.folder, "c\uFFFD") }), "said");
    assert.equal(readdirSync(join(bench.folder, "c\uFFFD")), ["dottool"]);
  });
}

test("where the state folder cannot be written, a yes is told to be none", () =>
  withHostile(async (bench) => {
    bench.write("repository/.tools/greet.tool", shellTool("greet", "echo hello"));
    bench.write("home/.local/state", "a file");
    const { text, exitCode } = await bench.run(["greet"], { answer: () => "y" });
    assert.is(exitCode, 77);
    assert.match(text, /failed\[file\]: the trust cannot be stored in `\S+\/home\/\.local\/state\/dottool`: /);
  }));

test.run();
