// The parts of a trusted plugin: the files of its tool folder, with the trusted content, however they are imported.
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("trusted modules");
const isDeno = "Deno" in globalThis;

const plugin = (code: string, result: string): string =>
  `import { definePlugin, defineTool } from "dottool";\n${code}\nexport default definePlugin({ name: "p", tools: [defineTool({ name: "said", description: "S", parameters: {}, run: async () => ${result} })] });\n`;

async function withFixture(
  files: Readonly<Record<string, string>>,
  use: (bench: TestProject) => Promise<void>,
): Promise<void> {
  using bench = testProject(files, { isTrusted: false });
  bench.trust();
  await use(bench);
}

const packageJson = (type: string): string =>
  `{ "name": "x", "version": "1.0.0", "type": "${type}", "main": "main.js" }`;

test("everything in the folder is a part of it: TypeScript, JavaScript, JSON, packages, CommonJS", () =>
  withFixture(
    {
      ".tools/plugins/p.ts": plugin(
        'import { a } from "../lib/a.ts";\nimport { b } from "../lib/b.js";\nimport c from "c";\nimport { d } from "d";\nimport data from "../lib/data.json" with { type: "json" };',
        '[a, b, c.c, d, data.e, (await import("../lib/late.ts")).late].join(" ")',
      ),
      ".tools/lib/a.ts": 'export enum A { One = "a" }\nexport const a: string = A.One;\n',
      ".tools/lib/b.js": 'export const b = "b";\n',
      ".tools/lib/data.json": '{ "e": "e" }\n',
      ".tools/lib/late.ts": 'export const late = "late";\n',
      ".tools/package.json": '{ "type": "module" }\n',
      ".tools/node_modules/c/package.json": packageJson("commonjs"),
      ".tools/node_modules/c/main.js": 'module.exports = { c: require("./inner.js") + require("./data.json").f };\n',
      ".tools/node_modules/c/inner.js": 'module.exports = "c";\n',
      ".tools/node_modules/c/data.json": '{ "f": "f" }\n',
      ".tools/node_modules/d/package.json": packageJson("module"),
      ".tools/node_modules/d/main.js": 'export const d = "d";\n',
    },
    async (bench) => {
      assert.equal(await bench.run(["said"]), { exitCode: 0, stdout: "a b cf d e late\n", stderr: "" });
      bench.write(".tools/node_modules/c/inner.js", 'module.exports = "changed";\n');
      assert.is((await bench.run(["said"])).exitCode, 66);
    },
  ));

test("what lies outside of the folder is refused by name, whichever way it is imported", async () => {
  const outside = {
    "lib/outside.ts": "export const x = 1;\n",
    "lib/outside.cjs": "module.exports = 1;\n",
    "node_modules/outer/package.json": packageJson("module"),
    "node_modules/outer/main.js": "export const x = 1;\n",
  };
  const cases: readonly (readonly [code: string, named: string])[] = [
    ['import "../../lib/outside.ts";', "<bench>/lib/outside.ts"],
    ['import "outer";', "<bench>/node_modules/outer/main.js"],
    // Deno has no hook for this one.
    ...(isDeno
      ? []
      : ([
          [
            'import { createRequire } from "node:module";\ncreateRequire(import.meta.url)("../../lib/outside.cjs");',
            "<bench>/lib/outside.cjs",
          ],
        ] as const)),
    ['await import(new URL("../../lib/outside.ts", import.meta.url).href);', "<bench>/lib/outside.ts"],
    ...(isDeno ? [] : ([['import "../linked/outside.ts";', "<bench>/lib/outside.ts"]] as const)),
  ];
  for (const [code, named] of cases) {
    using bench = testProject({ ...outside, ".tools/plugins/p.ts": plugin(code, "1") }, { isTrusted: false });
    if (code.includes("linked")) symlinkSync("../lib", `${bench.folder}/.tools/linked`);
    bench.trust();
    const { stdout } = await bench.run(["check"]);
    // A module behind a link is still the same, if its content was trusted with the folder.
    if (code.includes("linked")) assert.is(stdout, "1 plugin checked: no problems\n");
    else
      assert.match(
        stdout.replace("Error: ", ""),
        `the plugin \`.tools/plugins/p.ts\` cannot be used: it imports \`${named}\`, which is outside \`<bench>/.tools\`, so trust does not cover it; move it into that folder`,
      );
  }
});

for (const [what, name] of [
  ["swapped", "late"],
  ["added", "new"],
])
  test(`a module that is ${what} while the plugin runs is not loaded`, () =>
    withFixture(
      {
        ".tools/plugins/p.ts": plugin(
          'import { writeFileSync } from "node:fs";',
          `(writeFileSync(new URL("../lib/${name}.ts", import.meta.url), "export const late = 2;\\n"), (await import("../lib/${name}.ts")).late)`,
        ),
        ".tools/lib/late.ts": "export const late = 1;\n",
      },
      async (bench) => {
        const { stderr, exitCode } = await bench.run(["said"]);
        assert.is(exitCode, 70);
        assert.match(stderr, `\`<bench>/.tools/lib/${name}.ts\` has changed since it was trusted`);
      },
    ));

test("plugins of a folder that is named, and of a link to a tool folder, load as before", async () => {
  using bench = testProject(
    {
      "tools/plugins/p.ts": plugin('import { x } from "../../lib/x.ts";', "x"),
      "lib/x.ts": 'export const x = "x";\n',
      "other/.tools/plugins/p.ts": plugin('import { y } from "../y.ts";', "y"),
      "other/.tools/y.ts": 'export const y = "y";\n',
    },
    { isTrusted: false },
  );
  assert.is((await bench.run(["--tools", "tools", "said"])).stdout, "x\n");
  renameSync(`${bench.folder}/other/.tools`, `${bench.folder}/real`);
  symlinkSync("../real", `${bench.folder}/other/.tools`);
  mkdirSync(`${bench.folder}/other/work`);
  const hash = (await bench.run(["trust", "--show"], { cwd: "other/work" })).stdout.trim().split("\n").at(-1) ?? "";
  assert.is((await bench.run(["said"], { cwd: "other/work", environment: { DOTTOOL_TRUST: hash } })).stdout, "y\n");
  writeFileSync(`${bench.folder}/real/y.ts`, 'export const y = "z";\n');
  assert.is((await bench.run(["said"], { cwd: "other/work", environment: { DOTTOOL_TRUST: hash } })).exitCode, 66);
});

test.run();
