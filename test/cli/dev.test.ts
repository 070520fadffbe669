// `dottool dev` at a pseudo-terminal: a change is shown, trusted, checked and tested while it runs, and not afterwards.
import { spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("dev");

const greet = (word: string): string =>
  `Greets.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo ${word}\n@test says it\n    expect output-contains ${word}\n`;

if (spawnSync("script", ["--version"]).status === 0)
  test("a change is shown and trusted while dev is on the screen, and waits once it is gone", async () => {
    using bench = testProject({ ".tools/greet.tool": greet("one") }, { isTrusted: false });
    const { command, words, environment } = bench.program;
    const { text } = await typeAtTerminal(commandLine([command, ...words, "dev"]), {
      folder: bench.folder,
      environment: { ...environment, TERM: "dumb", NO_COLOR: "1" },
      typed: [
        ["trust this content? [y/N] ", "y\n"],
        ["Ctrl-C ends this", () => bench.write(".tools/greet.tool", greet("two"))],
        [
          "\ntrusted",
          () => bench.write(".tools/bad.tool", "Bad.\n\n@name bad\n@wrapped run_command\n@command echo {x}\n"),
        ],
        ["\ntrusted", "\u0003"],
      ],
    });
    const shown = text.replaceAll("\r\n", "\n").split("Ctrl-C ends this\n")[1] ?? "";
    assert.match(
      shown,
      "  changed: greet.tool\n    runs: echo two\n    what has changed:\n    @@ line 4\n     @name greet\n     @wrapped run_command\n    -@command echo one\n    +@command echo two\n",
    );
    assert.match(shown, "\n1 definition checked: no problems\n");
    assert.match(shown, "passed   greet: says it\n\n1 passed, 0 failed\ntrusted\n");
    assert.match(shown, "  new: bad.tool\n");
    assert.match(shown, "error[unknown-placeholder]");
    assert.equal(await bench.run(["greet"]), { exitCode: 0, stdout: "two\n", stderr: "" });
    bench.write(".tools/greet.tool", greet("three"));
    assert.is((await bench.run(["greet"])).exitCode, 77);
  });

if (spawnSync("script", ["--version"]).status === 0)
  test("dev loads plugins again when they or their modules change, and runs their tests", async () => {
    const plugin =
      'import { definePlugin, defineTool } from "dottool";\nimport { word } from "./lib/word.ts";\nexport default definePlugin({ name: "x", tools: [defineTool({ name: "x_one", description: "Says it.", effects: ["read"], run: () => word })] });\n';
    const tests =
      'import { test } from "dottool";\ntest("says two", async ({ callTool, assert }) => assert.deepEqual((await callTool("x_one")).content, [{ type: "text", text: "two" }]));\n';
    using bench = testProject({
      ".tools/plugins/x.ts": plugin,
      ".tools/plugins/x.test.ts": tests,
      ".tools/plugins/lib/word.ts": 'export const word = "one";\n',
    });
    const { command, words, environment } = bench.program;
    const { text } = await typeAtTerminal(commandLine([command, ...words, "dev"]), {
      folder: bench.folder,
      environment: { ...environment, TERM: "dumb", NO_COLOR: "1" },
      typed: [
        ["Ctrl-C ends this", () => bench.write(".tools/plugins/x.ts", `${plugin}const a: = 1;\n`)],
        ["\ntrusted", () => bench.write(".tools/plugins/x.ts", `${plugin}// fixed\n`)],
        ["\ntrusted", () => bench.write(".tools/plugins/lib/word.ts", 'export const word = "two";\n')],
        ["\ntrusted", "\u0003"],
      ],
    });
    const [, broken = "", fixed = "", changed = ""] =
      text
        .replaceAll("\r\n", "\n")
        .split("Ctrl-C ends this\n")[1]
        ?.split("\ntrusted")
        .map((part, index, all) => all[index - 1] ?? part) ?? [];
    assert.match(broken, ".tools/plugins/x.ts:4:10");
    assert.match(fixed, "1 plugin checked: no problems");
    assert.match(fixed, "failed   .tools/plugins/x.test.ts: says two");
    assert.match(changed, "passed   .tools/plugins/x.test.ts: says two");
  });

test("dev runs only with a person in front of it", async () => {
  using bench = testProject({ ".tools/greet.tool": greet("one") });
  const { exitCode, stderr } = await bench.run(["dev"]);
  assert.equal(
    [exitCode, stderr.split("\n")[0]],
    [
      77,
      "failed[denied]: `dottool dev` trusts what changes, so it runs only at a terminal, with a person in front of it",
    ],
  );
  bench.write("empty/x", "");
  assert.is((await bench.run(["--cwd", "/", "dev"])).exitCode, 66);
});

test.run();
