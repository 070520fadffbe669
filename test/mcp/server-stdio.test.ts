// `dottool mcp` on standard input and output, with the client of the official SDK and with raw lines.
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/client";
import { earlierRevisions } from "../../src/features/mcp-server/server-facts.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { connectTo, eras } from "./server-fixture.ts";

const test = suite("features/mcp-server/serve-lines.ts");

const files = {
  "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [greet]\n    front_end: mcp\n",
  // The user's own folder is trusted by its place.
  "home/.config/dottool/tools/greet.tool":
    "Greets somebody.\n@name greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Who\n@tags read\n",
};

for (const era of eras) {
  test(`a client of ${era} lists the tools and calls one`, async () => {
    using bench = testProject(files);
    const client = await connectTo(bench, { era });
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "greet"));
      const result = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
      assert.equal(result.content, [{ type: "text", text: "hello Ada\n" }]);
      assert.equal(result.isError, undefined);
      const wrong = await client.callTool({ name: "greet", arguments: { nam: "Ada" } });
      assert.equal(wrong.isError, true);
      const unknown = await client.callTool({ name: "gret" }).then(
        () => undefined,
        (error: unknown) => error as { code: number; message: string },
      );
      assert.equal(
        [unknown?.code, unknown?.message],
        [
          -32602,
          'failed[unknown-tool]: there is no tool `gret`; did you mean `greet`?\n  = call it like this: {"name":"greet","arguments":{"name":"<name>"}}\n  = the value of `name` is a placeholder; replace it with yours',
        ],
      );
    } finally {
      await client.close();
    }
  });
}

test("the revisions are those of the SDK's client, and a connection may speak both eras", async () => {
  assert.equal(earlierRevisions, SUPPORTED_PROTOCOL_VERSIONS);
  using bench = testProject(files);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const asked = [
    ["initialize", hello],
    ["initialize", {}],
    ["ping", {}],
    ["server/discover", {}],
    ["server/discover", { _meta }],
    ["ping", { _meta }],
    ["initialize", { ...hello, _meta }],
    ["tools/list", { cursor: "nowhere" }],
    ["tools/list", { _meta, cursor: "nowhere" }],
  ];
  const lines = asked.map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const { stdout } = await bench.run(["mcp"], { stdin: `${lines.join("\n")}\n` });
  const answers = stdout
    .trim()
    .split("\n")
    .map(
      (line) => JSON.parse(line) as { id: number; result?: Record<string, unknown>; error?: { readonly code: number } },
    )
    .toSorted((one, other) => one.id - other.id);
  assert.equal(
    answers.map(
      ({ result, error }) => error?.code ?? result?.["protocolVersion"] ?? result?.["supportedVersions"] ?? result,
    ),
    ["2025-06-18", -32602, {}, -32601, ["2026-07-28"], -32601, -32601, -32602, -32602],
  );
  assert.equal([answers[0]?.result?.["resultType"], answers[4]?.result?.["resultType"]], [undefined, "complete"]);
});

test.run();
