import { testProject } from "../test-project.ts";
import { assert, suite } from "../harness.ts";

const test = suite("builder/once-steps");

const inner = "Pays.\n\n@name pay\n@title Pay\n@step one sh [once]\n    echo paid\n";

for (const [name, definition, wrong] of [
  [
    "retry of the step",
    "@step a sh [once retry=3]\n    echo a\n",
    "`a` must not run twice, and `retry` would repeat it",
  ],
  [
    "@retry of the tool",
    "@retry 3\n@step a sh [once]\n    echo a\n",
    "`a` must not run twice, and `@retry` would repeat it",
  ],
  [
    "retry of a step that uses such a tool",
    "@step a uses pay [retry=2]\n",
    "`a` must not run twice, and `retry` would repeat it",
  ],
  ["one attempt", "@step a sh [once retry=1]\n    echo a\n", undefined],
] as const)
  test(`once and ${name}: ${wrong === undefined ? "accepted" : "refused"}`, async () => {
    using bench = testProject({ ".tools/pay.tool": inner, ".tools/x.tool": `X.\n\n@name x\n@title X\n${definition}` });
    const { stdout } = await bench.here(["check"]);
    if (wrong === undefined) assert.match(stdout, /no problems/);
    else assert.ok(stdout.includes(wrong), stdout);
  });

test("`once` is converted to YAML and back", async () => {
  using bench = testProject({ ".tools/pay.tool": inner });
  const yaml = (await bench.here(["convert", ".tools/pay.tool", "--to", "yaml"])).stdout;
  assert.match(yaml, /once: true/);
  bench.write("pay.yaml", yaml);
  assert.match((await bench.here(["convert", "pay.yaml", "--to", "tool"])).stdout, /^@step one sh \[once\]$/m);
});

test.run();
