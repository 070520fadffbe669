// Tools of an MCP server that dottool serves again: a client gets from them what the server itself would send.
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Progress } from "@modelcontextprotocol/client";
import { assert, suite } from "../harness.ts";
import { startingOnce, toolBench } from "../tool-bench.ts";
import { results } from "./client-servers/passing.ts";
import { connectTo, eras } from "./server-bench.ts";

const test = suite("mcp/server-wrapped");

const server = fileURLToPath(new URL("./client-servers/passing.ts", import.meta.url));
const words = "Deno" in globalThis ? ["run", "-A", server] : [server];
const folder = "home/.config/dottool";

test("a wrapped tool of an MCP server gives what the server gives: texts, structured content, links, progress", async () => {
  const bench = toolBench({
    [`${folder}/config.yaml`]: `mcp_servers:\n  it:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify(words)}\npolicy:\n  - { decision: allow, tool: "*" }\n`,
    ...Object.fromEntries(
      Object.keys(results).map((name) => [
        `${folder}/tools/${name}.tool`,
        `@name my_${name}\n@wrapped mcp:it/${name}\n`,
      ]),
    ),
  });
  try {
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
          const progress: Progress[] = [];
          const given = await client.callTool({ name: `my_${name}` }, { onprogress: (one) => void progress.push(one) });
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
  } finally {
    bench.remove();
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

test.run();
