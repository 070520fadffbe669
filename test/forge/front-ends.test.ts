// Forging in `dottool agent`, where the model that asks is also the model that judges, and in `dottool exec`.
import { startAgentServer } from "../agent/agent-server.ts";
import { type Body, call, done, KEY, type Turn } from "../agent/scripted-turn.ts";
import { connectTo } from "../mcp/server-fixture.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("forge front ends");

const double = {
  name: "double",
  description: "Doubles a number.",
  implementation: { mode: "sandbox", code: "return { twice: input.n * 2 };" },
  testCases: [
    { input: { n: 2 }, expectedOutput: { twice: 4 } },
    { input: { n: 3 }, expectedOutput: { twice: 6 } },
  ],
};
const running = { name: "double", arguments: { n: 21 } };

test("an agent forges a tool, its model judges it, and the next turn calls it", async () => {
  const verdict = (body: Body): Turn => {
    const [, id = ""] = /id: ([0-9a-f]{32})/.exec(JSON.stringify(body)) ?? [];
    const scores = { safety: 1, correctness: 1, determinism: 1, bounded: 1 };
    return { text: [JSON.stringify({ id, approved: true, ...scores, reasoning: "It doubles." })] };
  };
  const server = await startAgentServer(
    { calls: [call("forge_tool", double)] },
    verdict,
    { calls: [call("run_forged", running)] },
    done("42"),
  );
  using bench = testProject({
    "home/.config/dottool/config.yaml": `providers:\n  default: local\n  local: { kind: openai, url: "${server.origin}/v1", model: big-1, key: env:API_KEY }\n`,
  });
  try {
    const { stdout, stderr } = await bench.run(["agent", "--allow-forge", "double 21"], {
      environment: { API_KEY: KEY },
    });
    assert.is(stdout, "42\n", stderr);
    const last = JSON.stringify(server.bodies.at(-1));
    assert.match(last, "twice");
    assert.match(last, "42");
    assert.match((await bench.run(["forge", "list", "--json"])).stdout, '"model"');
  } finally {
    await server.close();
  }
});

test("exec runs what the same reply has forged", async () => {
  using bench = testProject();
  const reply = {
    role: "assistant",
    content: null,
    tool_calls: [
      ["forge_tool", double],
      ["run_forged", running],
    ].map(([name, args], index) => ({
      id: `call_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
  const words = ["exec"];
  const stdin = JSON.stringify(reply);
  const { stdout } = await bench.run([...words, "--allow-forge"], { stdin });
  const [forged, ran] = JSON.parse(stdout) as readonly { readonly content: string }[];
  assert.match(forged?.content ?? "", '"success": true');
  assert.equal(JSON.parse(ran?.content ?? "null"), { twice: 42 });
  assert.match((await bench.run(words, { stdin })).stdout, "there is no tool `forge_tool`");
});

for (const mode of ["full", "search"])
  test(`the MCP server answers \`run_forged\` after the \`forge_tool\` that came before it: ${mode}`, async () => {
    using bench = testProject();
    const client = await connectTo(bench, { era: "2025-11-25", global: ["--allow-forge"], words: ["--mode", mode] });
    const call = (name: string, args: object): ReturnType<typeof client.callTool> =>
      client.callTool(
        mode === "full"
          ? { name, arguments: { ...args } }
          : { name: "call_tool", arguments: { name, arguments: args } },
      );
    try {
      const [forged, ran] = await Promise.all([call("forge_tool", double), call("run_forged", running)]);
      assert.equal([forged.isError ?? false, JSON.stringify(ran.content).includes("42")], [false, true]);
    } finally {
      await client.close();
    }
  });

test("run_forged on the command line says how a tool of another command is called", async () => {
  using bench = testProject();
  const line = (tool: string, args: unknown): ReturnType<typeof bench.run> =>
    bench.run(["--allow-forge", "call", tool, "--json", JSON.stringify(args)]);
  assert.is((await line("forge_tool", double)).exitCode, 0);
  const refused = await line("run_forged", running);
  assert.equal(
    [refused.exitCode, refused.stderr],
    [
      1,
      "failed[rejected]: the forged tool `double` belongs to the session that made it, and each command is its own\n  = keep it with `dottool forge keep double`, then call `dottool double`\n",
    ],
  );
  assert.is((await bench.run(["forge", "keep", "double", "--yes"])).exitCode, 0);
  assert.match((await bench.run(["double", "--n", "21"])).stdout, "42");
});

test("`forge_tool` is declared in 1,000 bytes", async () => {
  using bench = testProject();
  const client = await connectTo(bench, { era: "2025-11-25", global: ["--allow-forge"] });
  try {
    const { tools } = await client.listTools();
    const bytes = Buffer.byteLength(JSON.stringify(tools.find(({ name }) => name === "forge_tool")));
    assert.ok(bytes > 500 && bytes <= 1_000, String(bytes));
  } finally {
    await client.close();
  }
});

test("a case without `expectedOutput` counts beside one that has it, and not alone", async () => {
  using bench = testProject();
  const [first, second] = double.testCases;
  const forged = (testCases: readonly unknown[]): Promise<{ readonly stdout: string; readonly stderr: string }> =>
    bench.here(["--allow-forge", "call", "forge_tool", "--json", JSON.stringify({ ...double, testCases })]);
  assert.match((await forged([first, { input: second?.input }])).stdout, '"success": true');
  const refused = await forged([{ input: first?.input }, { input: second?.input }]);
  assert.match(refused.stderr, "no test case has an `expectedOutput`");
});

test.run();
