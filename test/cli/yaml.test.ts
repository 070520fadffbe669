// Definitions in YAML through the program: what people see of them, word for word.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = suite("YAML on the command line");
const runLine = startingOnce();

const count = `name: count
description: Count lines that match.
version: 1.0.0
bash: grep -c -e {PATTERN} {FILE}
parameters:
  PATTERN:
    description: What to look for
    required: true
    examples: [TODO, FIXME]
    detailed-help: A basic regular expression.
  FILE:
    description: Where
    default: notes.txt
    transform: value.replace('~', 'home')
security:
  required-permissions: ["filesystem:read:{FILE}"]
  justification: It only looks.
tests:
  - name: counts
    description: Finds its own line
    parameters: { PATTERN: x, FILE: /dev/null }
    expected: { exit-code: 1, output-contains: "0" }
`;

const asks =
  "description: Ask.\nbash: printf 'name? '; read -r name || name=nobody; echo \"hello $name\"\ninteractive: true\ninteractive-options: { timeout: 300, default-response: stranger }\n";

test("a tool in YAML is called, shown, explained, exported and tested like any other", async () => {
  using bench = testProject({
    ".tools/count.yaml": count,
    ".tools/asks.yaml": `${asks}working-directory: ~/notes\n`,
    "notes.txt": "TODO a\nb\nTODO c\n",
  });
  const lines = [
    ["count", "TODO"],
    ["count", "--help"],
    ["show", "count"],
    ["explain", "count", "x"],
    ["schema", "count"],
    ["test"],
    ["check"],
    ["list", "count"],
    ["explain", "asks"],
    ["show", "asks"],
  ];
  const runs = await Promise.all(lines.map((words) => runLine(bench, words)));
  const said = runs
    .map(
      ({ stdout, stderr, exitCode }, index) =>
        `$ dottool ${(lines[index] ?? []).join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`,
    )
    .join("\n");
  assertGolden("cli/golden/yaml.txt", said);
});

test("check --fix repairs YAML, and fmt leaves it as it is", async () => {
  using bench = testProject({
    ".tools/greet.yaml":
      "name: greet\ndescripton: Greet somebody kindly\nbash: echo hello {NAME}\nparamters:\n  NAME:\n    description: Who\n",
  });
  assert.is(
    (await runLine(bench, ["check", "--fix"])).stdout,
    "fixed .tools/greet.yaml\n1 definition checked: no problems\n",
  );
  const repaired =
    "name: greet\ndescription: Greet somebody kindly\nbash: echo hello {NAME}\nparameters:\n  NAME:\n    description: Who\n";
  assert.is(readFileSync(join(bench.folder, ".tools", "greet.yaml"), "utf8"), repaired);
  assert.is((await runLine(bench, ["fmt"])).stdout, "");
  assert.is((await runLine(bench, ["fmt", ".tools/greet.yaml"])).stdout, "unchanged: .tools/greet.yaml is YAML\n");
  assert.is(readFileSync(join(bench.folder, ".tools", "greet.yaml"), "utf8"), repaired);
});

/** Returns everything that reaches the terminal. `answer` is typed at the question. */
function atTerminal(bench: TestProject, answer: string | undefined): Promise<string> {
  const { command, words, environment } = bench.program;
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", commandLine([command, ...words, "asks"]), "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/sh", TERM: "dumb" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      const isAsked = text.includes("name? ");
      text += part;
      if (answer !== undefined && !isAsked && text.includes("name? ")) child.stdin.write(answer);
    });
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("a tool that asks is answered by the person at the terminal, and by its default after a while", async () => {
    using bench = testProject({
      ".tools/asks.yaml": asks.replace("timeout: 300", "timeout: 30000"),
      "late/.tools/asks.yaml": asks,
    });
    assert.equal(
      await Promise.all([
        atTerminal(bench, "Ana\n"),
        atTerminal({ ...bench, folder: join(bench.folder, "late") }, undefined),
      ]),
      [
        "name? Ana\r\nhello Ana\r\n",
        "name? \r\ndottool answered with `stranger`, because you did not\r\nhello stranger\r\n",
      ],
    );
  });

test.run();
