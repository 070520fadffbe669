// `dottool mcp` on standard input and output, with the client of the official SDK and by lines of its own.
import { assert, suite } from "../harness.ts";
import { toolBench } from "../tool-bench.ts";
import { connectTo, eras } from "./server-bench.ts";

const test = suite("mcp/server/serve-lines.ts");

const files = {
  // The user's own folder is trusted by its place.
  "home/.config/dottool/tools/greet.tool": "Greets somebody.\n@name greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Who\n@tags read\n",
};

for (const era of eras) {
  test(`a client of ${era} lists the tools and calls one`, async () => {
    const bench = toolBench(files);
    const client = await connectTo(bench, { era });
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "greet"));
      const result = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
      assert.equal(result.content, [{ type: "text", text: "hello Ada\n" }]);
      assert.equal(result.isError, undefined);
      const wrong = await client.callTool({ name: "greet", arguments: { nam: "Ada" } });
      assert.equal(wrong.isError, true);
      const unknown = await client.callTool({ name: "gret" }).then(() => undefined, (error: unknown) => error as { code: number; message: string });
      assert.equal([unknown?.code, unknown?.message], [-32602, "there is no tool `gret`; did you mean `greet` or `grep`?"]);
    } finally {
      await client.close();
      bench.remove();
    }
  });
}

test.run();
