// Errors that nothing waits for: a server reports them and continues with the other calls.
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { hello, type Lines, request, startLines } from "./line-client.ts";

const test = suite("mcp/server errors");

const plugin = `import { definePlugin, defineTool, string } from "dottool";
const stray = defineTool({
  name: "stray",
  description: "Throws where nothing waits.",
  effects: ["read"],
  parameters: { how: string("How", { required: true }) },
  run: async ({ how }) => {
    if (how === "rejection") void Promise.reject(new Error("a stray rejection"));
    else setTimeout(() => { throw new Error("a stray error"); }, 0);
    return "ran";
  },
});
export default definePlugin({ name: "stray", tools: [stray] });
`;

async function withServer(
  files: Readonly<Record<string, string>>,
  use: (lines: Lines) => Promise<void>,
): Promise<void> {
  using bench = testProject({
    "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: stray, front_end: mcp}\n",
    ...files,
  });
  const lines = startLines(bench);
  try {
    lines.send(hello);
    await lines.count(1);
    await use(lines);
  } finally {
    assert.is(await lines.end(), 0);
  }
}

for (const [how, message] of [
  ["rejection", "a stray rejection"],
  ["timer", "a stray error"],
] as const) {
  test(`a server outlives a plugin's ${how} that nothing waits for, and names the plugin`, () =>
    withServer({ "home/.config/dottool/tools/plugins/stray.ts": plugin }, async (lines) => {
      lines.send(request(1, "tools/call", { name: "stray", arguments: { how } }));
      await lines.count(2);
      lines.send(request(2, "tools/call", { name: "stray", arguments: { how } }));
      lines.send(request(3, "ping"));
      const answers = (await lines.count(4)).slice(1);
      assert.equal(
        answers
          .filter(({ error }) => error === undefined)
          .map(({ id }) => id)
          .toSorted(),
        [1, 2, 3],
      );
      assert.equal(lines.errors().match(/failed\[crashed\]: .*/g), [
        `failed[crashed]: the plugin \`<bench>/home/.config/dottool/tools/plugins/stray.ts\` has a bug: ${message}`,
      ]);
    }));
}

// The script starts Node's program, whatever runs this test.
if (!("deno" in process.versions)) {
  // Every twentieth promise of a server over stdio and of a command at a terminal, or all in `npm run test:long`.
  test("a server outlives the rejection of each promise that nothing waits for, and a command ends", async () => {
    const said = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [
          fileURLToPath(new URL("../../scripts/rejections.mjs", import.meta.url)),
          ...(isLong ? [] : ["--every", "20", "lines", "steps"]),
        ],
        { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
        (error, stdout, stderr) => resolve(error ? `${stdout}${stderr}` : ""),
      );
    });
    assert.is(said, "");
  });
}

test.run();
