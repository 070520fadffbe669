// `npm install` of the packages for npm, in a folder and with a home of its own, and what `npx dottool` starts there.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assert, suite } from "../harness.ts";
import { startRegistry } from "../packages/registry-fixture.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";
import { wordList } from "../lines.ts";

const test = suite("npm packages");
const project = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "dottool-npm-packages-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };

mkdirSync(join(root, "dist"));
symlinkSync(packagedFile, join(root, "dist", packagedFile.slice(packagedFile.lastIndexOf("dottool-"))));
execFileSync(process.execPath, ["scripts/npm-packages.mjs", "--from", join(root, "dist")], { cwd: project });
const packed = join(root, "dist/release/npm");
const main = join(packed, `dottool-${version}.tgz`);
const ofPlatform = join(packed, `dottool-${packagedTarget}-${version}.tgz`);

/** Returns a folder with the packages installed. Other packages come from npm's cache where they are there. */
function installed(...archives: readonly string[]): string {
  const folder = mkdtempSync(join(root, "program-"));
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}\n');
  execFileSync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...archives], {
    cwd: folder,
    stdio: "pipe",
  });
  return folder;
}

function inFolder(
  folder: string,
  [command = "", ...words]: readonly string[],
): readonly [number | null, string, string] {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder },
    encoding: "utf8",
  });
  return [status, stdout, stderr];
}

const withExecutable = installed(main, ofPlatform);

test("there is a package for the platform, and the main one", () => {
  assert.equal(
    readdirSync(packed).sort(),
    [`dottool-${version}.tgz`, `dottool-${packagedTarget}-${version}.tgz`].sort(),
  );
});

test("npx dottool starts the executable, with its words, exit code and streams", () => {
  assert.equal(inFolder(withExecutable, ["npx", "--no", "--", "dottool", "--version"]), [
    0,
    `dottool ${version}\n`,
    "",
  ]);
  assert.equal(
    inFolder(withExecutable, wordList("npx --no -- dottool glob . -name package.json -maxdepth 1")).slice(0, 2),
    [0, "./package.json\n"],
  );
  assert.is(inFolder(withExecutable, ["npx", "--no", "--", "dottool", "nowhere"])[0], 66);
  // Only the executable has the licenses of everything in it.
  assert.match(inFolder(withExecutable, ["npx", "--no", "--", "dottool", "--licenses"])[1], "Node.js");
});

test("npx dottool runs in Node where npm has installed no executable", () => {
  const folder = installed(main);
  assert.equal(inFolder(folder, ["npx", "--no", "--", "dottool", "--version"]), [0, `dottool ${version}\n`, ""]);
  assert.match(inFolder(folder, ["npx", "--no", "--", "dottool", "--licenses"])[1], "This library is dottool");
});

test("npm installs both from a registry into an empty home, and a call is the second command", async () => {
  const uplink = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const { url } = await startRegistry(uplink);
  const npmrc = `registry=${url}\n${url.replace("http:", "")}:_authToken=anyone\n`;
  const home = (): string => {
    const folder = mkdtempSync(join(root, "home-"));
    writeFileSync(join(folder, ".npmrc"), `${npmrc}prefix=${folder}/npm\n`);
    return folder;
  };
  const publisher = home();
  for (const archive of [ofPlatform, main])
    assert.is(inFolder(publisher, ["npm", "publish", "--silent", archive])[0], 0, archive);
  const person = home();
  assert.is(inFolder(person, wordList("npm install --global --silent dottool"))[0], 0);
  assert.equal(inFolder(person, [join(person, "npm/bin/dottool"), "glob", ".", "-name", ".npmrc"]), [
    0,
    "./.npmrc\n",
    "",
  ]);
  assert.match(inFolder(person, [join(person, "npm/bin/dottool"), "--licenses"])[1], "Node.js");
  assert.equal(inFolder(home(), wordList("npx --yes --silent dottool --version")), [0, `dottool ${version}\n`, ""]);
});

test("the main package is still the library", () => {
  const program =
    'import { openTools } from "dottool"; const tools = await openTools({ cwd: "." }); console.log((await tools.names()).includes("glob")); await tools.close();';
  assert.equal(inFolder(withExecutable, [process.execPath, "--input-type=module", "-e", program]), [0, "true\n", ""]);
});

test("the package of `export mcp-registry` runs its tools and plugins, and serves them as its entry says", async () => {
  const folder = mkdtempSync(join(root, "team-"));
  for (const [path, text] of Object.entries(team)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const exported = inFolder(folder, [packagedFile, "export", "mcp-registry", "-o", "ops"]);
  assert.equal(exported.slice(0, 2), [
    0,
    "wrote ops: 1 tool as `ops`\npublish it in ops: npm publish, then mcp-publisher publish\n",
  ]);
  // Nobody has trusted the folder yet, so its plugin does not run to be described.
  assert.match(exported[2], /^note: the tools of a plugin are not described: .*\n {2}= .*\n$/);
  execFileSync("npm", ["pack", "./ops", "--silent"], { cwd: folder, stdio: "pipe" });
  const program = installed(main, ofPlatform, join(folder, "acme-ops-1.2.0.tgz"));
  const npx = ["npx", "--no", "--", "ops"];
  assert.equal(inFolder(program, [...npx, "greet", "--name", "Ana"]), [0, "hello Ana\n", ""]);
  assert.equal(inFolder(program, [...npx, "shout", "--text", "hey"]), [0, "HEY\n", ""]);
  const entry = JSON.parse(readFileSync(join(folder, "ops/server.json"), "utf8")) as ServerEntry;
  const [package_] = entry.packages;
  const words = package_?.packageArguments.map(({ name, value }) => (name === undefined ? value : `${name}=${value}`));
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  const environment = { PATH: process.env["PATH"] ?? "", HOME: program };
  await client.connect(
    new StdioClientTransport({
      command: "npx",
      args: [...npx.slice(1), ...(words ?? [])],
      cwd: program,
      env: environment,
      stderr: "inherit",
    }),
  );
  try {
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ana" } });
    assert.equal(content, [{ type: "text", text: "hello Ana\n" }]);
  } finally {
    await client.close();
  }
});

interface ServerEntry {
  readonly packages: readonly [
    { readonly packageArguments: readonly { readonly name?: string; readonly value: string }[] },
  ];
}

const team = {
  ".tools/greet.tool": "Greets a person.\n\n@command echo hello {name}\n@param name [required] Who\n@tags read\n",
  ".tools/plugins/shout.ts": `import { definePlugin, defineTool, string } from "dottool";
export default definePlugin({ name: "shout", tools: [defineTool({ name: "shout", description: "Shouts.", effects: ["read"], parameters: { text: string("What") }, run: ({ text }) => text.toUpperCase() })] });
`,
  ".tools/package.json": '{"name":"@acme/ops","version":"1.2.0","author":"Ana","repository":"acme/tools"}',
};

test.run();
