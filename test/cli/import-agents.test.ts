// `dottool import` of what other agents have: tools of MCPShell, commands of Claude Code and MCP servers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { hostileServer, serverLines } from "../mcp/client-fixture.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("import of agents' files");
const runLine = startingOnce();

const mcpshell = `mcp:
  description: Things
  run: { shell: /bin/bash }
  tools:
    - name: range
      description: "Counts."
      params:
        from: { type: number, description: "First", required: true }
        to: { type: number, description: "Last", default: 3 }
        format: { type: string, description: "[json] or text" }
        loud: { type: boolean }
      constraints:
        - "from <= 100.0 && to <= 100.0"
        - "format == '' || ['json', 'text'].exists(f, f == format)"
        - "!format.contains(';') && format.size() <= 4"
      run:
        timeout: "1m30s"
        env: [HOME, GITHUB_TOKEN, "MODE=fast"]
        command: |
          {{ if .loud }}
          echo LOUD
          {{ else }}
          echo quiet $MODE
          {{ end }}
          printf '<%s>' {{ if .format }}--format {{ .format }}{{ end }} {{ .from }} "{{ .to }}"
      output: { prefix: "Numbers:" }
    - name: fenced
      description: Reads a file
      params: { file: { type: string, required: true } }
      run:
        command: "cat -- {{ .file }}"
        runners:
          - name: firejail
            options: { allow_networking: false, allow_write_folders: ["/tmp/{{ .file }}"], allow_read_folders: ["{{ env \\"HOME\\" }}/notes"] }
          - name: exec
    - name: boxed
      description: In a container
      run:
        command: ls
        runners: [{ name: docker, options: { image: "alpine:3" } }]
    - name: even
      description: Even numbers
      params: { value: { type: number } }
      constraints: ["int(value) % 2 == 0"]
      run: { command: "echo {{ .value }}" }
    - name: free
      description: Any command
      params: { line: { type: string } }
      run: { command: "sh -c {{ .line }}" }
`;

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
  "tools.yaml": mcpshell,
  ".claude/commands/fix.md": command,
  ".claude/commands/ops/roll-back.md": "# Roll Back Command\n\nTakes the last release back.\n\n## Steps\n",
  ".claude/commands/ops/review.md": "# Review of a change\n\nLook at it twice.\n",
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

test("an imported tool of MCPShell does what its template says", async () => {
  using bench = testProject(files);
  await runLine(bench, ["import", "tools.yaml", "--only", "range"]);
  const outputs: unknown[] = [];
  for (const words of [
    ["--from", "1"],
    ["--from", "1.5", "--to", "2", "--format", "json", "--loud"],
  ]) {
    const { stdout } = await runLine(bench, ["range", ...words]);
    outputs.push(stdout);
  }
  assert.equal(outputs, ["quiet fast\n<1><3>", "LOUD\n<--format><json><1.5><2>"]);
});

test("an imported tool of MCPShell refuses values that break a constraint", async () => {
  using bench = testProject(files);
  await runLine(bench, ["import", "tools.yaml", "--only", "range"]);
  for (const [words, code, said] of [
    [["--to", "200"], 64, "to  expected at most 100, got 200"],
    [["--format", "yaml"], 64, 'format  expected "json"|"text", got the string "yaml"'],
  ] as const) {
    const { stdout, stderr, exitCode } = await runLine(bench, ["range", "--from", "1", ...words]);
    assert.equal([stdout, exitCode], ["", code]);
    assert.match(stderr, said);
  }
});

test("import mcp:SERVER makes the pinned tools of a server callable by their names", async () => {
  using bench = testProject({ "notes/diary": "" });
  const lines = serverLines(hostileServer, "good").replace("NOTES_FOLDER", JSON.stringify(join(bench.folder, "notes")));
  bench.write("home/.config/dottool/config.yaml", `mcp_servers:\n  it:\n    ${lines}\n`);
  assert.is((await bench.run(["pin", "it"])).exitCode, 0);
  assert.is((await bench.run(["import", "mcp:it/*"])).exitCode, 0);
  assert.is(
    readFileSync(join(bench.folder, ".tools/echo.tool"), "utf8"),
    "@title Echo\n@name echo\n@wrapped mcp:it/echo\n",
  );
  assert.match((await bench.run(["echo", "--text", "hi"])).stdout, "hi");
});

test.run();
