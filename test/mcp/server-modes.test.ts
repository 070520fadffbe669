// `--mode search` and `--mode code`: the same tools behind three tools, or behind one.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { connectTo, eras } from "./server-fixture.ts";

const test = suite("mcp/server modes");

const files = {
  "home/.config/dottool/config.yaml":
    "mcp:\n  approval: ask\npolicy:\n  - decision: allow\n    tool: [greet]\n    front_end: mcp\n",
  "home/.config/dottool/tools/greet.tool":
    "Greets somebody.\n@name greet\n@title Greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Who\n@tags read\n",
  "home/.config/dottool/tools/touch_it.tool":
    "Makes a file.\n@name touch_it\n@title Touch\n@wrapped run_command\n@command touch {file}\n@param file {path} [required] What\n@tags write\n",
};

type Result = { readonly content: readonly { readonly text?: string }[]; readonly isError?: boolean };
const textOf = ({ content }: Result): string => content.map(({ text }) => text).join("");

for (const era of eras) {
  test(`${era}: three tools find, describe and call the others`, async () => {
    using bench = testProject(files);
    const client = await connectTo(bench, { era, words: ["--mode", "search"] });
    const call = async (name: string, args: Record<string, unknown>): Promise<Result> =>
      (await client.callTool({ name, arguments: args })) as Result;
    try {
      assert.equal(
        (await client.listTools()).tools.map(({ name }) => name),
        ["search_tools", "describe_tool", "call_tool"],
      );
      assert.equal(
        textOf(await call("search_tools", { query: "greet" })).split("\n")[0],
        "greet: Greet. Greets somebody",
      );
      assert.equal(
        (JSON.parse(textOf(await call("describe_tool", { name: "greet" }))) as { inputSchema: unknown }).inputSchema,
        {
          type: "object",
          properties: { name: { description: "Who", type: "string" } },
          required: ["name"],
          additionalProperties: false,
        },
      );
      assert.equal(textOf(await call("call_tool", { name: "greet", arguments: { name: "Ada" } })), "hello Ada\n");
      const wrong = [
        await call("call_tool", { name: "greets" }),
        await call("describe_tool", {}),
        await call("search_tools", {}),
        await call("call_tool", { name: "greet" }),
        await call("call_tool", { name: "touch_it", arguments: { file: "a" } }),
      ];
      assert.equal(
        wrong.map(({ isError }) => isError),
        [true, true, true, true, true],
      );
      assert.equal(
        textOf(wrong[0] as Result),
        "there is no tool `greets`; did you mean `greet`?; `search_tools` finds the others",
      );
      const other = (got: string, meant = ""): string =>
        `\`call_tool\` takes \`name\` and \`arguments\`, and nothing else; got ${got}, so nothing was run${meant}`;
      const again = '\n  = call it like this: {"name":"greet","arguments":{"name":"Ada"}}';
      const rows: readonly (readonly [args: Record<string, unknown>, text: string])[] = [
        [{ name: "greet", args: { name: "Ada" } }, other("`args`", again)],
        [{ name: "greet", parameters: { name: "Ada" } }, other("`parameters`", again)],
        [{ tool: "greet", arguments: { name: "Ada" } }, other("`tool`", again)],
        [
          { name: "touch_it", file: "a" },
          other("`file`", '\n  = call it like this: {"name":"touch_it","arguments":{"file":"a"}}'),
        ],
        [{ args: {} }, other("`args`")],
      ];
      for (const [args, text] of rows) assert.equal([args, textOf(await call("call_tool", args))], [args, text]);
    } finally {
      await client.close();
    }
  });
}

test("one tool runs a program that calls the others through the gate", async () => {
  using bench = testProject(files);
  const client = await connectTo(bench, { era: "2026-07-28", words: ["--mode", "code"] });
  const run = async (code: string): Promise<Result> =>
    (await client.callTool({ name: "run_code", arguments: { code } })) as Result;
  try {
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["run_code"],
    );
    assert.ok(
      tools[0]?.description?.includes(
        "  /** Greets somebody. */\n  function greet(args: { /** Who */ name: string }): Promise<string>;",
      ),
    );
    assert.equal(
      textOf(
        await run(
          'const names: string[] = ["Ada", "Bob"]; const lines = await Promise.all(names.map((name) => tools.greet({ name }))); return lines.join("");',
        ),
      ),
      "hello Ada\nhello Bob\n",
    );
    const denied = await run(
      'try { await tools.touch_it({ file: "a" }); return "ran"; } catch (error) { return error.message; }',
    );
    assert.ok(textOf(denied).includes(`dottool --cwd ${bench.folder} allow touch_it --for mcp`), textOf(denied));
    assert.ok(textOf(await run("return await tools.greet({ nam: 1 });")).includes("nam"));
    assert.equal(
      textOf(await run('return await tools.describe("greet");')),
      "  /** Greets somebody. */\n  function greet(args: { /** Who */ name: string }): Promise<string>;",
    );
    assert.equal((await run("return process.env;")).isError, true);
  } finally {
    await client.close();
  }
});

test.run();
