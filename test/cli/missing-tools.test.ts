// `dottool check` on `@depends`, and on programs beside their definition.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { toolBench, startingOnce } from "../tool-bench.ts";

const test = suite("missing-tools");
const runLine = startingOnce();

const part = (version: string): string =>
  `Part.\n\n@title Part\n@name part\n@wrapped run_command\n@command true\n${version}`;

test("check says which tools are missing, and which have another version", async () => {
  using bench = toolBench({
    ".tools/whole.tool":
      "Whole.\n\n@title Whole\n@name whole\n@depends official/part@^2.0.0 gone other/part@1.x\n@step a uses official/part\n",
    ".tools/official/part.tool": part("@version 1.2.0\n"),
    ".tools/other/part.tool": part(""),
  });
  const { stdout, exitCode } = await runLine(bench, ["check"]);
  assert.equal(
    [stdout, exitCode],
    [
      `warning[missing-dependency]: \`whole\` cannot run here: it depends on \`official/part\` ^2.0.0; the installed \`official/part\` is 1.2.0
  ╭─ .tools/whole.tool:5:10
  │
5 │ @depends official/part@^2.0.0 gone other/part@1.x
  │          ^^^^^^^^^^^^^
  ╵
  = help: get a definition of \`official/part\` that is ^2.0.0

warning[missing-dependency]: \`whole\` cannot run here: it depends on the tool \`gone\`, which does not exist
  ╭─ .tools/whole.tool:5:31
  │
5 │ @depends official/part@^2.0.0 gone other/part@1.x
  │                               ^^^^
  ╵
  = help: add a definition of \`gone\` to a tool folder; \`dottool install --deps whole\` looks for a package that has it

warning[missing-dependency]: \`whole\` cannot run here: it depends on \`other/part\` 1.x; the installed \`other/part\` has no \`@version\`
  ╭─ .tools/whole.tool:5:36
  │
5 │ @depends official/part@^2.0.0 gone other/part@1.x
  │                                    ^^^^^^^^^^
  ╵
  = help: get a definition of \`other/part\` that is 1.x

3 definitions checked: 3 warnings
`,
      66,
    ],
  );
});

test("check says where the program of a forge tool is missing, or is none", async () => {
  const tool = (name: string): string => `name: ${name}\ndescription: D\nentrypoint: run\n`;
  using bench = toolBench({
    ".tools/gone/tool.yaml": tool("gone"),
    ".tools/plain/tool.yaml": tool("plain"),
    ".tools/plain/run": "#!/bin/sh\n",
    ".tools/good/tool.yaml": tool("good"),
    ".tools/good/run": "#!/bin/sh\n",
  });
  chmodSync(join(bench.folder, ".tools/good/run"), 0o755);
  const { stdout } = await runLine(bench, ["check"]);
  assert.is(
    stdout,
    `warning[missing-dependency]: \`gone\` cannot run here: there is no program \`run\` beside the definition
  ╭─ .tools/gone/tool.yaml:3:1
  │
3 │ entrypoint: run
  │ ^^^^^^^^^^
  ╵
  = help: put it there

warning[missing-dependency]: \`plain\` cannot run here: \`run\` is not executable
  ╭─ .tools/plain/tool.yaml:3:1
  │
3 │ entrypoint: run
  │ ^^^^^^^^^^
  ╵
  = help: run \`chmod +x run\` in its folder

3 definitions checked: 2 warnings
`,
  );
});

test.run();
