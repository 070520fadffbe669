// The view of a new user: names that are nearly right, plugins that did not load, odd files and words.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readGlobalOptions } from "../../src/cli/words/global-options.ts";
import { withMeantOption } from "../../src/cli/words/other-options.ts";
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("newcomer");
const runLine = startingOnce();

function say(name: string, more = ""): string {
  return `Says it.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo hi\n${more}@tags read\n`;
}

test("a plugin that did not load is told where its tool is missing", async () => {
  using bench = testProject({ ".tools/plugins/mytool.ts": "export defualt 1;\n" });
  const lost =
    "warning[broken-plugin]: 1 plugin did not load (`.tools/plugins/mytool.ts:1:8`), so its tools are missing; `dottool check` says why\n";
  assert.equal(await runLine(bench, ["mytool"]), {
    exitCode: 66,
    stdout: "",
    stderr: `failed[unknown-tool]: there is no tool \`mytool\`\n  = \`dottool list --all\` shows all tools\n${lost}`,
  });
  assert.is((await runLine(bench, ["list", "glob"])).stderr, lost);
});

test("a first definition runs as its author means it: named by its file, in the form of JSDoc, with other keywords", async () => {
  using bench = testProject({
    ".tools/greet.tool": "@desc Greets somebody.\n@param {string} name - Who is greeted\n@cmd echo hi {name}\n",
  });
  assert.equal(await runLine(bench, ["greet", "--name", "Bob"]), { exitCode: 0, stdout: "hi Bob\n", stderr: "" });
  const shown = JSON.parse((await runLine(bench, ["show", "greet", "--json"])).stdout);
  assert.equal(
    [shown.name, shown.title, shown.description, shown.schema.properties.name.description],
    ["greet", "Greet", "Greets somebody.", "Who is greeted"],
  );
  assert.equal((await runLine(bench, ["check", "--fix"])).exitCode, 0);
  assert.equal((await runLine(bench, ["fmt"])).exitCode, 0);
  assert.is(
    readFileSync(join(bench.folder, ".tools/greet.tool"), "utf8"),
    "@description Greets somebody.\n@param name {string} [required] Who is greeted\n@command echo hi {name}\n",
  );
  assert.is((await runLine(bench, ["check"])).stdout, "1 definition checked: no problems\n");
});

test("a file of another program that ends with `.tool` is told how it becomes a definition", async () => {
  const script = '#!/bin/bash\n# Compresses a folder.\ntar czf out.tgz "$1"\n';
  const rows: readonly (readonly [string, string])[] = [
    ["name: a\nbash: echo hi\n", "a definition in YAML is in a file whose name ends with `.yaml`"],
    ["services:\n  web:\n    image: nginx\n", "add a `@command`, or"],
    [script, "a script is written below `@script`, indented, with `{NAME}` where a value goes"],
  ];
  for (const [text, help] of rows) {
    using bench = testProject({ ".tools/a.tool": text });
    assert.is((await runLine(bench, ["check"])).stdout.includes(help), true, help);
  }
  // As the last line says.
  const indented = script.replace(/^/gm, "    ").replace('"$1"', "{folder} && echo packed");
  const text = `Compress a folder.\n\n@param folder {path} [required]\n@shell bash\n@script\n${indented}`;
  using bench = testProject({ ".tools/a.tool": text, "x/y": "" });
  assert.is((await runLine(bench, ["a", "x"])).stdout, "packed\n");
});

test("--dry-run runs nothing, whatever a tool is made of, and words that belong elsewhere are told where", async () => {
  const made = "Make it.\n\n@param file {path} [required]\n@command touch {file}\n@tags write\n";
  using bench = testProject({ ".tools/made.tool": made });
  const tried = await runLine(bench, ["made", "a", "--dry-run"]);
  assert.equal([tried.exitCode, tried.stdout.includes("runs")], [0, true]);
  assert.is(existsSync(join(bench.folder, "a")), false);
  for (const [typed, meant] of [
    ["--dry-run", "`dottool NAME … --dry-run`"],
    ["--json", "`--result json`"],
    ["-C", "`--cwd DIR`"],
  ] as const) {
    const read = readGlobalOptions([typed, "made"]);
    assert.is(withMeantOption("problem" in read ? read.problem : "").includes(meant), true, typed);
  }
  const refused = await runLine(bench, ["new", "log", "git", "log", "it's"]);
  const [, line = ""] = /dottool new log --from ('.*)/.exec(refused.stderr) ?? [];
  assert.is(line, `'git log "it'\\''s"'`);
  assert.is((await runLine(bench, ["new", "log.tool", "--from", `git log "it's"`])).exitCode, 0);
  assert.is(existsSync(join(bench.folder, ".tools/log.tool")), true);
});

test("a name that cannot be one is told what would be, and a file with another ending is named", async () => {
  const files = {
    ".tools/my tool.tool": "Say it.\n\n@command echo hi\n",
    ".tools/a.tool": say("Say It All"),
    ".tools/build.tool.txt": say("build"),
    ".tools/Run.TOOL": say("Run"),
  };
  using bench = testProject(files);
  for (const [name, file] of [
    ["build", "build.tool.txt"],
    ["Run", "Run.TOOL"],
  ] as const) {
    const { stderr } = await runLine(bench, [name]);
    assert.is(stderr.includes(`.tools/${file}\` is not read: the name of a definition ends with`), true, stderr);
  }
  const { stdout } = await runLine(bench, ["check"]);
  assert.match(stdout, "`my tool` cannot be a name");
  assert.match(stdout, "= help: add `@name NAME`");
  assert.match(stdout, "a name has letters, digits, `_` and `-`, and begins with a letter or `_`");
  bench.write(".tools/my tool.tool", "Say it.\n\n@name my_tool\n@command echo hi\n");
  bench.write(".tools/a.tool", say("say_it_all"));
  for (const name of ["my_tool", "say_it_all"]) assert.is((await runLine(bench, [name])).stdout, "hi\n");
});

test("a command under the name that other programs give it is told, in a line that runs", async () => {
  const text = `${say("greet")}\n`;
  using bench = testProject({ ".tools/greet.tool": text, ".tools/servers.tool": say("servers") });
  const rows: readonly (readonly [string, string])[] = [
    ["which greet", "show greet"],
    ["edit greet", "show greet"],
    ["validate", "check"],
    ["tools", "list"],
    ["version", "--version"],
    ["ps", "runs"],
    ["create other", "new other"],
    ["completion bash", "completions bash"],
  ];
  for (const [typed, meant] of rows) {
    const { stderr, exitCode } = await runLine(bench, typed.split(" "));
    const [line = ""] = /dottool [^`\n]*/.exec(stderr) ?? [];
    assert.equal([exitCode, line], [66, `dottool ${meant}`], typed);
    assert.is((await runLine(bench, line.split(" ").slice(1))).exitCode, 0, line);
  }
  // A tool of one's own with nearly that name is likelier.
  assert.is((await runLine(bench, ["server"])).stderr.includes("did you mean `servers`?"), true);
});

const owned = (name: string, text: string): string =>
  `Say it.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo ${text} {word}\n@param word {string} [required] A word\n@tags read\n`;
const own = "home/.config/dottool/tools";

test("a call by a name without its owner reaches the only tool that has it, under its whole name", async () => {
  using bench = testProject({
    [`${own}/off/x.tool`]: owned("x", "off"),
    [`${own}/off/both.tool`]: owned("both", "off"),
    [`${own}/other/both.tool`]: owned("both", "other"),
    [`${own}/off/bare.tool`]: owned("bare", "off"),
    [`${own}/bare.tool`]: owned("bare", "bare"),
    [`${own}/off/glob.tool`]: owned("glob", "off"),
    [`${own}/off/wrong.tool`]: owned("wrong", "off"),
    [`${own}/wrong.tool`]: owned("wrong", "{gone}"),
  });
  for (const words of [
    ["x", "you"],
    ["call", "x", "--word", "you"],
  ])
    assert.equal(await runLine(bench, words), { exitCode: 0, stdout: "off you\n", stderr: "" });
  assert.match((await runLine(bench, ["x", "--help"])).stdout, "off/x");
  assert.match((await runLine(bench, ["show", "x"])).stdout, /^off\/x: Say/);
  assert.match((await runLine(bench, ["explain", "x", "you"])).stdout, /^tool +`off\/x`/);
  assert.equal(
    (await runLine(bench, ["both", "you"])).stderr.split("\n")[0],
    "failed[unknown-tool]: there is no tool `both`; did you mean `off/both` or `other/both`?",
  );
  assert.is((await runLine(bench, ["bare", "you"])).stdout, "bare you\n");
  assert.not.match((await runLine(bench, ["glob", "off*"])).stdout, "off");
  const wrong = await runLine(bench, ["wrong", "you"]);
  assert.equal([wrong.exitCode, wrong.stdout], [65, ""]);
});

test("`check` writes the owner where a definition names the only tool without it, and `@depends` is met", async () => {
  using bench = testProject({
    [`${own}/off/x.tool`]: owned("x", "off"),
    [`${own}/up.tool`]:
      "Say it.\n\n@title Up\n@name up\n@depends x\n@param word {string} [required] W\n@step one uses x\n    word = {word}\n",
  });
  assert.is((await runLine(bench, ["check", "--fix"])).exitCode, 0);
  assert.is((await runLine(bench, ["up", "you"])).stdout, "off you\n");
});

test("a rule about the whole name is asked for a call without the owner", async () => {
  using bench = testProject({
    [`${own}/off/x.tool`]: owned("x", "off"),
    "home/.config/dottool/config.yaml": "policy:\n  - { decision: deny, tool: off/x }\n",
  });
  const { stdout, stderr } = await runLine(bench, ["x", "you"]);
  assert.is(stdout, "");
  assert.match(stderr, /^failed\[denied\]: .*`off\/x`/);
});

test("a name without its owner does not pass over trust, and what is not trusted does not take it from another tool", async () => {
  using bench = testProject(
    {
      [`${own}/off/x.tool`]: owned("x", "off"),
      ".tools/evil/x.tool": owned("x", "evil"),
      ".tools/evil/y.tool": owned("y", "evil"),
      // A definition of the name itself wins, trusted or not.
      [`${own}/off/z.tool`]: owned("z", "off"),
      ".tools/z.tool": owned("z", "evil"),
    },
    { isTrusted: false },
  );
  assert.is((await runLine(bench, ["x", "you"])).stdout, "off you\n");
  const { stdout, stderr } = await runLine(bench, ["y", "you"]);
  assert.is(stdout, "");
  assert.match(stderr, /^failed\[untrusted\]: .*`evil\/y`/);
  const bare = await runLine(bench, ["z", "you"]);
  assert.is(bare.stdout, "");
  assert.match(bare.stderr, /^failed\[untrusted\]: .*`z`/);
});

test("list puts the tool of exactly that name first, and a line end in a file's name on no line of its own", async () => {
  using bench = testProject({
    ".tools/say.tool": say("say"),
    ".tools/say_more.tool": say("say_more", "@keywords say say_say\n").replace("@title Say", "@title Say say say"),
    ".tools/a\nb.tool": say("say"),
  });
  const { stdout } = await runLine(bench, ["list", "say"]);
  assert.is(stdout.split("\n")[1]?.split(" ")[0], "say");
  assert.match(stdout, "`.tools/a\\u{a}b.tool");
});

test("a misspelled section of config.yaml is told by the tool and by doctor", async () => {
  using bench = testProject({ "home/.config/dottool/config.yaml": "web_serch: { engine: brave }\n" });
  const problem =
    "<bench>/home/.config/dottool/config.yaml:1:12: unknown setting `web_serch`; did you mean `web_search`?";
  const searched = await runLine(bench, ["web_search", "x"]);
  assert.equal(searched, {
    exitCode: 66,
    stdout: "",
    stderr: `failed[unavailable]: \`web_search\` cannot run here\n  ${problem}\n  = fix it; \`dottool doctor\` checks the whole file\n`,
  });
  const { findings } = JSON.parse((await runLine(bench, ["doctor", "--json"])).stdout) as {
    findings: { name: string; fact: string }[];
  };
  assert.equal(
    findings.filter(({ name }) => name === "config.yaml").map(({ fact }) => fact),
    [problem],
  );
});

test("a call with very many mistakes fails in few words, in JSON too", async () => {
  using bench = testProject();
  const stdin = JSON.stringify({ arguments: Array.from({ length: 5_000 }, () => "-delete") });
  const run = async (form: string): Promise<string> =>
    (await runLine(bench, ["--result", form, "call", "glob", "--json", "-"], { stdin })).stdout;
  const text = await run("model");
  assert.ok(text.length < 5_000 && text.includes("\n  and 4,980 more\n"), text.slice(0, 5_000));
  const { failure } = JSON.parse(await run("json")) as { failure: { issues: unknown[]; moreIssues: number } };
  assert.equal([failure.issues.length, failure.moreIssues], [20, 4_980]);
});

test("fmt rewrites definitions alone", async () => {
  using bench = testProject({ "notes.md": "@title   x\n\n\n\n@name y\n" });
  assert.equal(await runLine(bench, ["fmt", "notes.md"]), {
    exitCode: 64,
    stdout: "",
    stderr:
      "failed[usage]: `notes.md` is not a definition: its name must end in `.tool`, `.yaml` or `.yml`\n  = `dottool fmt --help` shows the usage\n",
  });
  assert.is(readFileSync(join(bench.folder, "notes.md"), "utf8"), "@title   x\n\n\n\n@name y\n");
});

if (process.platform === "linux") {
  test("bytes that are no UTF-8 are told, in words and in names of definitions", async () => {
    using bench = testProject({ ".tools/x": "" });
    const { command, words, environment } = bench.program;
    const run = (word: string): string => {
      const { status, stderr } = spawnSync(
        "sh",
        ["-c", `exec "$@" "$(printf '${word}')"`, "sh", command, ...words, "run_command", "--argv", "echo", "--argv"],
        { cwd: bench.folder, env: environment, encoding: "utf8" },
      );
      return `${status} ${stderr}`;
    };
    assert.is(run("\\357\\277\\275"), "0 ");
    assert.ok(
      run("a\\377").startsWith("64 failed[usage]: `a\uFFFD` is not UTF-8, so it cannot be passed on unchanged"),
      run("a\\377"),
    );
    execFileSync("sh", ["-c", `touch ".tools/$(printf '\\377').tool"`], { cwd: bench.folder });
    assert.match(
      (await runLine(bench, ["check"])).stdout,
      "`.tools/\uFFFD.tool` cannot be read: its name is not UTF-8\n  = help: rename it\n",
    );
  });
}

test.run();
