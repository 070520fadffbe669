// Clients that people use: the inspector, which checks schemas as other clients do, and mcporter.
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { runPackaged } from "./server-fixture.ts";

const test = suite("mcp/server clients");

const files = {
  "home/.config/dottool/tools/greet.tool":
    "Greets somebody.\n@name greet\n@title Greet\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Who\n@tags read\n",
  "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [greet]\n    front_end: mcp\n",
};

function serverOf({ program }: TestProject): readonly string[] {
  return [program.command, ...program.words, "mcp"];
}

// They are programs for Node.
if (!("Deno" in globalThis)) {
  test("the inspector finds nothing to change in any schema, and calls a tool, in both eras", async () => {
    using bench = testProject(files);
    const check = async (era: string): Promise<void> => {
      const inspect = (...words: string[]): ReturnType<typeof runPackaged> =>
        runPackaged(
          "mcp-inspector",
          [
            "--cli",
            "--connect-timeout",
            String(HANG_MS_MAX),
            "--protocol-era",
            era,
            "--format",
            "json",
            ...words,
            "--",
            ...serverOf(bench),
          ],
          bench,
        );
      const [listed, called] = await Promise.all([
        inspect("--method", "tools/list", "--strict"),
        inspect("--method", "tools/call", "--tool-name", "greet", "--tool-arg", "name=Ada"),
      ]);
      assert.equal([listed.exitCode, listed.stderr], [0, ""]);
      assert.ok(listed.stdout.includes('"greet"'));
      const { result } = JSON.parse(called.stdout) as { result: { content: unknown } };
      assert.equal(result.content, [{ type: "text", text: "hello Ada\n" }]);
    };
    await Promise.all(["legacy", "modern"].map(check));
  });

  test("mcporter lists the tools and calls one", async () => {
    using bench = testProject(files);
    const [command = "", ...more] = serverOf(bench);
    const server = ["--stdio", command, ...more.flatMap((word) => ["--stdio-arg", word]), "--name", "dottool"];
    const [listed, called] = await Promise.all([
      runPackaged("mcporter", ["list", ...server, "--json"], bench),
      runPackaged("mcporter", ["call", ...server, "greet", "name=Ada", "--output", "json"], bench),
    ]);
    const { status, tools } = JSON.parse(listed.stdout) as { status: string; tools: readonly { name: string }[] };
    assert.equal([status, tools.some(({ name }) => name === "greet")], ["ok", true]);
    assert.equal(JSON.parse(called.stdout), { content: [{ type: "text", text: "hello Ada\n" }] });
  });
}

test.run();
