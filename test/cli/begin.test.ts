// How a new user begins: `init`, `run`, and a list that puts one's own tools first.
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("begin");

function say(name: string, more = ""): string {
  return `Says it.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo ${name} {word}\n@param word {string} [required] What\n${more}`;
}

test("init makes a tool that runs, is tested and has no problems, and says what to do next", async () => {
  using bench = testProject({}, { isTrusted: false });
  const made = await bench.run(["init"]);
  assert.equal([made.exitCode, made.stderr], [0, ""]);
  const lines = made.stdout.split("\n");
  assert.ok(lines.length <= 10 && lines[0] === "wrote .tools/hello.tool", made.stdout);
  const [, next = ""] = /^ {2}dottool (hello .*?) {2}/m.exec(made.stdout) ?? [];
  assert.equal(await bench.run(next.split(" ")), { exitCode: 0, stdout: "Hello, World!\n", stderr: "" });
  assert.equal(await bench.run(["test", "hello"]), {
    exitCode: 0,
    stdout: "passed   hello: greets by name\n\n1 passed, 0 failed\n",
    stderr: "",
  });
  assert.is((await bench.run(["check"])).stdout, "1 definition checked: no problems\n");
});

test("init trusts what it has made, and asks again about what is added", async () => {
  using bench = testProject({}, { isTrusted: false });
  await bench.run(["init"]);
  assert.is((await bench.run(["--result", "model", "hello", "you"])).stdout, "Hello, you!\n");
  bench.write(".tools/other.tool", say("other"));
  assert.is((await bench.run(["other", "x"])).exitCode, 77);
});

test("init changes no folder of tools that is there", async () => {
  using bench = testProject({ ".tools/say.tool": say("say") }, { isTrusted: false });
  assert.equal(await bench.run(["init"]), {
    exitCode: 1,
    stdout: "",
    stderr:
      "failed[exists]: `.tools` already exists\n  = `dottool new NAME` writes another tool there, and `dottool list` shows yours\n",
  });
  assert.is((await bench.run(["say", "x"])).exitCode, 77, "it trusts nothing");
});

test("run is a tool's own short form, also for a tool that has the name of a command", async () => {
  using bench = testProject({ "own/list.tool": say("list"), "a b.txt": "" }, { isTrusted: false });
  const run = (...words: readonly string[]) => bench.run(["--tools", "own", ...words]);
  assert.equal(await run("run", "list", "it"), { exitCode: 0, stdout: "list it\n", stderr: "" });
  assert.is((await run("run", "glob", ".", "-name", "* b.txt")).stdout, "./a b.txt\n");
  assert.match((await run("run", "list", "--help")).stdout, "dottool list WORD");
  assert.match((await run("explain", "run", "list", "it")).stdout, "echo list it");
  assert.equal(await run("run"), {
    exitCode: 64,
    stdout: "",
    stderr: "failed[usage]: `run` needs the name of a tool\n  = `dottool run --help` shows the usage\n",
  });
  assert.is(
    (await bench.run(["__complete", "3", "--tools", "own", "run", "list"])).stdout.split("\n")[0],
    "list\tSays it",
  );
  assert.match((await bench.run(["__complete", "4", "--tools", "own", "run", "list", "--w"])).stdout, "--word\tWhat\n");
});

test("list shows one's own tools in groups and counts the others, which --bundled and --all show", async () => {
  using bench = testProject(
    {
      ".tools/zebra.tool": say("zebra"),
      "given/yak.tool": say("yak"),
      "home/.config/dottool/tools/xerus.tool": say("xerus"),
    },
    { isTrusted: false },
  );
  bench.trust();
  const list = async (...words: readonly string[]) =>
    (await bench.run(["--tools", "given", "list", ...words])).stdout.split("\n");
  const nameAndOrigin = (line: string) => line.split(/ +/).slice(0, 2).join(" ");
  const [head = "", ...rows] = await list();
  assert.is(nameAndOrigin(head), "NAME FROM");
  assert.equal(rows.slice(0, 6).map(nameAndOrigin), ["yak given", "", "zebra project", "", "xerus user", ""]);
  const bundled = (await list("--bundled")).slice(1, -1);
  assert.equal(new Set(bundled.map((line) => line.split(/ +/)[1])), new Set(["builtin", "base"]));
  assert.equal(rows.slice(6), [`${bundled.length} bundled: dottool list --bundled`, ""]);
  assert.equal(await list("--mine"), [head, ...rows.slice(0, 5), ""]);
  assert.is((await list("--all")).length, rows.length + bundled.length);
  assert.equal((await bench.run(["--tools", "given", "-l"])).stdout.split("\n"), [head, ...rows]);
  const mine = JSON.parse((await list("--mine", "--json")).join("\n")) as { tools: readonly { name: string }[] };
  assert.equal(
    mine.tools.map(({ name }) => name),
    ["yak", "zebra", "xerus"],
  );
});

test("list --mine says how to begin where there are none", async () => {
  using bench = testProject({}, { isTrusted: false });
  assert.equal(await bench.run(["list", "--mine"]), {
    exitCode: 0,
    stdout: "",
    stderr: "there are no tools of your own yet; `dottool init` makes one\n",
  });
});

const inProject = {
  ".tools/zebra.tool": say("zebra"),
  ".tools/ant.tool": say("ant", "@category Insects\n"),
  ".tools/broken.tool": "Broken.\n\n@name broken\n@wrapped nothing\n",
  "home/.config/dottool/tools/xerus.tool": say("xerus"),
};

/** Returns what these lines show, as at a terminal; the number of bundled tools is that of `list --bundled`. */
async function screens(bench: TestProject, lines: readonly string[]): Promise<string> {
  const bundled = (await bench.run(["list", "--bundled"])).stdout.split("\n").length - 2;
  const texts: string[] = [];
  for (const line of lines) {
    const { stdout, stderr } = await bench.run(line.split(" ").filter((word) => word !== ""));
    texts.push(`$ dottool ${line}\n${stdout}${stderr}`.replace(`\n${bundled} bundled`, "\nN bundled"));
  }
  return texts.join("\n");
}

test("dottool alone shows the tools of a project and five commands, and elsewhere how to begin", async () => {
  const texts: string[] = [];
  for (const [where, files, isTrusted] of [
    ["an empty folder", {}, true],
    ["a project", inProject, true],
    ["a project that nobody has trusted", inProject, false],
  ] as const) {
    using bench = testProject(files, { isTrusted });
    texts.push(`# in ${where}\n${await screens(bench, [""])}`);
  }
  assertGolden("cli/golden/first-screens.txt", texts.join("\n"));
});

test("help shows eight commands, and all of them in five groups with --all", async () => {
  using bench = testProject({}, { isTrusted: false });
  assertGolden("cli/golden/help-all.txt", await screens(bench, ["--help", "help --all", "help exit-codes"]));
  const [first = "", all = ""] = [(await bench.run(["--help"])).stdout, (await bench.run(["help", "--all"])).stdout];
  const rowsIn = (text: string) => [...text.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name);
  assert.is(rowsIn(first).length, 8);
  assert.match(first, `all ${rowsIn(all).length} commands`);
  assert.is((await bench.run(["help", "--all", "check"])).exitCode, 64);
});

test("doctor counts what a tool of one's own needs, and marks what none needs", async () => {
  const search = "Looks.\n\n@name look\n@wrapped web_search\n@with num = 3\n";
  const summaries: string[] = [];
  for (const files of [
    { ".tools/say.tool": say("say") },
    { ".tools/look.tool": search.replace("@with num = 3\n", "") },
  ]) {
    using bench = testProject(files);
    const findings = (
      JSON.parse((await bench.run(["doctor", "--json"])).stdout) as {
        readonly findings: readonly {
          readonly name: string;
          readonly works: unknown;
          readonly isUnneeded?: boolean;
        }[];
      }
    ).findings;
    const settings = findings.find(({ name }) => name === "web_search");
    summaries.push(`${String(settings?.works)} ${String(settings?.isUnneeded ?? false)}`);
    const needed = findings.filter(({ works, isUnneeded }) => works === false && !isUnneeded).length;
    const last = (await bench.run(["doctor"])).stdout.trimEnd().split("\n").at(-1) ?? "";
    assert.match(last, needed === 0 ? /everything (?:else )?works/ : `${needed} item`);
    assert.match(last, "marked `--`");
  }
  assert.equal(summaries, ["false true", "false false"]);
});

test("schema --self describes every command and option of help --all, and the exit codes", async () => {
  using bench = testProject({}, { isTrusted: false });
  const self = JSON.parse((await bench.run(["schema", "--self"])).stdout) as {
    readonly commands: readonly { readonly name: string; readonly summary: string; readonly options: object[] }[];
    readonly options: readonly { readonly name: string }[];
    readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  };
  const all = (await bench.run(["help", "--all"])).stdout;
  assert.equal(
    self.commands.map(({ name }) => name),
    [...all.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name),
  );
  assert.equal(
    self.options.map(({ name }) => name),
    [...all.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name),
  );
  assert.equal(self.commands.find(({ name }) => name === "fmt")?.options.at(-1), {
    name: "--help",
    short: ["-h"],
    does: "print this help",
  });
  const codes = (await bench.run(["help", "exit-codes"])).stdout;
  assert.is(codes, self.exitCodes.map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}\n`).join(""));
  assert.is((await bench.run(["schema", "--self", "glob"])).exitCode, 64);
});

test("an option of other programs, or in the wrong place, is answered with the line to type", async () => {
  using bench = testProject({ ".tools/say.tool": say("say") }, { isTrusted: false });
  bench.trust();
  const says = async (line: string) => (await bench.run(line.split(" "))).stderr.split("\n")[0];
  assert.equal(await Promise.all(["check --no-color", "check --cwd x", "check --plain", "--plain check"].map(says)), [
    "failed[usage]: `--no-color` goes before the command: `dottool --no-color check`",
    "failed[usage]: `--cwd` goes before the command: `dottool --cwd DIR check`",
    "failed[usage]: `check` has no option `--plain`; write `--no-color` before the command",
    "failed[usage]: unknown option `--plain`; write `--no-color` before the command",
  ]);
  assert.equal(await Promise.all(["check --no-input", "--no-input check"].map(says)), [
    "failed[usage]: `check` has no option `--no-input`; write `< /dev/null` at the end of the line: without a terminal to read from, nothing is asked",
    "failed[usage]: unknown option `--no-input`; write `< /dev/null` at the end of the line: without a terminal to read from, nothing is asked",
  ]);
  assert.is((await bench.run(["--no-color", "check"])).exitCode, 0);
});

test.run();
