// `dottool export` through the program: what each form says, word for word, and what is refused.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("export");
const runLine = startingOnce();

const greet = `Greets a person. Says nothing else.

@title Greet
@name greet
@wrapped run_command
@command cat "greeting | in here.txt" {name}
@param name {path} [required] Who
@tags read
`;
const files = {
  ".tools/greet.tool": greet,
  ".tools/package.json":
    '{"name":"@acme/Ops Tools","version":"1.2.0","description":"Tools of Acme.","author":"Ana <ana@acme.example>","license":"MIT","repository":"acme/tools","keywords":["ops"]}',
  ".tools/.env": "TOKEN=x\n",
  "greeting | in here.txt": "hello\n",
  "Ana.txt": "Ana\n",
  ".tools/ask.tool":
    "Asks the service.\n\n@command env asking {region}\n@env ACME=secret:ACME_KEY\n@param region [env=ACME_REGION, default=eu] Where\n@tags read\n",
  "bare folder/other.tool": "@name other\n@command echo other\n",
  "broken/bad.tool": "@name bad\n@timeout soon\n@wrapped run_command\n",
  "lacking/shout.tool": "Shouts.\n\n@wrapped no_such_tool\n",
  "telling/own.tool": "@name own\n@command curl -H 'Authorization: ghp_abcdefghijklmnopqrstuvwxyz0123456789'\n",
};
const forms = ["agent-plugin", "claude-plugin", "gemini-extension", "skill", "npx", "mcp-registry"] as const;

function tree(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => `--- ${path.slice(folder.length + 1)}\n${readFileSync(path, "utf8")}`)
    .join("");
}

test("each form is as in golden/export.txt", async () => {
  using bench = testProject(files);
  const shown: string[] = [];
  for (const form of forms) {
    const { stdout, stderr, exitCode } = await runLine(bench, ["export", form, "-o", `out/${form}`]);
    shown.push(`$ dottool export ${form} -o out/${form}\n${stdout}${stderr}exit code ${exitCode}\n`);
    shown.push(tree(join(bench.folder, "out", form)));
  }
  assertGolden("cli/golden/export.txt", shown.join("\n"));
});

test("what cannot be exported is refused as in golden/export-refusals.txt, and nothing is written", async () => {
  using bench = testProject(files);
  bench.write("out/plugin.json", "mine");
  const lines = [
    ["export", "skil", "-o", "out"],
    ["export", "skill"],
    ["export", "skill", "-o", ""],
    ["export", "agent-plugin", "-o", "out"],
    ["export", "skill", "-o", ".tools/out"],
    ["export", "skill", "nowhere", "-o", "new"],
    ["export", "skill", "Ana.txt", "-o", "new"],
    ["export", "skill", "broken", "-o", "new"],
    ["export", "skill", "lacking", "-o", "new"],
    ["export", "skill", "telling", "-o", "new"],
    ["export", "skill", "-o", "new", "--name", "Acme Tools"],
    ["export", "skill", "-o", "Ana.txt/new"],
  ];
  const before = tree(bench.folder);
  const shown: string[] = [];
  for (const words of lines) {
    const { stdout, stderr, exitCode } = await runLine(bench, words);
    shown.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit code ${exitCode}\n`);
  }
  const without = (text: string): string => text.replaceAll(/--- home\/[^]*?(?=--- |$)/g, "");
  assert.equal(without(tree(bench.folder)), without(before));
  assertGolden("cli/golden/export-refusals.txt", shown.join("\n"));
  const forced = await runLine(bench, ["export", "agent-plugin", "-o", "out", "--force"]);
  assert.equal([forced.exitCode, readFileSync(join(bench.folder, "out/plugin.json"), "utf8").length > 4], [0, true]);
});

test("an agent plugin fits the schemas of its standard", async () => {
  using bench = testProject(files);
  const path = new URL("data/agent-plugins-1.0.0.json", import.meta.url);
  const schemas = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, object>>;
  await runLine(bench, ["export", "agent-plugin", "-o", "out"]);
  const wrong = {
    "plugin.json": { name: "ops--tools" },
    "mcp.json": { mcpServers: { ops: { command: "dottool" } } },
  };
  for (const [file, change] of Object.entries(wrong)) {
    const fits = new Ajv2020({ allErrors: true }).compile(schemas[file] ?? {});
    const written = JSON.parse(readFileSync(join(bench.folder, "out", file), "utf8")) as object;
    assert.equal([file, fits(written), fits.errors], [file, true, null]);
    assert.not.ok(fits({ ...written, ...change }), file);
  }
});

/** The schema is that of the registry; it has rules for all forms of packages, and lets more keys be there. */
function entrySchema(): ValidateFunction {
  const text = readFileSync(new URL("data/mcp-server-2025-12-11.json", import.meta.url), "utf8");
  const formats = { uri: (value: string) => URL.canParse(value) };
  return new Ajv({ allErrors: true, formats }).compile(JSON.parse(text) as object);
}

test("server.json fits the schema of the registry, however long the texts of the folder are", async () => {
  using bench = testProject(files);
  const fits = entrySchema();
  const manifest = {
    name: "ops",
    version: "1.2.0",
    description: "Tools for everything. ".repeat(20),
    homepage: "acme.example",
    repository: { url: "git+https://github.com/Acme/tools.git", directory: "ops" },
  };
  bench.write(".tools/package.json", JSON.stringify(manifest));
  const written = (): unknown => JSON.parse(readFileSync(join(bench.folder, "out/server.json"), "utf8"));
  await runLine(bench, ["export", "mcp-registry", "-o", "out"]);
  assert.equal([fits(written()), fits.errors], [true, null]);
  assert.is((written() as { readonly name: string }).name, "io.github.Acme/ops");
  const [{ transport: _, ...lacking } = {}] = (written() as { readonly packages: readonly { transport?: object }[] })
    .packages;
  for (const wrong of [
    { name: "ops" },
    { description: "" },
    { description: "x".repeat(101) },
    { repository: { url: "https://github.com/Acme/tools" } },
    { packages: [lacking] },
    { packages: [{ ...lacking, transport: { type: "stdio" }, version: "latest" }] },
  ])
    assert.not.ok(fits({ ...(written() as object), ...wrong }), JSON.stringify(wrong));
});

test("what npm or the registry would refuse is refused before", async () => {
  using bench = testProject(files);
  const said = async (manifest: object, form = "npx"): Promise<string | undefined> => {
    bench.write(".tools/package.json", JSON.stringify(manifest));
    return (await runLine(bench, ["export", form, "-o", "out"])).stderr.split("\n")[0];
  };
  assert.equal(
    [await said({ version: "1.2" }), await said({ version: "1.2.0" }, "mcp-registry")],
    [
      "failed[usage]: npm does not accept the version `1.2`; write three numbers in `package.json`, as in `1.2.0`",
      "failed[usage]: the MCP registry needs a name that shows its owner; set `repository` in `package.json` to one on GitHub, or `mcpName` as in `com.example/tools`",
    ],
  );
  bench.write(".tools/node_modules/x/index.js", "");
  assert.is(
    await said({ version: "1.2.0" }),
    "failed[usage]: npm leaves out `node_modules/x/index.js`, as all of `node_modules`; name the package under `dependencies` of `package.json` instead, and move `node_modules` away",
  );
  assert.not.ok(existsSync(join(bench.folder, "out")));
});

test("a folder without package.json has the name of the folder", async () => {
  using bench = testProject(files);
  const { stdout, stderr } = await runLine(bench, ["export", "skill", "bare folder", "-o", "new"]);
  assert.ok(stdout.startsWith("wrote new: 1 tool as `bare-folder`\n"));
  assert.ok(stderr.includes("note: the version is 0.0.0"));
});

test.run();
