// `dottool export mcpb` by the built executable, and the server inside the file, started as a desktop client starts it:
// unpacked into a folder of its own, with a home of its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import JSZip from "jszip";
import { assert, present, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("mcpb");
const root = mkdtempSync(join(tmpdir(), "dottool mcpb-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const environment = { PATH: "/usr/bin:/bin", HOME: join(root, "home") };

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function run(...words: readonly string[]): { readonly text: string; readonly exitCode: number | null } {
  const { stdout, stderr, status } = spawnSync(packagedFile, words, { cwd: root, env: environment, encoding: "utf8" });
  return { text: stdout + stderr, exitCode: status };
}

/** Returns the path of the manifest. */
async function unpack(file: string, folder: string): Promise<string> {
  const { files } = await JSZip.loadAsync(readFileSync(join(root, file)));
  for (const entry of Object.values(files)) {
    const path = join(root, folder, entry.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await entry.async("nodebuffer"), { mode: Number(entry.unixPermissions) });
  }
  return join(root, folder, "manifest.json");
}

test("the file has a manifest and an executable, which serves the tools of the folder", async () => {
  write(".tools/greet.tool", "Greets a person.\n@command echo hello {name}\n@param name Who\n@tags read\n");
  write(".tools/package.json", '{"name":"acme","version":"1.2.0","author":"Ana"}');
  write("elsewhere/.tools/other.tool", "@command echo other\n");
  const { text, exitCode } = run("export", "mcpb", "-o", "acme.mcpb");
  assert.equal([exitCode, text.split("\n")[0]?.split(", for")[0]], [0, "wrote acme.mcpb: 1 tool as `acme`"]);
  const manifest = JSON.parse(readFileSync(await unpack("acme.mcpb", "unpacked"), "utf8")) as {
    readonly server: { readonly mcp_config: { readonly command: string; readonly args: string[] } };
  };
  const { command, args } = manifest.server.mcp_config;
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({
      command: command.replace("${__dirname}", () => join(root, "unpacked")),
      args,
      env: environment,
      cwd: join(root, "elsewhere"),
      stderr: "inherit",
    }),
  );
  try {
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["greet"],
    );
    assert.equal(present(tools[0]).annotations?.readOnlyHint, true);
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ana" } });
    assert.equal(content, [{ type: "text", text: "hello Ana\n" }]);
  } finally {
    await client.close();
  }
  assert.equal(manifest, {
    manifest_version: "0.3",
    name: "acme",
    version: "1.2.0",
    description: "1 tool: greet",
    author: { name: "Ana" },
    server: {
      type: "binary",
      entry_point: "server/acme",
      mcp_config: { command, args: ["mcp", "--only", "greet"], env: {} },
    },
    tools: [{ name: "greet", description: "Greets a person" }],
    compatibility: { platforms: ["linux"] },
  });
});

test("the client asks for the secrets of the tools", async () => {
  write(
    "asks/ask.tool",
    "Asks.\n@command env asking {region}\n@env A=secret:ACME_KEY\n@param region [env=REGION, default=eu] Where\n",
  );
  assert.is(run("export", "mcpb", "asks", "-o", "asks.mcpb").exitCode, 0);
  const manifest = JSON.parse(readFileSync(await unpack("asks.mcpb", "asks-unpacked"), "utf8")) as {
    readonly server: { readonly mcp_config: { readonly env: unknown } };
    readonly user_config: unknown;
  };
  assert.equal(
    [manifest.server.mcp_config.env, manifest.user_config],
    [
      { ACME_KEY: "${user_config.ACME_KEY}" },
      {
        ACME_KEY: {
          type: "string",
          title: "ACME_KEY",
          description: "The value of ACME_KEY, which the tools need",
          sensitive: true,
          required: true,
        },
      },
    ],
  );
});

test("the same folder gives the same file, and what exists is only replaced by force", () => {
  const first = readFileSync(join(root, "acme.mcpb"));
  assert.equal(run("export", "mcpb", "-o", "acme.mcpb"), {
    text: "failed[exists]: `acme.mcpb` already exists; nothing is written\n  = `--force` replaces it, `-o` with another name writes elsewhere\n",
    exitCode: 1,
  });
  assert.equal(run("export", "mcpb", "-o", "acme.mcpb", "--force").exitCode, 0);
  assert.ok(readFileSync(join(root, "acme.mcpb")).equals(first));
  assert.equal(run("export", "mcpb", "-o", "acme.zip"), {
    text: "failed[usage]: the name of the file must end with `.mcpb`; write `-o acme.zip.mcpb`\n  = `dottool export --help` shows the usage\n",
    exitCode: 64,
  });
});

test.run();
