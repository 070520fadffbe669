// `dottool import` of what other agents have: commands of Claude Code and MCP servers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { hostileServer, serverLines } from "../mcp/client-fixture.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("import of agents' files");
const runLine = startingOnce();

const command = `---
description: Fix an issue
argument-hint: [issue-number] [--fast]
allowed-tools: Bash(git:*), Read
---
# Fix issue $1

Status: !\`git status --short $1\`
See @docs/README.md. Mail me@example.org; {braces} stay.
`;

const servers = `{
  // Of the team
  "mcpServers": {
    "git hub": { "command": "npx", "args": ["-y", "x", "--api-key=abcdef1234567890"],
      "env": { "GITHUB_TOKEN": "ghp_abcdefghijklmnopqrst", "MODE": "x", "T": "\${HOME_TOKEN}" } },
    "web": { "type": "http", "url": "https://x.example/mcp", "headers": { "Authorization": "Bearer abc123456789" } }
  }
}
`;

const files = {
  "tools.yaml": "mcp:\n  tools:\n    - name: a\n      run: { command: ls }\n",
  ".claude/commands/fix.md": command,
  ".claude/commands/ops/roll-back.md": "# Roll Back Command\n\nTakes the last release back.\n\n## Steps\n",
  ".claude/commands/ops/review.md": "# Review of a change\n\nLook at it twice.\n",
  ".claude/commands/ops/gates.md": `All gates must pass: the build, then the tests.
Ask with fetch(url, { credentials: 'include', password: "hunter2" }), and set SESSION_COOKIE_PREFIX=web-dev.
`,
  "parts/Taskfile.yml": "version: '3'\nincludes: { ops: ops/Taskfile.yml, web: { taskfile: web.yml } }\n",
  "plain.md": "Say hello to $ARGUMENTS\n",
  "web/.mcp.json": servers,
};

test("import prints tools of agents as in golden/import-agents.txt", async () => {
  using bench = testProject(files);
  const texts: string[] = [];
  for (const words of [
    ["import", "tools.yaml", "--print"],
    ["import", ".", "--print"],
    ["import", "plain.md", "--print"],
    ["import", "parts"],
    ["import", "web"],
    ["import", "mcp:it"],
  ]) {
    const { stdout, stderr, exitCode } = await runLine(bench, words);
    texts.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`);
  }
  assertGolden("cli/golden/import-agents.txt", texts.join("\n"));
});

test("import mcp:SERVER makes the pinned tools of a server callable by their names", async () => {
  using bench = testProject({ "notes/diary": "" });
  const lines = serverLines(hostileServer, "good").replace("NOTES_FOLDER", JSON.stringify(join(bench.folder, "notes")));
  bench.write("home/.config/dottool/config.yaml", `mcp_servers:\n  it:\n    ${lines}\n`);
  assert.is((await bench.run(["pin", "it"])).exitCode, 0);
  assert.is((await bench.run(["import", "mcp:it/*"])).exitCode, 0);
  assert.match(
    readFileSync(join(bench.folder, ".tools/echo.tool"), "utf8"),
    /^@title Echo\n@name echo\n@wrapped mcp:it\/echo\n@x-imported mcp:it: echo, [0-9a-f]{16}\n$/,
  );
  assert.match((await bench.run(["echo", "--text", "hi"])).stdout, "hi");
});

test.run();
