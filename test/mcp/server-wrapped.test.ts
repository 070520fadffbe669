// Tools of an MCP server that dottool serves again: a client gets from them what the server itself would send.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { startingOnce, testProject } from "../test-project.ts";
import { results } from "./client-servers/passing.ts";
import { connectTo, eras, progressTold } from "./server-fixture.ts";

const test = suite("mcp/server-wrapped");

const server = fileURLToPath(new URL("./client-servers/passing.ts", import.meta.url));
const words = "Deno" in globalThis ? ["run", "-A", server] : [server];
const folder = "home/.config/dottool";
const config = `mcp_servers:\n  it:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify(words)}\npolicy:\n  - { decision: allow, tool: "*" }\n`;

test("a wrapped tool of an MCP server gives what the server gives: texts, structured content, links, progress", async () => {
  using bench = testProject({
    [`${folder}/config.yaml`]: config,
    ...Object.fromEntries(
      Object.keys(results).map((name) => [
        `${folder}/tools/${name}.tool`,
        `@name my_${name}\n@wrapped mcp:it/${name}\n`,
      ]),
    ),
  });
  const pinned = await startingOnce()(bench, ["pin", "it"]);
  assert.equal([pinned.exitCode, pinned.stderr], [0, ""]);
  for (const era of eras) {
    const client = await connectTo(bench, { era });
    try {
      const { tools } = await client.listTools();
      assert.equal(
        tools.flatMap(({ name, outputSchema }) => (outputSchema && name.startsWith("my_") ? [name] : [])),
        ["my_same", "my_words"],
      );
      for (const [name, result] of Object.entries(results)) {
        const progress = progressTold(client);
        const given = await client.callTool({ name: `my_${name}` }, { onprogress: () => undefined });
        const { content, structuredContent, isError } = given;
        assert.equal([name, { content, structuredContent, isError }], [name, expected(name, result)]);
        if (name === "slow")
          assert.equal(progress, [
            { progress: 1, total: 3 },
            { progress: 2, total: 3, message: "half" },
            { progress: 3, total: 3 },
          ]);
      }
    } finally {
      await client.close();
    }
  }
});

/** A failure has a line of ours, and an empty text is left out, because some APIs refuse it. */
function expected(name: string, result: object): object {
  const all = { content: [], structuredContent: undefined, isError: undefined, ...result };
  if (name === "silent") return { ...all, content: [] };
  if (name !== "fails") return all;
  const text = "failed[rejected]: `fails` of the MCP server `it` reports a failure";
  return { ...all, content: [...all.content, { type: "text", text }] };
}

test("a tool of an MCP server is exported under a name that APIs take, called by it, and shown as what it is", async () => {
  using bench = testProject({ [`${folder}/config.yaml`]: config });
  const runLine = startingOnce();
  assert.match(
    (await runLine(bench, ["show", "mcp:it/words"])).stdout,
    /is not pinned\s+yet;\s+run:\s+dottool\s+pin\s+it\/words/,
  );
  await runLine(bench, ["pin", "it"]);
  const shown = (await runLine(bench, ["show", "mcp:it/words"])).stdout;
  assert.match(shown, /^mcp:it\/words: words\n\nGives words\n\ndefined in {2}the MCP server `it`\n/);
  const other = await runLine(bench, ["show", "mcp:it"]);
  assert.equal(
    [other.exitCode, other.stderr.split("\n").slice(-2)],
    [66, ["  = a tool of an MCP server is `mcp:SERVER/TOOL`; `dottool pin SERVER` lists the tools of a server", ""]],
  );
  for (const dialect of ["openai", "anthropic", "gemini", "mcp"]) {
    const { stdout } = await runLine(bench, ["schema", "--for", dialect, "mcp:it/words"]);
    assert.equal([dialect, /"name": "(.+)"/.exec(stdout)?.[1]], [dialect, "mcp__it__words"]);
  }
  const reply = (name: string): string => JSON.stringify({ type: "tool_use", id: "t", name, input: {} });
  const called = await runLine(bench, ["exec"], { stdin: reply("mcp__it__words") });
  assert.match(called.stdout, /"content": "21 degrees in Bonn\\n/);
  const unknown = await runLine(bench, ["exec"], { stdin: reply("mcp__other__list_dir") });
  assert.match(
    unknown.stdout,
    /failed\[unknown-tool\]: there is no tool `mcp__other__list_dir`; did you mean `list_dir`/,
  );
});

test.run();
