// `{code}`: a value that is a program on purpose. It arrives as it was given, a model is asked about for each value,
// and
// "always" is for this value alone.
import { assert } from "../harness.ts";
import { sideBySide } from "../side-by-side.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";

const test = sideBySide("program text");
const startLine = startingOnce();

const tool = (name: string, lines: string): string =>
  `Does ${name}.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n${lines}\n`;
const tools = {
  "tools/query.tool": tool("query", "@tags read\n@command sqlite3 :memory: {sql}\n@param sql {code} [required] SQL"),
  "tools/script.tool": tool(
    "script",
    "@command sh -c {script} sh {word}\n@param script {code} [required] For sh\n@param word {string} [required] Its $1",
  ),
  "tools/evaluate.tool": tool(
    "evaluate",
    "@shell sh\n@command x=1; eval {script}\n@param script {code} [required] For sh",
  ),
  "tools/fed.tool": tool("fed", "@command sh\n@stdin {script}\n@param script {code} [required] For sh"),
  "tools/launch.tool": tool("launch", "@command env A=1 {command}\n@param command {array<code>} [required] Words"),
  "tools/any.tool": tool("any", "@command {command}\n@param command {array<code>} [required] Words"),
};

const reply = (name: string, args: unknown): string =>
  `<tool>{"server_name":"local","tool_name":"${name}","arguments":${JSON.stringify(args)}}</tool>\n`;

async function asModel(bench: TestProject, name: string, args: unknown): Promise<string> {
  const { stdout, stderr } = await startLine(bench, ["--tools=tools", "exec"], { stdin: reply(name, args) });
  return stdout + stderr;
}

test("a person's value runs as the program that it is, unchanged", async () => {
  using bench = testProject(tools);
  const odd = 'printf \'%s\\n\' "a\'b" "$(printf c)" \'{word}\' "$1"';
  const rows: readonly (readonly [words: readonly string[], expected: string])[] = [
    [["query", "--sql", "select 'a' || 'b''c' || char(36)"], "ab'c$\n"],
    [["script", "--script", odd, "--word", "$(echo no)"], "a'b\nc\n{word}\n$(echo no)\n"],
    [["evaluate", "--script", 'echo "$x"'], "1\n"],
    [["fed", "--script", "echo fed; exit 3"], "fed\n"],
    [["call", "launch", "--json", '{"command":["sh","-c","echo $A $1","-","-x"]}'], "1 -x\n"],
    [["call", "any", "--json", '{"command":["printf","%s\\n","-a","b c"]}'], "-a\nb c\n"],
  ];
  for (const [words, expected] of rows) {
    const { stdout, stderr } = await startLine(bench, ["--tools=tools", ...words]);
    assert.is(stdout, expected, `${words.join(" ")}: ${stderr}`);
  }
  const none = await startLine(bench, ["--tools=tools", "call", "any", "--json", '{"command":[]}']);
  assert.is(none.exitCode, 64, none.stderr);
  assert.match(none.stderr, "expected at least 1 item, got 0");
});

test("a model is asked about for each value, and the question shows the program", async () => {
  using bench = testProject(tools);
  const first = { sql: "select 1" };
  assert.match(await asModel(bench, "query", first), /failed\[denied\]: `query` was not approved/);
  const allow = ["--tools=tools", "allow", "query", "--for", "exec", "--arguments", JSON.stringify(first)];
  const { stdout: hash, stderr } = await startLine(bench, [...allow, "--show"]);
  const { stdout, stderr: told } = await startLine(bench, [...allow, "--hash", hash.trim()]);
  assert.match(stdout + stderr + told, /program text *(?:│|:)? *sql: select 1/);
  assert.match(await asModel(bench, "query", first), "1");
  assert.match(await asModel(bench, "query", { sql: "select 2" }), /was not approved/);
});

test("a rule matches the program, and the effect is `run` whatever the tags say", async () => {
  const rules =
    'policy:\n  - {decision: allow, tool: query, arguments: {sql: "select *"}}\n  - {decision: deny, tool: query, arguments: {sql: {regex: ".*drop.*"}}}\n';
  using bench = testProject({ ...tools, "home/.config/dottool/config.yaml": rules });
  assert.match(await asModel(bench, "query", { sql: "select 40 + 2" }), "42");
  assert.match(await asModel(bench, "query", { sql: "select 1; drop table x" }), /denied/);
  assert.match(await asModel(bench, "query", { sql: "values (1)" }), /was not approved/);
  const { stdout } = await startLine(bench, ["--tools=tools", "show", "query", "--json"]);
  const shown = JSON.parse(stdout) as { readonly effects: unknown; readonly mayRun: readonly string[] };
  assert.equal(shown.effects, ["read", "run"]);
  assert.equal(shown.mayRun, ["`{sql}` is a program that the caller writes"]);
  const explained = await startLine(bench, ["--tools=tools", "explain", "query", "--sql", "select 1"]);
  assert.match(explained.stdout, "`{sql}` is a program that the caller writes");
  bench.write("project/.tools/query.tool", tools["tools/query.tool"]);
  const reviewed = await bench.run(["trust", "--show"], { cwd: "project" });
  assert.match(reviewed.stdout, "`{sql}` is a program that the caller writes");
  const schema = await startLine(bench, ["--tools=tools", "schema", "query"]);
  assert.match(schema.stdout, "SQL (a program: it runs as it is given)");
});

test("a value in backquotes stays refused, and the help line for the other places leads to acceptance", async () => {
  const lines = (type: string): string => `@command sh -c {script}\n@param script {${type}} [required] For sh`;
  using bench = testProject({
    "refused/quoted.tool": tool(
      "quoted",
      "@shell sh\n@command echo `{script}`\n@param script {code} [required] For sh",
    ),
    "refused/plain.tool": tool("plain", lines("string")),
  });
  const { stdout, stderr } = await bench.run(["--tools", "refused", "check"]);
  assert.match(stdout + stderr, "inside backquotes");
  const type = /declare `script` as `\{([^}]+)\}`/.exec(stdout + stderr)?.[1] ?? "";
  bench.write("followed/plain.tool", tool("plain", lines(type)));
  assert.is((await bench.run(["--tools", "followed", "check"])).exitCode, 0);
  assert.is((await bench.run(["--tools", "followed", "plain", "--script", "echo it ran"])).stdout, "it ran\n");
});

test("no value of another type becomes a part of a program below, and a whole program is passed on", async () => {
  using bench = testProject({
    "tools/below.tool":
      "Runs.\n\n@title Below\n@name below\n@wrapped run_command\n@command sh -c {prog}\n@param prog {code} [required] A program\n",
  });
  const head = (name: string): string => `Runs.\n\n@title ${name}\n@name ${name}\n`;
  const rows: Readonly<Record<string, readonly [text: string, accepted: boolean]>> = {
    step: ["@param p {string} [required] P\n@step w uses below\n    prog = {p}\n", false],
    preset: ["@wrapped below\n@with prog = touch {p}\n@param p {string} [required] P\n", false],
    spliced: ["@wrapped below\n@with prog = touch {p}\n@param p {code} [required] P\n", false],
    same: ["@wrapped below\n@param prog {string} [required] P\n", false],
    whole: ["@wrapped below\n@with prog = {p}\n@param p {code} [required] P\n", true],
    named: ["@wrapped below\n@param prog {code} [required] P\n", true],
    chosen: ['@wrapped below\n@with prog = echo {p}\n@param p {"a"|"b"} [required] P\n', true],
    counted: ["@wrapped below\n@with prog = echo {p}\n@param p {integer} [required] P\n", true],
    output: ["@step made runs\n    echo true\n@step w uses below\n    prog = {made.stdout}\n", true],
  };
  for (const [name, [text, isAccepted]] of Object.entries(rows)) {
    bench.write("tools/above.tool", head("above") + text);
    const { stdout, exitCode } = await startLine(bench, ["--tools=tools", "check", "tools/above.tool"]);
    assert.equal([exitCode, /program text/.test(stdout)], isAccepted ? [0, false] : [65, true], `${name} ${stdout}`);
  }
});

test.run();
