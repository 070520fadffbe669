// Secrets on a command line: whatever is wrong with the words, none of them comes back.
import { assert, suite } from "../harness.ts";
import { toolBench } from "../tool-bench.ts";

const test = suite("cli secrets");

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
  const bench = toolBench({ ".tools/login.tool": login });
  const lines: readonly (readonly [exitCode: number, words: readonly string[]])[] = [
    [0, ["login", "--token", "SECRET1", "--user", "ana"]],
    [3, ["--result", "json", "login", "--token", "SECRET1", "--user", "ana", "--code", "3"]],
    [0, ["--result", "model", "login", "--token", "SECRET1", "--user", "ana"]],
    [64, ["login", "--token", "SECRET1!", "--user", "ana"]],
    [64, ["--result", "json", "login", "--tken=SECRET1"]],
    [64, ["--result", "json", "login", "--password", "SECRET1"]],
    [64, ["login", "SECRET1"]],
    [64, ["login", "--json", "{\"token\": SECRET1}"]],
    [0, ["explain", "--json", "login", "--token", "SECRET1", "--user", "ana"]],
    [64, ["explain", "login", "--token", "SECRET1!", "--user", "ana"]],
  ];
  try {
    const seen = await Promise.all(lines.map(async ([, words]) => Object.values(await bench.run(words))));
    assert.equal(seen.map(([out, errors, exitCode]) => [exitCode, `${out}${errors}`.includes("SECRET1")]), lines.map(([exitCode]) => [exitCode, false]));
    assert.equal(seen[0], ["out •••\n", "err •••\n", 0]);
    const { stderr, exitCode } = await bench.run(["login", "--user", "ana"], { environment: { LOGIN_TOKEN: "SECRET1!" } });
    assert.equal([exitCode, stderr], [64, "failed[invalid-arguments]: `login` cannot use these arguments\n  token  expected text that fits /[A-Z0-9]+/, got •••\n  = call it like this: dottool login --token '•••' --user ana\n  = the value of `token` is a placeholder; put your own there\n"]);
  } finally {
    bench.remove();
  }
});

test("a secret of the wrapped tool is one of the tool that passes it on, under its name or another", async () => {
  const head = "Log in as Ana.\n\n@title Log In\n@wrapped login\n@with user = ana\n";
  const bench = toolBench({ ".tools/login.tool": login, ".tools/passed.tool": `${head}@name passed\n@param token {string} [required] The token\n`, ".tools/placed.tool": `${head}@name placed\n@with token = A{key}\n@param key {string} [required] The token\n` });
  try {
    const lines = [["passed", "SECRET1"], ["placed", "SECRET1"], ["--result", "json", "placed", "SECRET1"], ["explain", "placed", "SECRET1"], ["explain", "--json", "passed", "SECRET1"], ["passed", "SECRET1!"]];
    const seen = await Promise.all(lines.map(async (words) => bench.run(words)));
    assert.equal(seen.map(({ stdout, stderr }) => /SECRET1/.test(stdout + stderr)), lines.map(() => false));
    assert.equal([seen[0]?.stdout, seen[1]?.stdout], ["out •••\n", "out A•••\n"]);
  } finally {
    bench.remove();
  }
});

test("hidden parameters are suggested to nobody", async () => {
  const bench = toolBench();
  try {
    const { stderr } = await bench.run(["run_command", "--command", "ls", "--netwrk", "no"]);
    assert.is(stderr.includes("network"), false);
  } finally {
    bench.remove();
  }
});

test.run();
