// Clients start what `dottool export` wrote, and get the same tools and results as from the folder itself.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assert, suite } from "../harness.ts";
import { installedAt } from "../installed-program.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("export for clients");

const files = {
  ".tools/greet.tool": `Greets a person.

@title Greet
@name greet
@wrapped run_command
@command cat "greeting | in here.txt" {name}
@param name {path} [required] Who
@tags read
`,
  "greeting | in here.txt": "hello\n",
  "Ana.txt": "Ana\n",
  "home/.config/dottool/config.yaml": "policy:\n  - { decision: allow, tool: [greet], front_end: mcp }\n",
};

const manifests = {
  "agent-plugin": "mcp.json",
  "claude-plugin": ".mcp.json",
  "gemini-extension": "gemini-extension.json",
};

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The server that a client would start, with its words for its copy of the folder replaced. */
function launchOf(root: string, file: string): Launch {
  const { mcpServers } = JSON.parse(readFileSync(join(root, file), "utf8")) as {
    readonly mcpServers: Readonly<Record<string, Launch>>;
  };
  const { command, args } = Object.values(mcpServers)[0] ?? { command: "", args: [] };
  const placed = (text: string): string =>
    text.replaceAll(/\$\{(?:PLUGIN_ROOT|CLAUDE_PLUGIN_ROOT|extensionPath)\}/g, () => root);
  return { command: placed(command), args: args.map(placed) };
}

async function answers(launch: Launch, bench: TestProject, env: Readonly<Record<string, string>>): Promise<unknown> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({
      ...launch,
      args: [...launch.args],
      env: { ...env },
      cwd: bench.folder,
      stderr: "inherit",
    }),
  );
  try {
    const { tools } = await client.listTools();
    return { tools, result: await client.callTool({ name: "greet", arguments: { name: "Ana.txt" } }) };
  } finally {
    await client.close();
  }
}

test("a client of each form gets the schema, description, effects and result of the folder's own tool", async () => {
  using bench = testProject(files);
  const environment = installedAt(bench);
  const own = await answers({ command: "dottool", args: ["--tools", ".tools", "mcp"] }, bench, environment);
  assert.ok(JSON.stringify(own).includes("hello\\nAna\\n"));
  for (const [form, file] of Object.entries(manifests)) {
    await bench.here(["export", form, "-o", `a b/${form}`]);
    assert.equal(await answers(launchOf(join(bench.folder, "a b", form), file), bench, environment), own);
  }
  await bench.here(["export", "skill", "-o", "a b/skill", "--name", "ops"]);
  const run = (...words: readonly string[]): string =>
    execFileSync(join(bench.folder, "a b/skill/scripts/ops"), words, {
      cwd: bench.folder,
      env: environment,
      encoding: "utf8",
    });
  assert.equal(run("greet", "Ana.txt"), "hello\nAna\n");
  assert.equal(run("call", "greet", "--json", '{"name": "Ana.txt"}'), "hello\nAna\n");
});

test.run();
