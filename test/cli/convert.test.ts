// `dottool convert` through the program: what it prints, writes and refuses, word for word; and that what it wrote runs
// the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { toolBench, startingOnce } from "../tool-bench.ts";

const test = suite("convert");
const runLine = startingOnce();

const stats = `Counts the lines of files.

@title Line Statistics
@name stats
@tags run read
@param files {array<path>} [required] Files
@step count sh [for-each={files} concurrency=2]
    wc -l < {item}
@step sum code
    return count.split("\\n").map(Number).reduce((a, b) => a + b);
@output
    {sum} lines
`;
const greet = `name: greet
description: |
  Says hello.

  To anybody.
tags: [run]
parameters:
  WHO: { description: "A name: any", default: "yes", transform: value.trim() }
bash: |
  echo "hello {WHO}" # not a comment of YAML
  echo '{{WHO}}'
`;
const folder =
  "entrypoint: run\nname: list\ndescription: L\nparameters:\n  - { name: words, type: array, description: W }\n";
const files = {
  ".tools/stats.tool": stats,
  ".tools/greet.yaml": greet,
  "slip.tool": "@name slip\n@wraped run_command\n",
  "broken.tool": "@name broken\n@wrapped run_command\n@command echo {a\n@param\n",
  "list.yaml": folder,
  "return.yaml": 'name: return\ndescription: A\nsteps:\n  - name: one\n    bash: "echo a\\r\\necho b"\n',
  "other.tool": stats.replace("@name stats", "@name other"),
  "a.txt": "1\n2\n",
  "b.txt": "3\n",
};

test("convert prints, writes, refuses and reports as in golden/convert.txt", async () => {
  using bench = toolBench(files);
  const lines = [
    ["convert", "stats"],
    ["convert", ".tools/greet.yaml"],
    ["convert", "greet", "--to", "yaml"],
    ["convert", "greet", "--json"],
    ["convert", "other.tool", "--write"],
    ["convert", "stats", "-o", "a.txt"],
    ["convert", "stats", "-o", "nowhere/a.yaml"],
    ["convert", "glob", "--write"],
    ["convert", "stats", "--write", "-o", "a.txt"],
    ["convert", "list.yaml"],
    ["convert", "return.yaml"],
    ["convert", "read_file"],
    ["convert", "slip.tool"],
    ["convert", "broken.tool"],
    ["convert", "missing.yaml"],
    ["convert", "stast"],
    ["convert"],
    ["convert", "stats", "--to", "json"],
    ["convert", "--help"],
  ];
  const said = await Promise.all(
    lines.map(async (words) => {
      const { stdout, stderr, exitCode } = await runLine(bench, words);
      return `$ dottool ${words.join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`;
    }),
  );
  assertGolden("cli/golden/convert.txt", said.join("\n"));
});

test("what convert wrote does the same", async () => {
  using bench = toolBench(files);
  const calls = [
    ["stats", "a.txt", "b.txt"],
    ["greet", "--WHO", " you "],
  ];
  const outputs = async (): Promise<readonly string[]> =>
    Promise.all(calls.map(async (words) => (await runLine(bench, words)).stdout));
  const before = await outputs();
  assert.equal(before, ["3 lines\n", "hello you\n{WHO}\n"]);
  const written = [
    [".tools/stats.tool", "other/stats.yaml"],
    [".tools/greet.yaml", "other/greet.tool"],
  ] as const;
  await Promise.all(
    written.map(async ([from, to]) => bench.write(to, (await runLine(bench, ["convert", from])).stdout)),
  );
  const after = await Promise.all(
    calls.map(async (words) => (await runLine(bench, ["--tools", "other", ...words])).stdout),
  );
  assert.equal(after, before);
});

test("convert --force replaces a file, and nothing else does", async () => {
  using bench = toolBench(files);
  const read = (): string => readFileSync(join(bench.folder, "a.txt"), "utf8");
  await runLine(bench, ["convert", "greet", "-o", "a.txt"]);
  assert.is(read(), "1\n2\n");
  await runLine(bench, ["convert", "greet", "-o", "a.txt", "--force"]);
  assert.match(read(), "@name greet\n");
});

test("convert --write writes what it is given by name, or by a folder, where the same name reaches it", async () => {
  using bench = toolBench(files);
  bench.write(".tools/ana/hello.yaml", "name: hello\ndescription: H\nbash: echo hello\n");
  bench.write(".tools/run-it/tool.yaml", "description: R\nentrypoint: run\n");
  const runs = await Promise.all(
    [
      ["convert", "ana/hello", "--write"],
      ["convert", ".tools/run-it/tool.yaml", "--write"],
    ].map((words) => runLine(bench, words)),
  );
  assert.equal(
    runs.map(({ stdout, stderr }) => stdout + stderr),
    [
      "wrote .tools/ana/hello.tool\n`.tools/ana/hello.yaml` is the same tool: remove the one you do not need\n",
      "wrote .tools/run-it.tool\n`.tools/run-it/tool.yaml` is the same tool: remove the one you do not need\n",
    ],
  );
  assert.match(readFileSync(join(bench.folder, ".tools/ana/hello.tool"), "utf8"), "@name hello\n");
  assert.match(readFileSync(join(bench.folder, ".tools/run-it.tool"), "utf8"), "@name run-it\n");
});

test("schema --for yaml prints the schema that lies in grammar/", async () => {
  using bench = toolBench(files);
  const [printed, named] = await Promise.all([
    runLine(bench, ["schema", "--for", "yaml"]),
    runLine(bench, ["schema", "greet", "--for", "yaml"]),
  ]);
  assert.equal(
    JSON.parse(printed.stdout),
    JSON.parse(readFileSync(new URL("../../grammar/tools.schema.json", import.meta.url), "utf8")),
  );
  assert.is(
    named.stderr.split("\n")[0],
    "failed[usage]: `--for yaml` prints the schema of YAML definitions; leave out `greet`",
  );
});

test.run();
