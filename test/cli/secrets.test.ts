// Secrets on a command line: whatever is wrong with the words, no message repeats one, and none is a word of a process,
// which every user can see.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { hasProgram, needPrograms } from "../programs-needed.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("cli secrets");
const runLine = startingOnce();

const login = `Log in.

@title Log In
@name login
@wrapped run_command
@shell sh
@command printf 'out %s\\n' {token}; printf 'err %s\\n' {token} >&2; exit {code}
@param token {string} [required, secret, env=LOGIN_TOKEN, pattern=/[A-Z0-9]+/] The token
@param user {string} [required] The user
@param code {integer} [default=0] Exit code
`;

test("no run of a tool with a secret shows it", async () => {
  using bench = testProject({ ".tools/login.tool": login });
  const lines: readonly (readonly [exitCode: number, words: readonly string[]])[] = [
    [0, ["login", "--token", "SECRET1", "--user", "ana"]],
    [3, ["--result", "json", "login", "--token", "SECRET1", "--user", "ana", "--code", "3"]],
    [0, ["--result", "model", "login", "--token", "SECRET1", "--user", "ana"]],
    [64, ["login", "--token", "SECRET1!", "--user", "ana"]],
    [64, ["--result", "json", "login", "--tken=SECRET1"]],
    [64, ["--result", "json", "login", "--password", "SECRET1"]],
    [64, ["login", "SECRET1"]],
    [64, ["login", "--json", '{"token": SECRET1}']],
    [0, ["explain", "--json", "login", "--token", "SECRET1", "--user", "ana"]],
    [64, ["explain", "login", "--token", "SECRET1!", "--user", "ana"]],
  ];
  const seen = await Promise.all(lines.map(async ([, words]) => Object.values(await runLine(bench, words))));
  assert.equal(
    seen.map(([out, errors, exitCode]) => [exitCode, `${out}${errors}`.includes("SECRET1")]),
    lines.map(([exitCode]) => [exitCode, false]),
  );
  assert.equal(seen[0], ["out •••\n", "err •••\n", 0]);
  const { stderr, exitCode } = await runLine(bench, ["login", "--user", "ana"], {
    environment: { LOGIN_TOKEN: "SECRET1!" },
  });
  assert.equal(
    [exitCode, stderr],
    [
      64,
      "failed[invalid-arguments]: `login` does not accept these arguments\n  token  expected text that matches /[A-Z0-9]+/, got •••\n  = call it like this: dottool login ana --token='<token>'\n  = the value of `token` is a placeholder; replace it with yours\n",
    ],
  );
});

test("a secret of the wrapped tool is one of the tool that passes it on, under its name or another", async () => {
  const head = "Log in as Ana.\n\n@title Log In\n@wrapped login\n@with user = ana\n";
  using bench = testProject({
    ".tools/login.tool": login,
    ".tools/passed.tool": `${head}@name passed\n@param token {string} [required] The token\n`,
    ".tools/placed.tool": `${head}@name placed\n@with token = A{key}\n@param key {string} [required] The token\n`,
  });
  const lines = [
    ["passed", "SECRET1"],
    ["placed", "SECRET1"],
    ["--result", "json", "placed", "SECRET1"],
    ["explain", "placed", "SECRET1"],
    ["explain", "--json", "passed", "SECRET1"],
    ["passed", "SECRET1!"],
  ];
  const seen = await Promise.all(lines.map(async (words) => runLine(bench, words)));
  assert.equal(
    seen.map(({ stdout, stderr }) => /SECRET1/.test(stdout + stderr)),
    lines.map(() => false),
  );
  assert.equal([seen[0]?.stdout, seen[1]?.stdout], ["out •••\n", "out A•••\n"]);
});

test("a tool that gets all variables gets no secret of them but those that it names, and `explain` says how", async () => {
  const shows = (name: string, more: string): string =>
    `Show it.\n\n@title Show\n@name ${name}\n@wrapped run_command\n@command env\n@env-inherit yes\n${more}`;
  using bench = testProject({
    ".tools/all.tool": shows("all", ""),
    ".tools/one.tool": shows("one", "@env GH_TOKEN=secret:GH_TOKEN\n"),
  });
  const environment = { GH_TOKEN: "canary-one", DB: "postgres://ana:canary-two@db", EDITOR: "vi" };
  const [all, one, explained] = await Promise.all(
    [["all"], ["one"], ["explain", "all"]].map((words) => runLine(bench, words, { environment })),
  );
  const linesOf = (text = ""): readonly string[] =>
    text
      .split("\n")
      .filter((line) => /^(GH_TOKEN|DB|EDITOR)=/.test(line))
      .sort();
  assert.equal([linesOf(all?.stdout), linesOf(one?.stdout)], [["EDITOR=vi"], ["EDITOR=vi", "GH_TOKEN=•••"]]);
  assert.match(
    (explained?.stdout ?? "").replaceAll(/\s+/g, " "),
    / environment from your environment: .*EDITOR .*; secrets are passed only with a line such as `@env DB=secret:DB`: DB GH_TOKEN /,
  );
});

if (process.platform === "linux")
  test("what a model's call starts finds no variable in what /proc tells of `dottool exec`", async () => {
    const spy =
      "Spy.\n\n@title Spy\n@name spy\n@wrapped run_command\n@shell sh\n@command tr '\\0' '\\n' < /proc/$PPID/environ; echo seen\n";
    using bench = testProject({ ".tools/spy.tool": spy });
    const environment = { ORDINARY: "canary" };
    const hash = (await runLine(bench, ["allow", "spy", "--for", "exec", "--show"])).stdout.trim();
    await runLine(bench, ["allow", "spy", "--for", "exec", "--hash", hash]);
    const { stdout } = await runLine(bench, ["exec"], {
      environment,
      stdin: '<tool>{"server_name":"local","tool_name":"spy","arguments":{}}</tool>',
    });
    assert.equal([stdout.includes("seen"), stdout.includes("canary")], [true, false]);
  });

test("hidden parameters are suggested to nobody", async () => {
  using bench = testProject();
  const { stderr } = await runLine(bench, ["run_command", "--command", "ls", "--netwrk", "no"]);
  assert.is(stderr.includes("network"), false);
});

test("a script's secret is in no word of a process, and in no environment of what it starts", async () => {
  const script = (name: string, shell: string, before: string): string => `See.

@title See
@name ${name}
@wrapped run_command
@shell ${shell}
@script
    ${before}
    ps -eo args > ${name}.words
    env > ${name}.environment
    printf '%s|' {token} "a {token} b" 'c {token} d' {parts} {other} > ${name}.values
@param token {string} [required, secret] The token
@param parts {array<string>} [required, secret, flag="--part={value}"] More of them
@param other {string} [required] No secret
`;
  using bench = testProject({
    ".tools/in_sh.tool": script("in_sh", "sh", ":"),
    ".tools/in_bash.tool": script("in_bash", "bash", "set -u; f() { :; }; f x"),
    ".tools/in_zsh.tool": script("in_zsh", "zsh", ":"),
  });
  for (const name of ["in_sh", "in_bash", ...(hasProgram("zsh") ? ["in_zsh"] : [])]) {
    assert.equal(
      await runLine(bench, [
        name,
        "--token",
        "SECRET1 $x'\"",
        "--parts",
        "SECRET2",
        "--parts",
        "SECRET3",
        "--other",
        "o",
      ]),
      { stdout: "", stderr: "", exitCode: 0 },
    );
    const [words = "", environment = "", values] = ["words", "environment", "values"].map((ending) =>
      readFileSync(join(bench.folder, `${name}.${ending}`), "utf8"),
    );
    // The words of the test itself, which passes secrets on a command line, do not count.
    const own = words.split("\n").filter((line) => line.includes("dottool_secret_1"));
    assert.equal([own.length > 0, /SECRET\d/.test(own.join("\n")), /SECRET\d/.test(environment)], [true, false, false]);
    assert.is(values, "SECRET1 $x'\"|a SECRET1 $x'\" b|c SECRET1 $x'\" d|--part=SECRET2|--part=SECRET3|o|");
  }
  needPrograms("zsh");
});

test.run();
