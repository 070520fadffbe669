// Commands that write files: the contents, and what they must leave alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = suite("changes");
const runLine = startingOnce();

const read = (bench: TestProject, path: string): string => readFileSync(join(bench.folder, path), "utf8");

test("new writes a definition that passes check and runs", async () => {
  using bench = testProject();
  assert.equal(await runLine(bench, ["new", "todo", "--from", 'printf "%s" "a b"']), {
    stdout: "wrote .tools/todo.tool\n",
    stderr:
      "edit it, check it with `dottool check`, and run it with `dottool todo`; it asks once whether you trust it\n",
    exitCode: 0,
  });
  const [checked, run, other] = await Promise.all([
    runLine(bench, ["check"]),
    runLine(bench, ["todo"]),
    runLine(bench, ["todo", "--text", "c"]),
  ]);
  assert.equal(checked, { stdout: "1 definition checked: no problems\n", stderr: "", exitCode: 0 });
  assert.equal([run.stdout, other.stdout], ["a b", "c"]);
});

test("new keeps as it is what cannot be a parameter", async () => {
  using bench = testProject();
  await runLine(bench, ["new", "fields", "--from", "awk '{print $1}' 'notes 1.txt'"]);
  const lines = read(bench, ".tools/fields.tool").split("\n");
  assert.equal(
    lines.filter((line) => /^@(command|param|example)/.test(line)),
    [
      "@command awk '{{print $1}}' {file}",
      '@param file {path} [default="notes 1.txt"] The file',
      '@example {"file":"notes 1.txt"}',
    ],
  );
});

test("new says what is wrong with a command line in terms of that line", async () => {
  using bench = testProject();
  assert.equal(await runLine(bench, ["new", "odd", "--from", 'echo "unfinished']), {
    stdout: "",
    stderr: 'failed[definition]: cannot make a tool from `echo "unfinished`\n  this `"` is not closed\n',
    exitCode: 65,
  });
});

test("new writes an owner's tool into his folder, and to the folder of --tools", async () => {
  using bench = testProject({ "more/x.tool": "Alias.\n\n@name x\n@title X\n@wrapped read_file\n" });
  assert.is((await runLine(bench, ["new", "ana/hello"])).stdout, "wrote .tools/ana/hello.tool\n");
  assert.is((await runLine(bench, ["--tools", "more", "new", "y", "--wrap", "x"])).stdout, "wrote more/y.tool\n");
  assert.equal(
    (await runLine(bench, ["test", "ana/hello"])).stdout,
    "passed   ana/hello: prints its text\n\n1 passed, 0 failed\n",
  );
  assert.equal((await runLine(bench, ["check", "more"])).stdout, "2 definitions checked: no problems\n");
});

test("new refuses names that are taken, files that exist and names that are none", async () => {
  using bench = testProject({ ".tools/todo.tool": "not a definition\n" });
  const [taken, exists, odd, base] = await Promise.all([
    runLine(bench, ["new", "glob"]),
    runLine(bench, ["new", "todo"]),
    runLine(bench, ["new", "a b"]),
    runLine(bench, ["new", "x", "--wrap", "run_comand"]),
  ]);
  assert.equal(taken, {
    stdout: "",
    stderr: "failed[exists]: the tool `glob` already exists: builtin:glob.tool:6\n  = choose another name\n",
    exitCode: 1,
  });
  assert.is(exists.exitCode, 1);
  assert.is(odd.exitCode, 64);
  assert.match(odd.stderr, /starting with a letter or `_`/);
  assert.is(base.exitCode, 66);
  assert.is(read(bench, ".tools/todo.tool"), "not a definition\n");
});

const misspelled =
  "Find.\n\n@title Find\n@name finder\n@wrapped run_command\n@command find {folder}\n@param folders {path} [required] Where\n";

test("check --fix repairs what is sure", async () => {
  using bench = testProject({ ".tools/finder.tool": misspelled });
  assert.equal(await runLine(bench, ["check", "--fix"]), {
    stdout: "fixed .tools/finder.tool\n1 definition checked: no problems\n",
    stderr: "",
    exitCode: 0,
  });
  assert.is(read(bench, ".tools/finder.tool"), misspelled.replace("{folder}", "{folders}"));
});

test("check --fix repairs beside a plugin", async () => {
  using bench = testProject({
    ".tools/finder.tool": misspelled,
    ".tools/plugins/hello.ts": readFileSync(new URL("../../plugins/hello.ts", import.meta.url), "utf8"),
  });
  // What it writes stays trusted, so that the plugin loads.
  for (const words of [[], [".tools/finder.tool"]]) {
    bench.write(".tools/finder.tool", misspelled);
    const { stdout, exitCode } = await runLine(bench, ["check", "--fix", ...words]);
    assert.equal(
      {
        isFixed: stdout.includes("fixed .tools/finder.tool\n"),
        exitCode,
        isAsked: stdout.includes("untrusted-plugin"),
      },
      { isFixed: true, exitCode: 0, isAsked: false },
    );
    assert.is(read(bench, ".tools/finder.tool"), misspelled.replace("{folder}", "{folders}"));
  }
});

test("check says how an address is written in a shell, and a shell reads what stands apart", async () => {
  const fetch = (command: string): string =>
    `Fetches.\n\n@title Fetch\n@name fetch\n@wrapped run_command\n${command}\n@param q {string} [required] What\n`;
  using bench = testProject({ ".tools/fetch.tool": fetch("@command echo http://h/s?q={q}&page=2 | cat") });
  assert.match((await runLine(bench, ["check"])).stdout, "put the word in single quotes if it is text");
  bench.write(".tools/fetch.tool", fetch("@shell sh\n@command echo 'http://h/s?q={q}&page=2' | cat"));
  assert.is((await runLine(bench, ["fetch", "a&b"])).stdout, "http://h/s?q=a&b&page=2\n");
  bench.write(".tools/fetch.tool", fetch("@command printf '%s\\n' a;b a>{q}"));
  assert.is((await runLine(bench, ["check", "--fix"])).exitCode, 65);
  assert.is(read(bench, ".tools/fetch.tool"), fetch("@command printf '%s\\n' a;b a>{q}"));
});

test("check --fix goes on until nothing is left to repair", async () => {
  using bench = testProject({
    ".tools/rd.tool":
      "Reads a file.\n\n@titel Read\n@name rd\n@wraped read_fil\n@param file_path path Which file\n@param start_lin int The first line\n",
  });
  assert.equal(await runLine(bench, ["check", "--fix"]), {
    stdout: "fixed .tools/rd.tool\n1 definition checked: no problems\n",
    stderr: "",
    exitCode: 0,
  });
  assert.is(
    read(bench, ".tools/rd.tool"),
    "Reads a file.\n\n@title Read\n@name rd\n@wrapped read_file\n@param file_path {path} Which file\n@param start_line {integer} The first line\n",
  );
});

test("check warns of a tool that has the name of a command", async () => {
  using bench = testProject({
    ".tools/list.tool": "@name list\n@wrapped read_file\n",
    ".tools/ana/list.tool": "@name list\n@wrapped read_file\n",
  });
  const { stdout, exitCode } = await runLine(bench, ["check"]);
  assert.is(exitCode, 0);
  assert.is(
    stdout,
    [
      "warning[reserved-name]: `dottool list` runs a command of dottool, not this tool",
      "  ╭─ .tools/list.tool:1:7",
      "  │",
      "1 │ @name list",
      "  │       ^^^^",
      "  ╵",
      "  = help: call it as `dottool run list`, or give it another name",
      "",
      "2 definitions checked: 1 warning",
      "",
    ].join("\n"),
  );
});

test("check --fix leaves files outside of the paths alone", async () => {
  using bench = testProject({
    ".tools/finder.tool": misspelled,
    "other/fine.tool": "Read.\n\n@title Fine\n@name fine\n@wrapped read_file\n",
  });
  assert.equal(await runLine(bench, ["check", "other", "--fix"]), {
    stdout: "1 definition checked: no problems\n",
    stderr: "",
    exitCode: 0,
  });
  assert.is(read(bench, ".tools/finder.tool"), misspelled);
});

test("check reports every file at once, and a file that is no text", async () => {
  using bench = testProject({
    ".tools/finder.tool": misspelled,
    ".tools/second.tool": misspelled.replace("@name finder", "@name second"),
    ".tools/odd.tool": "\u0000",
  });
  const { stdout, exitCode } = await runLine(bench, ["check", "--json"]);
  const codes = (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(
    (diagnostic) => diagnostic.code,
  );
  assert.equal(codes.filter((code) => code === "unknown-placeholder" || code === "not-text").sort(), [
    "not-text",
    "unknown-placeholder",
    "unknown-placeholder",
  ]);
  assert.is(exitCode, 65);
});

test("fmt changes the layout once, and --check only says so", async () => {
  using bench = testProject({ ".tools/fine.tool": "Read.\n@name    fine\n@title Fine\n\n\n\n@wrapped read_file" });
  assert.equal(await runLine(bench, ["fmt", "--check"]), {
    stdout: "would change .tools/fine.tool\n",
    stderr: "",
    exitCode: 65,
  });
  assert.equal(await runLine(bench, ["fmt"]), { stdout: "changed .tools/fine.tool\n", stderr: "", exitCode: 0 });
  assert.equal(await runLine(bench, ["fmt", "--check"]), { stdout: "", stderr: "", exitCode: 0 });
});

test("doctor finds out about the machine", async () => {
  using bench = testProject({
    ".tools/odd.tool":
      "Odd.\n\n@title Odd\n@name odd\n@wrapped run_command\n@command nosuchprogram1\n@requires nosuchprogram1 >= 3\n",
  });
  const { stdout, exitCode } = await runLine(bench, ["doctor", "--json"]);
  const findings = (
    JSON.parse(stdout) as {
      findings: { group: string; name: string; works: boolean; fact: string; help?: string }[];
    }
  ).findings;
  assert.equal(
    findings.find((finding) => finding.name === "nosuchprogram1"),
    {
      group: "Programs",
      name: "nosuchprogram1",
      works: false,
      fact: "for `odd`",
      help: "install `nosuchprogram1` so that it is on PATH",
    },
  );
  // What they need depends on the platform: test/wrapped-windows-tools.test.ts.
  assert.equal(
    findings
      .filter(({ name }) => name === "none" || name === "sha256sum")
      .map(({ fact }) => fact.replace(/^[/].*, /, "")),
    ["for `Edit`, `Read`, `TodoWrite`, `WebFetch`, `WebSearch`, `Write`", "for `checksum`"],
  );
  assert.equal(
    [...new Set(findings.map((finding) => finding.group))],
    ["Program", "Tool folders", "Shells", "Programs", "Settings", "Models", "Policy", "Limits", "Terminal"],
  );
  assert.is(exitCode, 0);
});

test("show and doctor name what a call would miss, and call nothing fine that they did not ask", async () => {
  using bench = testProject();
  const head = (name: string): string => `Odd.\n\n@title Odd\n@name ${name}\n@wrapped run_command\n@command sh\n`;
  bench.write(".tools/old.tool", `${head("old")}@requires sh >= 99\n@changelog 2: quicker\n`);
  bench.write(".tools/part.tool", `${head("part")}@version 1.2.0\n`);
  bench.write(".tools/whole.tool", `${head("whole")}@depends nothing_there\n@depends part@^2.0.0\n`);
  bench.write(".tools/mac.tool", `${head("mac")}@platforms macos\n`);
  const [old, whole, doctor, text, mac, call] = await Promise.all(
    [
      ["show", "old", "--json"],
      ["show", "whole", "--json"],
      ["doctor", "--json"],
      ["show", "old"],
      ["mac"],
      ["whole"],
    ].map((words) => runLine(bench, words)),
  );
  assert.equal(
    [JSON.parse(old?.stdout ?? "").unavailable, JSON.parse(old?.stdout ?? "").unasked],
    [[], ["`sh` must be >= 99; its version was not checked"]],
  );
  const missing = [
    "it depends on the tool `nothing_there`, which does not exist",
    "it depends on `part` ^2.0.0; the installed `part` is 1.2.0",
  ];
  assert.equal(JSON.parse(whole?.stdout ?? "").unavailable, [
    `${missing[0]}; add a definition of \`nothing_there\` to a tool folder; \`dottool install --deps whole\` looks for a package that has it`,
    `${missing[1]}; get a definition of \`part\` that is ^2.0.0`,
  ]);
  const findings = JSON.parse(doctor?.stdout ?? "").findings as {
    group: string;
    name: string;
    works: unknown;
    fact: string;
  }[];
  assert.equal(
    findings.filter(({ group }) => group === "Tools").map(({ name, works, fact }) => [name, works, fact]),
    missing.map((fact) => ["whole", false, fact]),
  );
  const shell = findings.find(({ group, name }) => group === "Programs" && name === "sh");
  assert.equal(
    [shell?.works, shell?.fact.replace(/^[^,]+/, "PATH")],
    ["unasked", "PATH, version not checked (must be >= 99), for `old`"],
  );
  assert.ok(/^changes +2: quicker$/m.test(text?.stdout ?? ""), text?.stdout);
  assert.is(mac?.stderr, "failed[unavailable]: `mac` cannot run here\n  it only runs on macos; this is linux\n");
  assert.is(
    call?.stderr,
    `failed[unavailable]: \`whole\` cannot run here\n  ${missing.join("\n  ")}\n  = add a definition of \`nothing_there\` to a tool folder; \`dottool install --deps whole\` looks for a package that has it\n  = get a definition of \`part\` that is ^2.0.0\n`,
  );
});

test("explain and show never run what a definition requires", async () => {
  using bench = testProject();
  bench.write("bin/asked", `#!/bin/sh\ntouch ${bench.folder}/ran\necho 9.9\n`);
  const { chmodSync, existsSync } = await import("node:fs");
  chmodSync(join(bench.folder, "bin/asked"), 0o755);
  bench.write(
    ".tools/odd.tool",
    "Odd.\n\n@title Odd\n@name odd\n@wrapped run_command\n@command asked\n@requires asked >= 3\n",
  );
  const environment = { PATH: `${bench.folder}/bin:${bench.program.environment["PATH"]}` };
  const runs = await Promise.all(
    [["explain", "odd"], ["show", "odd"], ["list"], ["doctor"], ["check"], ["schema", "odd"], ["odd", "--help"]].map(
      (words) => runLine(bench, words, { environment }),
    ),
  );
  assert.equal(
    runs.map((run) => run.exitCode),
    [0, 0, 0, 0, 0, 0, 0],
  );
  assert.is(existsSync(join(bench.folder, "ran")), false);
  await runLine(bench, ["odd"], { environment });
  assert.is(existsSync(join(bench.folder, "ran")), true);
});

test("a hostile definition cannot write to the terminal", async () => {
  using bench = testProject({
    ".tools/evil.tool":
      "Say \u001b[2J\u202e hello.\n\n@title \u001b]0;x\u0007\n@name evil\n@wrapped run_command\n@command echo {a}\n@param a {string} [required, pattern=/\u009b|x/] \u001b[31m\n@requires nosuch\u001b[1m\n",
  });
  const runs = await Promise.all(
    [
      ["list"],
      ["show", "evil"],
      ["evil", "--help"],
      ["evil", "y"],
      ["check"],
      ["doctor"],
      ["explain", "evil", "x"],
      ["__complete", "0", "ev"],
    ].map((words) => runLine(bench, words)),
  );
  for (const { stdout, stderr } of runs)
    assert.is(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/.test(stdout + stderr), false, stdout + stderr);
});

test("explain-code gives its page as JSON", async () => {
  using bench = testProject();
  const [page, all] = await Promise.all([
    runLine(bench, ["explain-code", "needs-shell", "--json"]),
    runLine(bench, ["explain-code", "--json"]),
  ]);
  const { code, title, bad, good } = JSON.parse(page.stdout);
  assert.equal(
    [code, typeof title, bad.includes("@command"), good.includes("@shell")],
    ["needs-shell", "string", true, true],
  );
  assert.ok(JSON.parse(all.stdout).codes.includes("needs-shell"));
});

test("test runs the tests of one's own definitions, and of all tools when asked", async () => {
  using bench = testProject();
  const none = await runLine(bench, ["test"]);
  assert.equal(none, {
    stdout: "",
    stderr: "there are no definitions of your own here; `dottool test --all` runs the tests of all tools\n",
    exitCode: 0,
  });
  bench.write(
    ".tools/mine.tool",
    "Read.\n\n@name mine\n@title X\n@wrapped run_command\n@command true\n@test works\n    with {}\n    expect exit-code 0\n",
  );
  const [own, wrong, help] = await Promise.all(
    [["test"], ["test", "mine", "--all"], ["test", "--help"]].map((words) => runLine(bench, words)),
  );
  assert.is(own?.stdout, "passed   mine: works\n\n1 passed, 0 failed\n");
  assert.is(wrong?.exitCode, 64);
  assert.ok(help?.stdout.includes("--all"));
});

test("a name that is no tool is not offered as its own correction", async () => {
  using bench = testProject();
  assert.is(
    (await runLine(bench, ["call", "check"])).stderr.split("\n", 1)[0],
    "failed[unknown-tool]: there is no tool `check`",
  );
});

test("a folder that is named and not there is said on standard error, once", async () => {
  using bench = testProject();
  const warning = "warning[unreadable-file]: `nowhere` cannot be read: it does not exist, or is a dangling link\n";
  const [call, list, check, complete] = await Promise.all(
    [["date_time", "--help"], ["list"], ["check"], ["__complete", "0", "li"]].map((words) =>
      runLine(bench, ["--tools", "nowhere", ...words]),
    ),
  );
  assert.ok(call?.stderr.startsWith(warning), call?.stderr);
  assert.equal([list?.stderr, list?.exitCode, check?.stderr, complete?.stderr], [warning, 0, "", ""]);
});

test.run();
