// README.md as a new user follows it: at most five commands in one document, from a clean clone to a tool that a client
// of MCP calls. The first two build and install the executable, which the tests of the executable do; here `dottool` is
// whatever program the tests start. `node scripts/first-steps.mjs` takes all of them, from a clone.
import { execFile } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assert, suite } from "./harness.ts";
import { connectTo } from "./mcp/server-fixture.ts";
import { program } from "./program.ts";
import { given, readPage } from "./run-page.ts";
import { type TestProject, testProject } from "./test-project.ts";

const test = suite("readme");
const { drawnSession, PICTURE } = (await import(new URL("../scripts/session-picture.mjs", import.meta.url).href)) as {
  readonly PICTURE: string;
  drawnSession(start: readonly string[]): string;
};
const [readme, clientsPage] = ["../README.md", "../docs/mcp-server.md"].map((path) =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8"),
) as [string, string];

/** Returns the block of JSON or TOML below a line that ends with the file's name. */
function blockOf(path: string, page = clientsPage): string {
  return (
    new RegExp(`\`${path.replaceAll(".", "\\.")}\`(?:.* and \`\\S+\`)?:\n\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(
      page,
    )?.[1] ?? ""
  );
}

function section(title: string): string {
  return readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}

/** Returns the lines of commands, which are indented. */
function commandsOf(text: string): readonly string[] {
  return [...text.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = ""]) => line);
}

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

/** How each client says what it starts, by its documentation. */
const clients: Readonly<Record<string, () => Started>> = {
  // https://code.claude.com/docs/en/mcp: `mcpServers`, where a server without `type` is a program.
  "Claude Code": () => {
    assert.is(blockOf(".mcp.json", readme), blockOf(".mcp.json"));
    const { command, args, ...others } = JSON.parse(blockOf(".mcp.json")).mcpServers.dottool;
    assert.equal(others, {});
    return { command, args };
  },
  "Claude Code, by its command": () => {
    const [, words = ""] = /`claude mcp add dottool -- ([^`]+)`/.exec(readme) ?? [];
    const [command = "", ...args] = words.split(" ");
    return { command, args };
  },
  // https://geminicli.com/docs/tools/mcp-server: `mcpServers` with `command` and `args`, and no `type`.
  "Gemini CLI": () => {
    const { command, args, ...others } = JSON.parse(blockOf(".gemini/settings.json")).mcpServers.dottool;
    assert.equal(others, {});
    return { command, args };
  },
  // https://github.com/openai/codex/blob/main/docs/config.md#mcp_servers: a table of TOML for each server.
  Codex: () => {
    const [head, command = "", args = ""] = blockOf("~/.codex/config.toml").split("\n");
    assert.is(head, "[mcp_servers.dottool]");
    return {
      command: JSON.parse(command.replace("command = ", "")) as string,
      args: JSON.parse(args.replace("args = ", "")) as string[],
    };
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: `servers`, where `type` is required.
  "VS Code": () => {
    const { type, command, args } = JSON.parse(blockOf(".vscode/mcp.json")).servers.dottool;
    assert.is(type, "stdio");
    return { command, args };
  },
  // https://opencode.ai/docs/mcp-servers: `mcp`, where `type` is `local` and `command` has all words;
  // https://opencode.ai/v2/docs/mcp-servers puts the servers below `mcp.servers`.
  opencode: () => {
    const { type, command } = JSON.parse(blockOf("opencode.json")).mcp.dottool;
    assert.is(type, "local");
    const [first = "", ...args] = command as string[];
    return { command: first, args };
  },
};

/** Makes a folder in which `dottool` is a program on PATH. */
function openFixture(): { readonly bench: TestProject; readonly environment: Record<string, string> } {
  const bench = testProject({}, { isTrusted: false });
  const words = [program.command, ...program.words].map((word) => `'${word}'`).join(" ");
  bench.write("bin/dottool", `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bench.folder, "bin/dottool"), 0o755);
  bench.write("project/notes.txt", "");
  const environment = {
    ...bench.program.environment,
    PATH: `${join(bench.folder, "bin")}:${process.env["PATH"] ?? ""}`,
  };
  return { bench, environment };
}

test("five commands of README.md lead from a clone to a tool that each client calls", async () => {
  const [build = "", install = ""] = commandsOf(section("Install"));
  const first = commandsOf(section("The first tool"));
  assert.equal([build, install.split(" ")[0]], ["npm ci && npm run package", "sudo"]);
  assert.ok([build, install, ...first, "claude mcp add dottool -- dottool mcp"].length <= 5);
  const { bench, environment } = openFixture();
  const cwd = join(bench.folder, "project");
  try {
    const said = await new Promise<string>((resolve, reject) =>
      execFile("sh", ["-ec", first.join("\n")], { cwd, env: environment }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      ),
    );
    assert.is(said.trimEnd().split("\n").at(-1), "Hello, World!");
    for (const [name, startedBy] of Object.entries(clients)) {
      const { command, args } = startedBy();
      const client = new Client({ name, version: "1" }, { capabilities: {} });
      await client.connect(
        new StdioClientTransport({ command, args: [...args], cwd, env: environment, stderr: "inherit" }),
      );
      try {
        const { tools } = await client.listTools();
        assert.ok(
          tools.some((tool) => tool.name === "hello"),
          name,
        );
        const { content, isError } = await client.callTool({ name: "hello", arguments: { name } });
        assert.equal([content, isError ?? false], [[{ type: "text", text: `Hello, ${name}!\n` }], false]);
      } finally {
        await client.close();
      }
    }
  } finally {
    bench.remove();
  }
});

test("the tools of README.md run for a model without a question, once a person trusts them", async () => {
  using bench = testProject({ ...given, ...Object.fromEntries(readPage(readme).files) });
  const client = await connectTo(bench, { era: "2026-07-28" });
  try {
    const called = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await client.callTool({ name, arguments: args })).content);
    assert.match(await called("todo", { folder: "src" }), "src/a.txt:2:TODO: fix this");
  } finally {
    await client.close();
  }
});

test("README.md names only what the package has", () => {
  const { scripts } = JSON.parse(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name = ""]) => name);
  assert.equal(
    named.filter((name) => !(name in scripts)),
    [],
  );
});

if (!("Deno" in globalThis))
  test("the picture in README.md shows what the program prints", () => {
    assert.ok(readme.includes("(grammar/session.svg)"));
    assert.is(readFileSync(PICTURE, "utf8"), drawnSession([program.command, ...program.words]));
  });

test.run();
