// `dottool import` through the program: what it prints, writes and refuses, word for word; and that what it wrote does
// what the original does.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type ToolBench, startingOnce, toolBench } from "../tool-bench.ts";

const test = suite("import");
const runLine = startingOnce();

const packageJson = JSON.stringify({
  name: "web",
  private: true,
  scripts: {
    prebuild: "echo before",
    build: "echo building",
    "test:unit": "node -p 'process.argv.slice(1).concat(process.env.npm_lifecycle_event).join()'",
    release: "curl -H 'Authorization: Bearer abcdef123456' https://example.org -d $NPM_TOKEN",
    postinstall: "echo never",
  },
});

const justfile = `set shell := ["bash", "-uc"]
version := "1.2"
export GREETING := "hi " + version

# Greets somebody
greet name="world" *rest: prepare
    @echo "{{GREETING}} $GREETING {{name}} {{rest}}"
    cd / && pwd

[private]
prepare:
    @echo prepare {{version}}

fail:
    echo a
    -false
    echo b; (exit 3)
    echo never

print +files:
    printf '<%s>' {{files}} && echo '{{{{x}}'

token := env("DEPLOY_TOKEN", "none")
python:
    #!/usr/bin/env python3
    print("{{version}}")

here: (say "bob jones")
say who:
    @echo "hello '{{who}}'"
stamp := \`date\`
now who:
    echo {{stamp}} {{who}}
`;

async function said(bench: ToolBench, lines: readonly (readonly string[])[]): Promise<string> {
  const texts: string[] = [];
  for (const words of lines) {
    const { stdout, stderr, exitCode } = await runLine(bench, words);
    texts.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`);
  }
  return texts.join("\n");
}

test("import prints, writes, refuses and reports as in golden/import.txt", async () => {
  using bench = toolBench({
    "package.json": packageJson,
    "web/package.json": packageJson,
    "web/pnpm-lock.yaml": "",
    "notes.txt": "x",
    "broken/package.json": "{",
    "empty/package.json": "{}",
    "empty/x/y": "",
  });
  const lines = [
    ["import", "package.json", "--print"],
    ["import", "web", "--only", "build", "--json"],
    ["import", "package.json", "--only", "build"],
    ["import", "package.json"],
    ["import", "."],
    ["import", "notes.txt"],
    ["import", "missing.json"],
    ["import", "broken"],
    ["import", "empty"],
    ["import", "empty/x"],
    ["import", "package.json", "--only", "biuld"],
    ["import", "http://127.0.0.1:9/justfile"],
    ["import", ".", "--print", "--json"],
    ["import", "--help"],
  ];
  assertGolden("cli/golden/import.txt", await said(bench, lines));
});

test("import makes tools of a justfile as in golden/import-just.txt", async () => {
  using bench = toolBench({ justfile });
  assertGolden("cli/golden/import-just.txt", await said(bench, [["import", "justfile", "--print"]]));
});

test("import --force replaces files, and nothing else does", async () => {
  using bench = toolBench({ "package.json": packageJson, ".tools/build.tool": "mine" });
  const read = (): string => readFileSync(join(bench.folder, ".tools/build.tool"), "utf8");
  assert.is((await runLine(bench, ["import", "package.json"])).exitCode, 1);
  assert.equal([read(), readdirSync(join(bench.folder, ".tools"))], ["mine", ["build.tool"]]);
  await runLine(bench, ["import", "package.json", "--force"]);
  assert.match(read(), "@name build\n");
});

test("import writes no secret of the source", async () => {
  using bench = toolBench({
    "package.json": packageJson,
    justfile:
      "up:\n    curl -u me:hunter2222 https://example.org\nkey := 'x'\nin api_key='sk-abcdefabcdefabcdef':\n    echo {{api_key}}\n",
  });
  const { stdout, stderr } = await runLine(bench, ["import", ".", "-o", "out"]);
  const files = readdirSync(join(bench.folder, "out")).map((name) =>
    readFileSync(join(bench.folder, "out", name), "utf8"),
  );
  assert.is(/abcdef|hunter2222/.test([stdout, stderr, ...files].join("\n")), false);
  assert.match(stderr, "`up` does not contain the secret of the source: set `UP_PASSWORD` to it\n");
});

test("imported npm scripts do what npm does", async () => {
  needPrograms("npm");
  using bench = toolBench({ "package.json": packageJson });
  await runLine(bench, ["import", "package.json"]);
  assert.is((await bench.run(["test-unit", "a b", "-c"])).stdout, "a b,-c,test:unit\n");
  assert.is((await bench.run(["build"])).stdout, "before\nbuilding\n");
});

/** What just 1.57 prints and returns for the same values. */
const justRuns = [
  [["greet"], "prepare 1.2\nhi 1.2 hi 1.2 world \n/\n", 0],
  [["greet", "--name", "bob", "--rest", "x y"], "prepare 1.2\nhi 1.2 hi 1.2 bob x y\n/\n", 0],
  [["fail"], "a\nb\n", 3],
  [["print", "a", "b"], "<a><b>{{x}}\n", 0],
  [["here"], "hello 'bob jones'\n", 0],
] as const;

test("imported recipes do what just does", async () => {
  using bench = toolBench({ justfile });
  await runLine(bench, ["import", "justfile"]);
  for (const [words, stdout, exitCode] of justRuns) {
    const run = await runLine(bench, words);
    assert.equal([run.stdout, run.exitCode], [stdout, exitCode]);
  }
});

test("a value of an imported recipe is data", async () => {
  using bench = toolBench({ justfile });
  await runLine(bench, ["import", "justfile"]);
  const value = '"; touch broken; $(touch broken) `touch broken`';
  const { stdout } = await runLine(bench, ["say", value]);
  assert.is(stdout, `hello '${value}'\n`);
  assert.is(existsSync(join(bench.folder, "broken")), false);
});

test.run();
