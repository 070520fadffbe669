// Tests of plugins: how `dottool test` runs them, and what misbehaves in them.
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("tests of plugins");
const plugin =
  'import { definePlugin, defineTool, string } from "dottool";\nexport default definePlugin({ name: "echo", tools: [defineTool({ name: "echo_it", description: "Echoes.", effects: ["read"], parameters: { text: string("What", { required: true }) }, run: ({ text }, { cwd }) => (text === "cwd" ? cwd : text) })] });\n';
const head = 'import { test } from "dottool";\nimport { writeFileSync } from "node:fs";\n';

function project(tests: string, more: Readonly<Record<string, string>> = {}) {
  return testProject({ ".tools/plugins/echo.ts": plugin, ".tools/plugins/echo.test.ts": head + tests, ...more });
}

test("they run beside those of definitions: names, counts, places, JSON and the exit code", async () => {
  using bench = project(
    'test("echoes", async ({ callTool, assert, folder }) => {\n  const { content } = await callTool("echo_it", { text: "cwd" });\n  assert.deepEqual(content, [{ type: "text", text: folder }]);\n});\ntest("is wrong", ({ assert }) => assert.ok(false, "no"));\n',
    {
      ".tools/a.tool":
        "A.\n\n@name a\n@wrapped run_command\n@command echo a\n@test says it\n    expect output-contains a\n",
    },
  );
  assert.equal(await bench.run(["test"]), {
    exitCode: 1,
    stdout:
      "passed   a: says it\npassed   .tools/plugins/echo.test.ts: echoes\nfailed   .tools/plugins/echo.test.ts: is wrong\n           the test of the plugin\n           .tools/plugins/echo.test.ts:7:41: no\n\n2 passed, 1 failed\n",
    stderr: "",
  });
  assert.is((await bench.run(["test", "a"])).stdout, "passed   a: says it\n\n1 passed, 0 failed\n");
  const { results, failed } = JSON.parse((await bench.run(["test", "echo_it", "--json"])).stdout);
  assert.equal(
    [results[1].tool, results[1].test, results[1].kind, results[1].problems, failed],
    [
      ".tools/plugins/echo.test.ts",
      "is wrong",
      "failed",
      [{ kind: "thrown", actual: ".tools/plugins/echo.test.ts:7:41: no" }],
      1,
    ],
  );
});

test("a test that loops, exits, throws later, never settles or prints without end fails alone", async () => {
  using bench = project(
    'test("first", () => {});\ntest("loops", () => { for (;;); }, { timeoutMs: 100 });\ntest("never", () => {});\n',
    {
      ".tools/plugins/exits.test.ts": `${head}test("exits", () => process.exit(0));\ntest("goes on", () => {});\n`,
      ".tools/plugins/late.test.ts": `${head}test("late", async () => { setTimeout(() => { throw new Error("late"); }, 1); await new Promise((go) => setTimeout(go, 60000)); });\n`,
      ".tools/plugins/pends.test.ts": `${head}test("pends", () => new Promise(() => {}));\n`,
      ".tools/plugins/prints.test.ts": `${head}test("prints", async () => { for (let i = 0; i < 64; i++) await new Promise((go) => process.stdout.write("x".repeat(2 ** 20), go)); });\n`,
      ".tools/plugins/syntax.test.ts": `${head}test("a", () => {\n`,
    },
  );
  const { exitCode, stdout, stderr } = await bench.run(["test"]);
  const indent = "\n           the test of the plugin\n           ";
  assert.equal(
    [exitCode, stdout],
    [
      1,
      [
        "passed   .tools/plugins/echo.test.ts: first",
        `failed   .tools/plugins/echo.test.ts: loops${indent}its process ended: it took longer than 0.1 s`,
        `failed   .tools/plugins/exits.test.ts: exits${indent}.tools/plugins/exits.test.ts:3:29: it tried to end the program with \`process.exit\`; a tool must return or throw`,
        "passed   .tools/plugins/exits.test.ts: goes on",
        `failed   .tools/plugins/late.test.ts: late${indent}its process ended: exit code 70`,
        `failed   .tools/plugins/pends.test.ts: pends${indent}it never settles: nothing is left that it could wait for`,
        "passed   .tools/plugins/prints.test.ts: prints",
        `failed   .tools/plugins/syntax.test.ts: loads${indent}.tools/plugins/syntax.test.ts:3:18: Expected ',', got '<eof>'`,
        "",
        "3 passed, 5 failed",
        "",
      ].join("\n"),
    ],
  );
  assert.match(stderr, `${"x".repeat(100)}\n… 67,043,328 more characters\n`);
});

test("tests do not run in a project that is not trusted, or if a plugin there has changed", async () => {
  const trace = (bench: { folder: string }): string => join(bench.folder, "ran");
  using bench = testProject(
    {
      ".tools/plugins/echo.ts": plugin,
      ".tools/plugins/echo.test.ts": `${head}writeFileSync(process.env["RAN"]!, "");\ntest("a", () => {});\n`,
    },
    { isTrusted: false },
  );
  const environment = { RAN: trace(bench) };
  const first = await bench.run(["test"], { environment });
  assert.equal([first.exitCode, first.stdout.includes("passed"), existsSync(trace(bench))], [77, false, false]);
  assert.match(first.stderr, "`.tools/plugins/echo.test.ts` is not loaded");
  bench.trust();
  bench.write(".tools/plugins/echo.ts", `${plugin}// changed\n`);
  assert.equal([(await bench.run(["test"], { environment })).exitCode, existsSync(trace(bench))], [77, false]);
  bench.trust();
  assert.equal([(await bench.run(["test"], { environment })).exitCode, existsSync(trace(bench))], [0, true]);
});

test("tests behind a link run as they were trusted, and not once they are changed", async () => {
  using bench = testProject(
    { ".tools/plugins/echo.ts": plugin, "out/echo.test.ts": `${head}test("a", () => {});\n` },
    { isTrusted: false },
  );
  symlinkSync(join(bench.folder, "out/echo.test.ts"), join(bench.folder, ".tools/plugins/echo.test.ts"));
  bench.trust();
  const before = await bench.run(["test"]);
  assert.equal([before.exitCode, before.stdout.includes("passed ")], [0, true]);
  bench.write("out/echo.test.ts", `${head}test("b", () => {});\n`);
  const after = await bench.run(["test"]);
  assert.equal([after.exitCode, after.stdout.includes("passed ")], [77, false]);
});

test("`test` works only in `dottool test`", async () => {
  using bench = testProject({ ".tools/plugins/wrong.ts": `${head}test("a", () => {});\n` });
  assert.match((await bench.run(["check"])).stdout, "`test` works only in a file `NAME.test.ts`");
});

test.run();
