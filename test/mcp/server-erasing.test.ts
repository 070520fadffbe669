// A server that gets a program whose types take very long to erase: it answers others in the meantime, and runs the
// next program.
import { assert, present, suite } from "../harness.ts";
import { hello, type Message, request, startLines } from "./line-client.ts";
import { testProject } from "../test-project.ts";

const test = suite("mcp/server run_code");

const runCode = (id: string, code: string): string =>
  request(id, "tools/call", { name: "run_code", arguments: { code } });
const said = ({ result }: Message): string =>
  (present(result).content as readonly { readonly text: string }[])[0]?.text ?? "";

test("a server answers while it erases types without end, and runs TypeScript afterwards", async () => {
  using bench = testProject({
    "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: dottool/run_code, front_end: mcp}\n",
  });
  const lines = startLines(bench, ["--mode", "code"]);
  try {
    lines.send(hello);
    await lines.count(1);
    lines.send(runCode("hostile", `const typed: number = 1;\n${`a${"<b".repeat(200)};\n`.repeat(600)}`));
    lines.send(runCode("deep", `const typed: number = ${"(".repeat(100_000)}`));
    lines.send(request("ping", "ping"));
    lines.send(runCode("plain", "return 1 + 1"));
    const first = await lines.count(5);
    lines.send(runCode("after", "const typed: number = 40; return typed + 2"));
    const all = await lines.count(6);
    const order = first.map(({ id }) => id);
    assert.equal(
      [order.indexOf("ping") < order.indexOf("hostile"), order.indexOf("plain") < order.indexOf("hostile")],
      [true, true],
      order.join(),
    );
    const by = new Map(all.map((message) => [message.id, message]));
    assert.equal(
      ["hostile", "deep", "plain", "after"].map((id) => said(present(by.get(id))).split("\n", 1)[0]),
      [
        "failed[code-failed]: the code cannot be parsed: its types take too long to parse (line 1, column 12 of the code)",
        "failed[code-failed]: the code cannot be parsed: it is nested too deep (line 1, column 220 of the code)",
        "2",
        "42",
      ],
    );
  } finally {
    await lines.end();
  }
});

test.run();
