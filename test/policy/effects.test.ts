import { contentOf, type ToolContent } from "../../src/core/policy/content.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type OpenedFixture, type PolicyFixture, withPolicy } from "./policy-fixture.ts";

const test = suite("what a rule about reading lets through");

const words = "@param args {array<string>} [required] Words\n@tags read";
const tools = {
  git: `@wrapped run_command\n@command git {args}\n${words}`,
  git_options: `@wrapped run_command\n@command git {args}\n${words.replace("required", "required, flags, reject=/^--exec/")}`,
  own_script: `@wrapped run_command\n@command sh run.sh {args}\n${words}`,
  saves:
    "@param code {string} [required] Text\n@step save uses write_file\n    file_path = x.sh\n    content = {code}\n" +
    "@step go runs\n    sh x.sh\n@tags read",
  search: "@wrapped run_command\n@command grep -rl -e {text} -- .\n@param text {string} [required] What\n@tags read",
};
const rules = "policy:\n  - {decision: allow, effect: [read, write]}\n";
const callers = ["mcp", "exec", "agent"] as const;

/** Each call leaves a file `ran` if it is allowed. */
const attacks: readonly (readonly [tool: keyof typeof tools, args: Record<string, string | string[]>])[] = [
  ["git", { args: ["config", "alias.x", "!touch ran"] }],
  ["git", { args: ["x"] }],
  ["git_options", { args: ["-c", "alias.y=!touch ran", "y"] }],
  ["own_script", { args: ["touch ran"] }],
  ["saves", { code: "touch ran" }],
];

async function prepared(bench: PolicyFixture): Promise<OpenedFixture> {
  bench.rules(rules);
  bench.write("run.sh", 'eval "$1"\n');
  const person = await bench.open("person");
  assert.is(await person.headline("git", { args: ["init"] }), "ok");
  return person;
}

test("a model is let through to no value that a program may run", () =>
  withPolicy(tools, async (bench) => {
    await prepared(bench);
    for (const caller of callers) {
      const opened = await bench.open(caller);
      const said: string[] = [];
      for (const [tool, args] of attacks) said.push((await opened.headline(tool, args)).split("]")[0] ?? "");
      assert.equal(
        said,
        attacks.map(() => "failed[denied"),
      );
      assert.equal([bench.read("ran"), bench.read("x.sh")], [undefined, undefined]);
    }
  }));

test("each of these calls does it when a person makes it", () =>
  withPolicy(tools, async (bench) => {
    const person = await prepared(bench);
    const ran: string[] = [];
    for (const [tool, args] of attacks) {
      await person.headline(tool, args);
      if (bench.read("ran") !== undefined) ran.push(tool);
      await person.headline("own_script", { args: ["rm -f ran"] });
    }
    assert.equal(ran, ["git", "git_options", "own_script", "saves"]);
  }));

test("a value that is data for its program is let through", () =>
  withPolicy(tools, async (bench) => {
    await prepared(bench);
    for (const caller of callers) {
      assert.is(await (await bench.open(caller)).headline("search", { text: "eval" }), "ok");
    }
  }));

test("a yes for always covers other values too", () =>
  withPolicy(tools, async (bench) => {
    await prepared(bench);
    bench.answers.push("always");
    const opened = await bench.open("mcp");
    const said = [await opened.headline("git", { args: ["status"] }), await opened.headline("git", { args: ["log"] })];
    const again = await (await bench.open("mcp")).headline("git", { args: ["status"] });
    assert.equal([said[0], again, bench.asked.length], ["ok", "ok", 1]);
  }));

test("what dottool finds out about a command is no change of its definition", () =>
  withPolicy(tools, async (bench) => {
    const { session } = await bench.open("mcp");
    const tool = await session.registry.resolve("git");
    if (tool?.definition.kind !== "wrapped") throw new Error("`git` is a wrap");
    const commands = tool.definition.commands.map(({ command }) => {
      if (command.kind !== "direct" || !command.mayRun) throw new Error("its command may run a value");
      return { command: { kind: command.kind, words: command.words } };
    });
    const before: Tool = { ...tool, definition: { ...tool.definition, commands } };
    const contentWith = (one: Tool): ToolContent =>
      contentOf(
        { call: { id: "1", tool: "git", arguments: {} }, tool: one, arguments: {} },
        { host: session.host, cwd: bench.folder },
      );
    assert.equal(contentWith(before), contentWith(tool));
  }));

test.run();
