// A client of version 1 of the SDK, which most hosts still have. It checks each answer against its own schemas, and
// structured content against the tool's `outputSchema`.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { assert, suite } from "../harness.ts";
import { startingOnce, testProject } from "../test-project.ts";
import { results } from "./client-servers/passing.ts";
import { progressTold } from "./server-fixture.ts";

const test = suite("mcp/server SDK v1");

const server = fileURLToPath(new URL("./client-servers/passing.ts", import.meta.url));
const folder = "home/.config/dottool";
const wrapped = Object.keys(results);

// It is a program for Node.
if (!("Deno" in globalThis))
  test("a client of the first SDK takes text, structured content, resource links, and progress with its total", async () => {
    using bench = testProject({
      [`${folder}/config.yaml`]: `mcp_servers:\n  it:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([server])}\npolicy:\n  - { decision: allow, tool: "*" }\n`,
      [`${folder}/tools/greet.tool`]:
        "@name greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Who\n@tags read\n",
      ...Object.fromEntries(
        wrapped.map((name) => [`${folder}/tools/${name}.tool`, `@name my_${name}\n@wrapped mcp:it/${name}\n`]),
      ),
    });
    const pinned = await startingOnce()(bench, ["pin", "it"]);
    assert.equal([pinned.exitCode, pinned.stderr], [0, ""]);
    const { command, words, environment } = bench.program;
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...words, "mcp"],
        env: { ...environment },
        cwd: bench.folder,
        stderr: "inherit",
      }),
    );
    try {
      const { tools } = await client.listTools();
      assert.equal(
        tools.flatMap(({ name, outputSchema }) => (outputSchema && name.startsWith("my_") ? [name] : [])),
        ["my_same", "my_words"],
      );
      const greeted = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
      assert.equal(greeted, { content: [{ type: "text", text: "hello Ada\n" }] });
      for (const name of ["words", "same", "links", "document", "picture"])
        assert.equal([name, await client.callTool({ name: `my_${name}` })], [name, results[name]]);
      const progress = progressTold(client);
      const slow = await client.callTool({ name: "my_slow" }, undefined, { onprogress: () => undefined });
      assert.equal(
        [slow, progress],
        [
          results["slow"],
          [
            { progress: 1, total: 3 },
            { progress: 2, total: 3, message: "half" },
            { progress: 3, total: 3 },
          ],
        ],
      );
      assert.is((await client.callTool({ name: "my_fails" }))["isError"], true);
    } finally {
      await client.close();
    }
  });

test.run();
