// One definition in every form that starts a server: the bundle, the plugins, the extension, the file for desktop clients,
// the image, the package for npm and HTTP. Each is started from where its user has it, with the built executable, and must
// give what `dottool mcp` gives in the folder: schema, description, effects and result. The forms that are texts are in
// test/cli/export-forms.test.ts.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import JSZip from "jszip";
import { assert, suite } from "../harness.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";

const test = suite("same tool");
const repository = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "dottool-same-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const bin = join(root, "bin");
const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(root, "home") };
mkdirSync(bin);
symlinkSync(packagedFile, join(bin, "dottool"));

const measure = `Measures a file "as it is": \`wc\` & no \${more}.

@title Measure
@name measure
@param file {path} [required] Which file
@param unit {"lines"|"bytes"} [default=lines] What to count
@param most {integer} [default=9, min=1, max=99] The highest count
@code
  return { file, unit, most };
@returns {object} What was measured
@tags read
`;
const call = { name: "measure", arguments: { file: "Ana.txt", most: 3 } };

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

write("project/.tools/measure.tool", measure);
write("project/.tools/package.json", '{"name":"ops","version":"1.0.0","author":"Ana","repository":"acme/tools"}');
write("empty/kept", "");
const [project, empty] = [join(root, "project"), join(root, "empty")];

function dottool(...words: readonly string[]): void {
  execFileSync(packagedFile, words, { cwd: project, env: environment, stdio: "pipe" });
}

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

async function answers({ command, args }: Launch, cwd = empty): Promise<unknown> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], cwd, env: environment, stderr: "inherit" }),
  );
  try {
    const { tools } = await client.listTools();
    return { tool: tools.find(({ name }) => name === call.name), result: await client.callTool(call) };
  } finally {
    await client.close();
  }
}

/** The server that a client's file names, with its words for its copy of the folder replaced. */
function launchIn(folder: string, file: string): Launch {
  const { mcpServers } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    readonly mcpServers: Readonly<Record<string, Launch>>;
  };
  const { command, args } = Object.values(mcpServers)[0] ?? { command: "", args: [] };
  const placed = (text: string): string =>
    text.replaceAll(/\$\{(?:PLUGIN_ROOT|CLAUDE_PLUGIN_ROOT|extensionPath)\}/g, () => folder);
  return { command: placed(command), args: args.map(placed) };
}

async function unpackedLaunch(file: string): Promise<Launch> {
  const folder = join(root, "desktop");
  for (const entry of Object.values((await JSZip.loadAsync(readFileSync(file))).files)) {
    const path = join(folder, entry.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await entry.async("nodebuffer"), { mode: Number(entry.unixPermissions) });
  }
  const { server } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
    readonly server: { readonly mcp_config: Launch };
  };
  const placed = (text: string): string => text.replace("${__dirname}", () => folder);
  return { command: placed(server.mcp_config.command), args: server.mcp_config.args.map(placed) };
}

function imageLaunch(folder: string): Launch {
  const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
  const [, copied = ""] = /^COPY .* (\S+) /m.exec(dockerfile) ?? [];
  const [program = "", ...args] = [...dockerfile.matchAll(/^(?:ENTRYPOINT|CMD) (.*)$/gm)].flatMap(
    ([, words = ""]) => JSON.parse(words) as string[],
  );
  const command = join(root, "system", program);
  mkdirSync(dirname(command), { recursive: true });
  copyFileSync(join(folder, copied), command);
  chmodSync(command, 0o755);
  return { command, args };
}

/** As npm puts the packages beside each other. */
function npmLaunch(folder: string): Launch {
  const modules = join(root, "program/node_modules");
  mkdirSync(join(root, "dist"));
  symlinkSync(packagedFile, join(root, "dist", basename(packagedFile)));
  execFileSync(process.execPath, ["scripts/npm-packages.mjs", "--from", join(root, "dist")], { cwd: repository });
  mkdirSync(modules, { recursive: true });
  const packed = join(root, "dist/release/npm");
  execFileSync("npm", ["pack", folder, "--silent", "--pack-destination", packed], { cwd: root, stdio: "pipe" });
  const { bin: own } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  const unpack = (file: string, name: string): void => {
    mkdirSync(join(modules, name), { recursive: true });
    execFileSync("tar", ["-xzf", join(packed, file), "--strip-components=1", "-C", join(modules, name)]);
  };
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly version: string;
  };
  unpack(`dottool-${version}.tgz`, "dottool");
  unpack(`dottool-${packagedTarget}-${version}.tgz`, `@dottool/${packagedTarget}`);
  unpack("ops-1.0.0.tgz", "ops");
  return { command: process.execPath, args: [join(modules, "ops", Object.values(own)[0] ?? ""), "mcp"] };
}

/** What the operation of the OpenAPI document answers. */
async function httpResult(command: string): Promise<unknown> {
  const child = spawn(command, ["mcp", "--http", "0"], { cwd: empty, env: environment });
  try {
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
    const found = (): readonly [string, string] | undefined => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      const token = /[A-Za-z0-9_-]{32,}/.exec(said)?.[0];
      return url === undefined || token === undefined ? undefined : [url, token];
    };
    while (found() === undefined) await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
    const [url = "", token = ""] = found() ?? [];
    const answer = await fetch(`${url}/tools/measure`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(call.arguments),
    });
    return await answer.json();
  } finally {
    child.kill();
  }
}

test("each form gives the schema, description, effects and result of the folder's own tool", async () => {
  const own = (await answers({ command: packagedFile, args: ["--tools", ".tools", "mcp"] }, project)) as {
    readonly tool: { readonly description: string; readonly annotations: object };
    readonly result: { readonly content: unknown; readonly structuredContent: unknown };
  };
  assert.equal(own.result.structuredContent, { file: "Ana.txt", unit: "lines", most: 3 });
  assert.match(JSON.stringify(own.tool), '"readOnlyHint":true');

  dottool("bundle", "-o", "../ours");
  for (const form of ["agent-plugin", "claude-plugin", "gemini-extension", "npx"])
    dottool("export", form, "-o", `../${form}`);
  dottool("export", "mcpb", "-o", "../ops.mcpb");
  dottool("export", "docker", "-o", "../image", "--base", packagedFile);
  const forms: Readonly<Record<string, Launch>> = {
    bundle: { command: join(root, "ours"), args: ["mcp"] },
    "agent-plugin": launchIn(join(root, "agent-plugin"), "mcp.json"),
    "claude-plugin": launchIn(join(root, "claude-plugin"), ".mcp.json"),
    "gemini-extension": launchIn(join(root, "gemini-extension"), "gemini-extension.json"),
    mcpb: await unpackedLaunch(join(root, "ops.mcpb")),
    docker: imageLaunch(join(root, "image")),
    npx: npmLaunch(join(root, "npx")),
  };
  for (const [form, launch] of Object.entries(forms)) assert.equal([form, await answers(launch)], [form, own]);
  const { content, structuredContent } = own.result;
  assert.equal(await httpResult(join(root, "ours")), { content, structuredContent });
});

test.run();
