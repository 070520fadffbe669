// What a folder uses besides its own definitions is in each form: the tools of approved packages, under their names, and
// those of plugins, its own and the packages'.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { installedAt } from "../installed-program.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("export packages");

const plugin = (name: string, module: string): string => `import { definePlugin, defineTool, string } from "dottool";
import { mark } from "${module}";

const tool = defineTool({
  name: "${name}",
  description: "Marks a word.",
  effects: ["read"],
  parameters: { word: string("Which", { required: true }) },
  run: ({ word }) => mark(word),
});
export default definePlugin({ name: "${name}", tools: [tool] });
`;
const hey = "Greets loudly.\n\n@command echo HELLO {name}\n@param name [required] Who\n@tags read\n";
const files = {
  "project/.tools/own.tool": "Greets.\n\n@wrapped hey\n@param name [required] Who\n@tags read\n",
  "project/.tools/package.json": '{"name":"ops","version":"1.0.0"}',
  "project/.tools/plugins/star.ts": plugin("star", "../lib/mark.ts"),
  "project/.tools/lib/mark.ts": "export const mark = (word: string): string => `*${word}*`;\n",
  "text/package.json":
    '{"name":"@team/text","version":"1.0.0","dottool":{"tools":"definitions","plugins":["plugins/dash.ts"]}}',
  "text/definitions/hey.tool": hey,
  "text/plugins/dash.ts": plugin("dash", "../lib/mark.ts"),
  "text/lib/mark.ts": "export const mark = (word: string): string => `-${word}-`;\n",
};
const names = ["dash", "own", "star", "team/hey"];

interface Fixture {
  readonly bench: TestProject;
  export(...words: readonly string[]): Promise<ToolRun>;
  read(path: string): string;
}

async function withPackage(
  { isApproved, isTrusted = true }: { readonly isApproved: boolean; readonly isTrusted?: boolean },
  use: (bench: Fixture) => Promise<void> | void,
): Promise<void> {
  using bench = testProject(files, { isTrusted });
  const cwd = "project";
  await bench.here(["add", "../text"], { cwd });
  const { stdout } = await bench.here(["trust", "--package", "@team/text", "--show"], { cwd });
  const [hash = ""] = isApproved ? (/[0-9a-f]{64}/.exec(stdout) ?? []) : [];
  await use({
    bench,
    export: (...words) => bench.here(["export", ...words], { cwd, environment: { DOTTOOL_TRUST: hash } }),
    read: (path) => readFileSync(join(bench.folder, "project", path), "utf8"),
  });
}

test("a skill describes the tools of packages and plugins, and runs them where the package is not installed", () =>
  withPackage({ isApproved: true }, async ({ bench, export: written, read }) => {
    const { exitCode, stdout, stderr } = await written("skill", "-o", "../skill");
    assert.equal([exitCode, stdout.split("\n")[0], stderr], [0, "wrote ../skill: 4 tools as `ops`", ""]);
    const table = [...read("../skill/SKILL.md").matchAll(/^\| `([\w/]+)` \|/gm)].map(([, name]) => name);
    assert.equal(table.toSorted(), names);
    const env = { ...installedAt(bench), HOME: join(bench.folder, "another home") };
    const run = (...words: readonly string[]): string =>
      execFileSync(join(bench.folder, "skill/scripts/ops"), words, { cwd: bench.folder, env, encoding: "utf8" });
    assert.equal(
      [run("team/hey", "--name", "Ana"), run("own", "--name", "Ana"), run("star", "Ana"), run("dash", "Ana")],
      ["HELLO Ana\n", "HELLO Ana\n", "*Ana*\n", "-Ana-\n"],
    );
  }));

test("OpenAPI and TypeScript have the tools of packages and plugins", () =>
  withPackage({ isApproved: true }, async ({ export: written, read }) => {
    await written("openapi", "-o", "ops.json");
    const { paths } = JSON.parse(read("ops.json")) as { readonly paths: object };
    assert.equal(Object.keys(paths).toSorted(), ["/tools/dash", "/tools/own", "/tools/star", "/tools/team__hey"]);
    await written("typescript", "-o", "ops.ts");
    const types = [...read("ops.ts").matchAll(/^ {2}"([\w/]+)": \{/gm)].map(([, name]) => name);
    assert.equal(types.toSorted(), names);
  }));

test("a package for npm has the packages inside, apart from node_modules, which npm leaves out", () =>
  withPackage({ isApproved: true }, async ({ bench, export: written }) => {
    assert.is((await written("npx", "-o", "npx")).exitCode, 0);
    const inside = ["team/hey.tool", "plugins/team-text-dash.ts", "plugins/@team/text/lib/mark.ts"];
    assert.equal(
      inside.map((path) => existsSync(join(bench.folder, "project/npx/tools", path))),
      [true, true, true],
    );
  }));

test("a project without tools of its own gives those of its packages", () =>
  withPackage({ isApproved: true }, async ({ bench, export: run, read }) => {
    rmSync(join(bench.folder, "project/.tools"), { recursive: true });
    const refused = await run("openapi", "-o", "api.json");
    assert.is(
      refused.stderr,
      "failed[missing]: there is no `.tools` here or above\n  = `mkdir .tools`, then the packages of `dottool.lock` are taken, without tools of your own\n",
    );
    mkdirSync(join(bench.folder, "project/.tools"));
    assert.is((await run("openapi", "-o", "api.json")).exitCode, 0);
    const { paths } = JSON.parse(read("api.json")) as { readonly paths: object };
    assert.equal(Object.keys(paths), ["/tools/team__hey", "/tools/dash"]);
  }));

test("a project that is a package gives its name and version, and nothing of its scripts", async () => {
  using bench = testProject({
    ".tools/hey.tool": hey,
    "package.json": '{"name":"@acme/ops","version":"2.1.0","scripts":{"x":"y"},"dottool":{"tools":".tools"}}',
  });
  const { stdout, stderr } = await bench.here(["export", "npx", "-o", "out"]);
  const read = (path: string): Readonly<Record<string, unknown>> =>
    JSON.parse(readFileSync(join(bench.folder, path), "utf8"));
  const { name, version } = read("out/package.json");
  assert.equal(
    [stdout.split("\n")[0], stderr, name, version, read("out/tools/package.json")],
    ["wrote out: 1 tool as `ops`", "", "@acme/ops", "2.1.0", { name: "@acme/ops", version: "2.1.0" }],
  );
});

test("a package that is not approved is not given away", () =>
  withPackage({ isApproved: false }, async ({ bench, export: written }) => {
    const { exitCode, stderr } = await written("skill", "-o", "skill");
    assert.equal(
      [exitCode, stderr, existsSync(join(bench.folder, "project/skill"))],
      [
        65,
        "failed[export]: `@team/text` is not approved, and those who get the output trust everything in it\n  = `dottool trust --package @team/text` shows what it runs, and asks you\n",
        false,
      ],
    );
  }));

test("a plugin that is not trusted does not run, and the output says that its tools are not described", () =>
  withPackage({ isApproved: true, isTrusted: false }, async ({ export: written, read }) => {
    const { stderr } = await written("openapi", "-o", "ops.json");
    assert.is(
      stderr,
      "note: the tools of a plugin are not described: the plugin `.tools/plugins/star.ts` is not loaded: `.tools` is not trusted yet\n  = `dottool trust <bench>/project` shows what it could run, and asks you\n",
    );
    const { paths } = JSON.parse(read("ops.json")) as { readonly paths: object };
    assert.equal(Object.keys(paths).toSorted(), ["/tools/dash", "/tools/own", "/tools/team__hey"]);
  }));

test.run();
