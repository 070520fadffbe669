// Trust answers for calls over MCP, where the client asks its own person; it does not answer for what a definition
// leaves to its caller. `@confirm` asks always.
import { rmSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type OpenedFixture, type PolicyFixture, withPolicy } from "./policy-fixture.ts";

const test = suite("what trust answers for");

const script =
  "@wrapped run_command\n@shell sh\n@script\n    printf '%s\\n' {line} >> marks.txt\n@param line {string} [required] What to write";
const wrap = "@wrapped run_command\n@command";
const tools = {
  mark: script,
  steps: "@param line {string} [required] L\n@step one uses mark\n    line = {line}",
  alias: "@wrapped mark",
  words: `${wrap} echo {words}\n@param words {array<string>} W`,
  note: "@wrapped write_file\n@with file_path = note.txt",
  sql: `${wrap} echo {sql}\n@param sql {code} [required] SQL`,
  any_command: "@wrapped run_command",
  any_file: "@wrapped write_file\n@with content = x",
  st: "@param file {path} [required] F\n@param text {string} [required] T\n@step w uses write_file\n    file_path = {file}\n    content = {text}",
  over_st: "@wrapped st",
  ed: '@param file {path} [required] F\n@step w uses edit_file\n    file_path = {file}\n    edits = [{"search": "a", "replace": "b"}]',
  held_st: "@param text {string} [required] T\n@step w uses write_file\n    file_path = held.txt\n    content = {text}",
  half: "@wrapped write_file\n@with file_path = {name}.txt\n@with content = x\n@param name {string} [required] N",
  git: `${wrap} git {args}\n@param args {array<string>} [required] A`,
  piped_git:
    "@wrapped run_command\n@shell sh\n@command git {word} | head\n@param word {string} [required, pattern=/[a-z-]+/] W\n@tags read run",
  falls_to_git:
    "@wrapped run_command\n@shell sh\n@command echo {word} && false\n@fallback git {word} | head\n@param word {string} [required, pattern=/[a-z-]+/] W\n@tags read run",
  falls_to_st:
    "@param file {path} [required] F\n@step one sh [fallback]\n    exit 1\n    fallback: uses write_file\n        file_path = {file}\n        content = x",
  runs_file: `${wrap} sh {file}\n@param file {path} [required] F`,
  careful: `${script}\n@confirm Write it down?`,
  plain_careful: `${script}\n@confirm`,
  above_careful: "@param line {string} [required] L\n@step one uses careful\n    line = {line}",
};

const calls: readonly (readonly [name: string, args?: Record<string, string | string[]>])[] = [
  ["mark", { line: "x" }],
  ["steps", { line: "x" }],
  ["alias", { line: "x" }],
  ["words", { words: ["one", "two"] }],
  ["note", { content: "x" }],
  ["held_st", { text: "x" }],
  ["words", { words: ["-n", "two"] }],
  ["st", { file: "out.txt", text: "x" }],
  ["over_st", { file: "out.txt", text: "x" }],
  ["ed", { file: "out.txt" }],
  ["half", { name: "x" }],
  ["sql", { sql: "select 1" }],
  ["any_command", { command: "echo x" }],
  ["any_file", { file_path: "other.txt" }],
  ["git", { args: ["status"] }],
  ["piped_git", { word: "gc" }],
  ["falls_to_git", { word: "gc" }],
  ["falls_to_st", { file: "out.txt" }],
  ["runs_file", { file: "x.sh" }],
  ["careful", { line: "x" }],
  ["plain_careful", { line: "x" }],
  ["above_careful", { line: "x" }],
  ["run_command", { command: "echo x" }],
  ["write_file", { file_path: "a.txt", content: "x" }],
  ["Write", { file_path: "a.txt", content: "x" }],
];

function withTrust(body: (bench: PolicyFixture) => Promise<void>): Promise<void> {
  return withPolicy(tools, (bench) => {
    delete process.env["MCP_APPROVAL"];
    return body(bench);
  });
}

/** Returns the calls that are not asked about, by number. */
async function unasked(opened: OpenedFixture, bench: PolicyFixture): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, args] of calls) {
    const before = bench.asked.length;
    await opened.headline(name, args);
    if (bench.asked.length === before) found.push(`${name} ${Object.values(args ?? {}).flat()[0] ?? ""}`);
  }
  return found;
}

test("a trusted definition runs over MCP, except what it leaves to the caller; `exec` and `agent` ask", () =>
  withTrust(async (bench) => {
    assert.equal(await unasked(await bench.open("mcp"), bench), [
      "mark x",
      "steps x",
      "alias x",
      "words one",
      "note x",
      "held_st x",
    ]);
    for (const caller of ["exec", "agent"] as const) assert.equal(await unasked(await bench.open(caller), bench), []);
  }));

test("`mcp: {approval: ask}` asks about all of them, and so does a value that is neither", () =>
  withTrust(async (bench) => {
    for (const text of ["mcp:\n  approval: ask\n", "mcp: {approval: aks}\n", "mcp:\n  aproval: trusted\n"]) {
      bench.rules(text);
      assert.equal(await unasked(await bench.open("mcp"), bench), [], text);
    }
    bench.rules("mcp:\n  approval: trusted\n");
    assert.is((await unasked(await bench.open("mcp"), bench)).length, 6);
  }));

test("a tool of the user's own that runs files of the project is asked about, also if it says that it reads", () =>
  withTrust(async (bench) => {
    bench.write(
      "../config/dottool/tools/lint.tool",
      `Do it.\n\n@title L\n@name lint\n${wrap} make -s lint\n@tags read\n`,
    );
    for (const caller of ["mcp", "exec", "agent"] as const) {
      rmSync(`${bench.folder}/Makefile`, { force: true });
      await (await bench.open(caller)).headline("lint");
      assert.is(bench.asked.length, 0);
      bench.write("Makefile", "lint:\n\t@touch ran\n");
      await (await bench.open(caller)).headline("lint");
      assert.equal([bench.asked.length, bench.read("ran")], [1, undefined]);
      bench.asked.length = 0;
    }
  }));

test("a tool of the user's own that imports modules of the project is asked about", () =>
  withTrust(async (bench) => {
    const commands = {
      imports: "python3 -c 'import app'",
      isolated: "python3 -I -c 'import app'",
      shadowed: "python3 -c 'import json; print(json.dumps(1))'",
      required: `node -e 'require("./tasks")'`,
      installed: `node -e 'import("left-pad")'`,
      printed: "python3 -c 'print(1)'",
      plain: `node -e 'console.log(require("fs").constants.R_OK)'`,
    };
    const names = Object.keys(commands);
    for (const [name, command] of Object.entries(commands)) {
      const text = `Do it.\n\n@title ${name}\n@name ${name}\n${wrap} ${command}\n@tags read\n`;
      bench.write(`../config/dottool/tools/${name}.tool`, text);
    }
    const asked = async (): Promise<readonly string[]> => {
      const opened = await bench.open("mcp");
      const found: string[] = [];
      for (const name of names) {
        const before = bench.asked.length;
        await opened.headline(name);
        if (bench.asked.length > before) found.push(name);
      }
      return found;
    };
    assert.equal(await asked(), []);
    bench.write("tasks.js", "");
    bench.write("node_modules/left-pad/package.json", "{}");
    assert.equal(await asked(), ["required", "installed"]);
    // Modules of the standard library import this one.
    bench.write("re.py", "");
    assert.equal(await asked(), ["imports", "shadowed", "required", "installed"]);
  }));

test("rules that ask or deny come first, and so do guarded files", () =>
  withTrust(async (bench) => {
    bench.rules("policy:\n  - {decision: deny, tool: mark, reason: not today}\n  - {decision: ask, tool: words}\n");
    const opened = await bench.open("mcp");
    const said = [await opened.headline("mark", { line: "x" }), await opened.headline("alias", { line: "x" })];
    assert.equal(said, ["failed[denied]: policy denies `mark`", "failed[denied]: policy denies `alias`"]);
    await opened.headline("words", { words: ["one"] });
    assert.is(bench.asked.length, 1);
    bench.rules("");
    await (await bench.open("mcp")).headline("words", { words: [".git/config"] });
    assert.is(bench.asked.length, 2);
  }));

test("`@confirm` asks before each call of a model, with its words, and no answer lasts", () =>
  withTrust(async (bench) => {
    for (const caller of ["mcp", "exec", "agent"] as const) {
      const opened = await bench.open(caller);
      bench.asked.length = 0;
      bench.answers.push("always", "always", "always");
      for (let count = 0; count < 2; count++) assert.is(await opened.headline("careful", { line: caller }), "ok");
      // A step is not asked about twice.
      assert.is(await opened.headline("above_careful", { line: caller }), "ok");
      assert.is(bench.asked.length, 3);
      const verdict = bench.asked[2]?.verdict;
      assert.equal(verdict?.question?.scope, "call");
      assert.ok(
        verdict?.matched.some(({ name, reason }) => name === "the author of `careful`" && reason === "Write it down?"),
      );
      await opened.headline("plain_careful", { line: caller });
      const plain = bench.asked[3]?.verdict.matched.map(({ reason }) => reason);
      assert.ok(plain?.includes("its author wants each call to be confirmed"));
    }
    assert.is(bench.read("marks.txt"), "mcp\nmcp\nmcp\nexec\nexec\nexec\nagent\nagent\nagent\n");
  }));

test("`@confirm` asks a person, whose script says yes beforehand, and no program", () =>
  withTrust(async (bench) => {
    const person = await bench.open("person", { isConfirmed: true });
    assert.is(await person.headline("careful", { line: "script" }), "ok");
    assert.is(await (await bench.open("program")).headline("careful", { line: "program" }), "ok");
    assert.is(bench.asked.length, 0);
    const atTerminal = await bench.open("person", { isAtTerminal: true });
    assert.match(await atTerminal.headline("careful", { line: "denied" }), /^failed\[denied\]: /);
    bench.answers.push("once");
    assert.is(await atTerminal.headline("careful", { line: "agreed" }), "ok");
    assert.equal([bench.asked.length, bench.read("marks.txt")], [2, "script\nprogram\nagreed\n"]);
  }));

test.run();
